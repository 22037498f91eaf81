#include <nlohmann/json.hpp>

#include "gpu/compiler.h"
#include "workers/compile_messages.h"
#include "workers/serve.h"

namespace optiml::workers {
namespace {

using nlohmann::json;

class CompileService final : public Service {
public:
    Result<json> answer(const json& request) override {
        const std::string what = request.value("do", "");
        if (what == "open") return open();
        if (what == "compile" && compiler_ != nullptr) return to_json(compiler_->compile(request_from_json(request)));
        return internal_error("a compile worker cannot do '" + what + "', or was not opened");
    }

private:
    Result<json> open() {
        auto compiler = gpu::load_compiler();
        if (!compiler) return tl::make_unexpected(compiler.error());
        compiler_ = std::move(*compiler);
        return json{{"version", compiler_->version()}};
    }

    std::unique_ptr<gpu::Compiler> compiler_;
};

}  // namespace

std::unique_ptr<Service> make_compile_service() { return std::make_unique<CompileService>(); }

}  // namespace optiml::workers
