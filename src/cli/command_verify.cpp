#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/findings_text.h"
#include "cli/options.h"
#include "optiml/one_evaluation.h"

namespace optiml::cli {
namespace {

struct VerifyOptions {
    TaskOptions task;
    std::string candidate_file;
    std::string candidate_task_file;
    DeviceOptions device;
    GpuOptions gpu;
    std::string second_opinion;
    OutputOptions output;
};

void tell(const evaluation::Evaluation& evaluation, Console& console) {
    const char* verdict = evaluation.accepted ? "accepted" : "rejected";
    if (console.json()) {
        nlohmann::json findings = nlohmann::json::array();
        for (const evaluation::Finding& finding : evaluation.findings) findings.push_back(finding_json(finding));
        nlohmann::json answer{{"verdict", verdict}, {"level", name_of(evaluation.level)}, {"findings", findings}, {"printed", evaluation.printed}};
        if (!evaluation.accuracy_note.empty()) answer["accuracy_note"] = evaluation.accuracy_note;
        console.result(answer.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
        return;
    }
    std::string text = fmt::format("{} (passed {})\n", verdict, name_of(evaluation.level));
    for (const evaluation::Finding& finding : evaluation.findings) text += "  " + finding_text(finding) + "\n";
    if (!evaluation.accuracy_note.empty()) text += fmt::format("  note: {}\n", evaluation.accuracy_note);
    console.result(text + printed_text(evaluation));
}

Result<int> run(const VerifyOptions& options, Console& console) {
    options.output.apply(console);
    const auto choice = options.task.choice();
    if (!choice) return tl::make_unexpected(choice.error());
    const auto device = options.device.resolved();
    if (!device) return tl::make_unexpected(device.error());
    const optimizer::VerificationRequest request{*choice, options.candidate_file, options.candidate_task_file, *device, options.device.resolved_jobs(),
                                                 options.gpu.chosen, !options.second_opinion.empty()};
    const auto evaluation = optimizer::verify(request, console);
    if (!evaluation) return tl::make_unexpected(evaluation.error());
    tell(*evaluation, console);
    return evaluation->accepted ? kDone : kNo;
}

}  // namespace

void add_verify(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand("verify", "Check whether a kernel may replace another: same results, no faults");
    auto options = std::make_shared<VerifyOptions>();
    command->add_option("ORIGINAL.cu", options->task.kernel_file, "The reference")->required();
    command->add_option("CANDIDATE.cu", options->candidate_file, "The kernel to be checked")->required();
    command->add_option("--candidate-task", options->candidate_task_file, "Task file of the candidate, where its launch plan differs");
    options->task.add_to(*command, false);
    options->device.add_to(*command);
    options->gpu.add_large_to(*command);
    command->add_option("--second-opinion", options->second_opinion, "compute-sanitizer: also run the candidate under it, on the GPU")
        ->check(CLI::IsMember({"compute-sanitizer"}));
    options->output.add_to(*command);
    command->callback([options, &chosen] { chosen = [options](Console& console) { return run(*options, console); }; });
}

}  // namespace optiml::cli
