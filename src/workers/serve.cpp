#include "workers/serve.h"

#include <istream>
#include <ostream>
#include <string>

#include <nlohmann/json.hpp>

namespace optiml::workers {
namespace {

nlohmann::json failure(const Error& error) {
    constexpr const char* kinds[] = {"user", "environment", "faulty_original", "internal"};
    return {{"ok", false}, {"error", error.message}, {"remedy", error.remedy}, {"kind", kinds[static_cast<int>(error.kind)]}};
}

nlohmann::json answer_to(Service& service, const std::string& line) {
    const nlohmann::json request = nlohmann::json::parse(line, nullptr, false);
    if (!request.is_object()) return failure({ErrorKind::internal, "a request is one JSON object on one line", {}, {}});
    try {
        auto answer = service.answer(request);
        if (!answer) return failure(answer.error());
        (*answer)["ok"] = true;
        return std::move(*answer);
    } catch (const nlohmann::json::exception& wrong_type) {
        return failure({ErrorKind::internal, std::string("the request is not as it should be: ") + wrong_type.what(), {}, {}});
    }
}

}  // namespace

void serve(Service& service, std::istream& requests, std::ostream& answers) {
    for (std::string line; std::getline(requests, line);) {
        // Device messages may hold bytes that are no UTF-8; they are replaced rather than thrown over.
        answers << answer_to(service, line).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n' << std::flush;
    }
}

}  // namespace optiml::workers
