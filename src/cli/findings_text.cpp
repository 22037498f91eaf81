#include "cli/findings_text.h"

#include <fmt/format.h>

namespace optiml::cli {

nlohmann::json finding_json(const evaluation::Finding& finding) {
    return {{"kind", name_of(finding.kind)}, {"message", finding.message}, {"file", finding.file},     {"line", finding.line},
            {"kernel", finding.kernel},      {"block", finding.block},     {"thread", finding.thread}, {"sizes", finding.sizes},
            {"values", finding.pattern}};
}

std::string finding_text(const evaluation::Finding& finding) {
    std::string text = finding.file;
    if (finding.line != 0) text += fmt::format(":{}", finding.line);
    if (!text.empty()) text += ": ";
    text += fmt::format("{}: {}", name_of(finding.kind), finding.message);
    if (finding.kernel.empty()) return text;
    text += fmt::format(" (kernel {}, block {}, thread {}", finding.kernel, fmt::join(finding.block, ","), fmt::join(finding.thread, ","));
    for (const auto& [name, value] : finding.sizes) text += fmt::format(", {} = {}", name, value);
    if (!finding.pattern.empty() && finding.pattern != "declared") text += ", values: " + finding.pattern;
    return text + ")";
}

std::string printed_text(const evaluation::Evaluation& evaluation) {
    if (evaluation.printed.empty()) return "";
    const bool is_cut = evaluation.printed.size() == evaluation::kMostPrintedBytes;
    return fmt::format("\nPrinted by the kernels at the small sizes{}:\n\n{}{}", is_cut ? fmt::format(" (the first {} bytes)", evaluation::kMostPrintedBytes) : "",
                       evaluation.printed, evaluation.printed.ends_with('\n') ? "" : "\n");
}

}  // namespace optiml::cli
