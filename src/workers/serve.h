#pragma once
// What a worker process does: reads request lines, answers each with one line, until its input ends.

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"

namespace optiml::workers {

// The part that knows what requests mean; one a worker.
class Service {
public:
    virtual ~Service() = default;
    // The answer's fields; "ok": true is added. An Error becomes {"ok": false, "error": ..., "kind": ...}.
    virtual Result<nlohmann::json> answer(const nlohmann::json& request) = 0;
};

// A line that is no JSON object is answered with an error; nothing ends the loop but the end of the input.
void serve(Service& service, std::istream& requests, std::ostream& answers);

// A service on one GPU: "open" once, then "evaluate".
std::unique_ptr<Service> make_device_service(int ordinal);

// A service without a GPU: "open" once, then "build": L0 to L2 on the emulator, and the cubin for the card.
std::unique_ptr<Service> make_build_service();

// NVRTC alone: "open" once, then "compile".
std::unique_ptr<Service> make_compile_service();

}  // namespace optiml::workers
