#include "optimizer/original.h"

#include <fmt/format.h>

namespace optiml::optimizer {
namespace {

using evaluation::Finding;
using evaluation::FindingKind;

std::string place_in_grid(const Finding& finding) {
    if (finding.kernel.empty()) return {};
    std::string text = fmt::format(" (kernel {}, block {},{},{}, thread {},{},{}", finding.kernel, finding.block[0], finding.block[1],
                                   finding.block[2], finding.thread[0], finding.thread[1], finding.thread[2]);
    for (const auto& [name, value] : finding.sizes) text += fmt::format(", {} = {}", name, value);
    return text + ")";
}

tl::unexpected<Error> faulty(const Finding& finding, std::string remedy) {
    Error error;
    error.kind = ErrorKind::faulty_original;
    error.message = fmt::format("the original kernel is faulty: {}: {}{}", name_of(finding.kind), finding.message, place_in_grid(finding));
    error.where = {finding.file, finding.line};
    error.remedy = std::move(remedy);
    return tl::make_unexpected(std::move(error));
}

}  // namespace

Status check_original(const task::Task& task, const evaluation::Evaluation& evaluation) {
    const Finding* finding = evaluation.first_finding();
    if (finding == nullptr) {
        if (evaluation.accepted && evaluation.timing && evaluation.profile) return {};
        return internal_error(fmt::format("the original of task {} was neither accepted nor rejected", task.name));
    }
    const SourceLocation where{finding->file, finding->line};
    switch (finding->kind) {
        case FindingKind::compile:
            return user_error(fmt::format("the kernel does not compile: {}", finding->message), where);
        case FindingKind::time_limit:
            return user_error(fmt::format("the original takes too long to run here: {}", finding->message), where,
                              "Give smaller sizes with --set NAME=VALUE or in the task file.");
        case FindingKind::unsupported:
            return tl::make_unexpected(Error{ErrorKind::environment, finding->message, where,
                                             "The emulator cannot run this kernel; a GPU could."});
        case FindingKind::out_of_bounds:
            return faulty(*finding, "Mend the kernel, or the extents and sizes that its task file declares.");
        case FindingKind::uninitialized:
            return faulty(*finding, "Mend the kernel, or declare the buffer as inout where the kernel is to find values in it.");
        default:
            return faulty(*finding, "Mend the kernel first: a faulty one cannot serve as the reference.");
    }
}

}  // namespace optiml::optimizer
