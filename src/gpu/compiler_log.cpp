#include "gpu/compiler_log.h"

#include <charconv>
#include <optional>
#include <regex>

namespace optiml::gpu {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

std::uint32_t number_of(const std::string& digits) {
    std::uint32_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

bool is_ptxas(const std::string& line) { return line.starts_with("ptxas info") || line.starts_with("ptxas  "); }

std::optional<CompilerMessage> message_of(const std::string& line) {
    static const std::regex with_place(R"(^(.*)\((\d+)\): (catastrophic error|error|warning|remark)(?: #[\w-]+)?: (.*)$)");
    static const std::regex without_place(R"(^(?:nvrtc: |ptxas )?(error|fatal|warning)\s*: (.*)$)");
    std::smatch parts;
    if (std::regex_match(line, parts, with_place)) {
        const std::string severity = parts[3];
        return CompilerMessage{severity.ends_with("error"), number_of(parts[2]), 0, parts[4]};
    }
    if (std::regex_match(line, parts, without_place)) return CompilerMessage{parts[1] != "warning", 0, 0, parts[2]};
    return std::nullopt;
}

// The line of source that NVRTC quotes, with a caret line behind it: the caret's column is the error's, two spaces indented.
bool is_caret(const std::string& line) {
    const std::size_t first = line.find_first_not_of(' ');
    return first != std::string::npos && line[first] == '^' && line.find_first_not_of(" ^~") == std::string::npos;
}

}  // namespace

std::vector<CompilerMessage> compiler_messages(std::string_view log) {
    std::vector<CompilerMessage> messages;
    for (const std::string& line : lines_of(log)) {
        if (is_ptxas(line)) continue;
        if (auto message = message_of(line)) {
            messages.push_back(std::move(*message));
        } else if (!messages.empty() && is_caret(line) && messages.back().column == 0) {
            const std::size_t caret = line.find('^');
            messages.back().column = static_cast<std::uint32_t>(caret >= 2 ? caret - 1 : 1);
        }
    }
    return messages;
}

std::map<std::string, CompiledKernel> ptxas_figures(std::string_view log) {
    static const std::regex entry(R"(Compiling entry function '([^']+)')");
    static const std::regex properties(R"(Function properties for (\S+))");
    static const std::regex stack(R"((\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads)");
    static const std::regex registers(R"(Used (\d+) registers)");
    static const std::regex shared(R"((\d+) bytes smem)");
    std::map<std::string, CompiledKernel> figures;
    std::string current, described;
    for (const std::string& line : lines_of(log)) {
        std::smatch parts;
        if (std::regex_search(line, parts, entry)) {
            current = described = parts[1];
            figures[current].lowered_name = current;
        } else if (std::regex_search(line, parts, properties)) {
            described = parts[1];
        } else if (!current.empty() && described == current && std::regex_search(line, parts, stack)) {
            CompiledKernel& kernel = figures[current];
            kernel.local_bytes = number_of(parts[1]);
            kernel.spill_store_bytes = number_of(parts[2]);
            kernel.spill_load_bytes = number_of(parts[3]);
        } else if (!current.empty() && std::regex_search(line, parts, registers)) {
            figures[current].registers = number_of(parts[1]);
            if (std::regex_search(line, parts, shared)) figures[current].static_shared = number_of(parts[1]);
        }
    }
    return figures;
}

}  // namespace optiml::gpu
