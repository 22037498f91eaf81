#include <optional>

#include <nlohmann/json.hpp>

#include "base/disk.h"
#include "evaluation/build.h"
#include "evaluation/evaluator.h"
#include "gpu/memoizing_compiler.h"
#include "workers/messages.h"
#include "workers/serve.h"

namespace optiml::workers {
namespace {

using evaluation::EmulatedEvaluator;
using evaluation::Evaluation;
using nlohmann::json;

class BuildService final : public Service {
public:
    Result<json> answer(const json& request) override {
        const std::string what = request.value("do", "");
        if (what == "open") return open(request);
        if (what == "build") return build(request, true);
        if (what == "compile") return build(request, false);
        return internal_error("a build worker cannot do '" + what + "'");
    }

private:
    Result<json> open(const json& request) {
        auto task = task_from_json(request.value("task", json::object()));
        if (!task) return tl::make_unexpected(task.error());
        task_ = std::move(*task);
        auto compiler = gpu::load_compiler();
        if (!compiler) return tl::make_unexpected(compiler.error());
        nvrtc_ = std::move(*compiler);
        compiler_.emplace(*nvrtc_, 4);
        compute_capability_ = request.value("compute_capability", 90u);
        evaluation::EmulatedSettings settings;
        settings.compute_capability = compute_capability_;
        settings.seed = request.value("seed", settings.seed);
        settings.verify = request.value("emulator_checks", true);
        const std::size_t factor = request.value("edge_factor", std::size_t{1});
        settings.edge_sizes *= factor;
        settings.own_edge_sizes *= factor;
        settings.time = false;
        settings.profile = false;
        auto evaluator = EmulatedEvaluator::make(*task_, *compiler_, disk_, settings);
        if (!evaluator) return tl::make_unexpected(evaluator.error());
        evaluator_ = std::move(*evaluator);
        return json::object();
    }

    Result<json> build(const json& request, bool with_checks) {
        if (evaluator_ == nullptr) return internal_error("build before open");
        const auto candidate = candidate_from_json(request.value("candidate", json::object()));
        if (!candidate) return tl::make_unexpected(candidate.error());
        json answer = json::object();
        if (with_checks) {
            const Evaluation evaluation = evaluator_->evaluate(*candidate);
            answer["evaluation"] = json::parse(evaluation::to_json(evaluation));
            if (!evaluation.findings.empty()) return answer;
        }
        // The compiler remembers the emulator's build: this one costs nothing where the architecture is the same.
        const gpu::CompileOutcome code = compiler_->compile(evaluation::compile_request(*compiler_, *task_, *candidate, compute_capability_));
        if (!code.compiled) return internal_error("the code that was compiled before does not compile: " + code.log);
        answer["compiled"] = to_json(*task_, evaluation::device::CompiledCandidate{*candidate, code.cubin, code.kernels});
        return answer;
    }

    RealDisk disk_;
    std::optional<task::Task> task_;
    std::unique_ptr<gpu::Compiler> nvrtc_;
    std::optional<gpu::MemoizingCompiler> compiler_;
    std::uint32_t compute_capability_ = 90;
    std::unique_ptr<EmulatedEvaluator> evaluator_;
};

}  // namespace

std::unique_ptr<Service> make_build_service() { return std::make_unique<BuildService>(); }

}  // namespace optiml::workers
