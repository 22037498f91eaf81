#include "workers/isolated_compiler.h"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "gpu/toolkit.h"
#include "process/own_program.h"
#include "workers/compile_messages.h"
#include "workers/worker_pool.h"

namespace optiml::workers {
namespace {

using nlohmann::json;

constexpr double kReadySeconds = 60;
constexpr int kAttempts = 2;  // a process may also end for a reason of its own, such as a machine that is out of memory

gpu::CompileOutcome failed(std::string message) {
    gpu::CompileOutcome outcome;
    outcome.is_inconclusive = true;
    outcome.messages.push_back({true, 0, 0, message, ""});
    outcome.log = std::move(message);
    return outcome;
}

class IsolatedCompiler final : public gpu::Compiler {
public:
    explicit IsolatedCompiler(const IsolationSettings& settings) : seconds_(settings.seconds), pool_(pool_settings(settings)) {}

    Status start() {
        if (Status ready = pool_.wait_until_ready(kReadySeconds); !ready) return ready;
        const json answer = json::parse(pool_.opening_answer(), nullptr, false);
        if (!answer.is_object() || !answer.value("ok", false)) {
            return environment_error(answer.is_object() ? answer.value("error", "") : "the compiler's process does not speak as it should",
                                     answer.is_object() ? answer.value("remedy", "") : "");
        }
        version_ = answer.value("version", "");
        return {};
    }

    gpu::CompileOutcome compile(const gpu::CompileRequest& request) override {
        json line = to_json(request);
        line["do"] = "compile";
        const std::string text = line.dump(-1, ' ', false, json::error_handler_t::replace);
        Answer answer;
        for (int attempt = 0; attempt < kAttempts; ++attempt) {
            answer = pool_.ask(text, seconds_);
            if (answer.kind != Answer::Kind::crashed) break;
        }
        switch (answer.kind) {
            case Answer::Kind::answered: return outcome_from_json(json::parse(answer.line, nullptr, false));
            case Answer::Kind::timed_out: return failed(fmt::format("the compiler did not end within {:.0f} s", seconds_));
            case Answer::Kind::crashed: return failed("the compiler crashed: " + answer.explanation);
            case Answer::Kind::no_worker: break;
        }
        return failed("the compiler does not start: " + answer.explanation);
    }

    std::string version() const override { return version_; }
    std::string include_directory() const override { return headers_; }

private:
    static PoolSettings pool_settings(const IsolationSettings& settings) {
        PoolSettings pool;
        pool.command = settings.command;
        pool.openings = {[](const std::string&) { return R"({"do":"open"})"; }};
        pool.workers = settings.workers;
        pool.memory_limit_bytes = settings.memory_bytes;
        return pool;
    }

    const double seconds_;
    const std::string headers_ = gpu::find_cuda_headers();
    WorkerPool pool_;
    std::string version_;
};

double compile_seconds() {
    const char* chosen = std::getenv("OPTIML_COMPILE_SECONDS");
    const double seconds = chosen == nullptr ? 0 : parsed_number<double>(chosen).value_or(0);
    return seconds > 0 ? seconds : IsolationSettings{}.seconds;
}

}  // namespace

Result<std::unique_ptr<gpu::Compiler>> make_isolated_compiler(const IsolationSettings& settings) {
    auto compiler = std::make_unique<IsolatedCompiler>(settings);
    if (Status started = compiler->start(); !started) return tl::make_unexpected(started.error());
    return compiler;
}

Result<std::unique_ptr<gpu::Compiler>> load_isolated_compiler(std::size_t workers) {
    const std::filesystem::path program = process::own_program();
    if (program.filename() != "optiml") return gpu::load_compiler();
    IsolationSettings settings;
    settings.command = {program.string(), "worker", "--compile"};
    settings.workers = workers;
    settings.seconds = compile_seconds();
    return make_isolated_compiler(settings);
}

}  // namespace optiml::workers
