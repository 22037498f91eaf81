#include "gpu/compiler_log.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <regex>
#include <string_view>

#include <cxxabi.h>

#include <fmt/format.h>

#include "base/text.h"
#include "gpu/removed_features.h"

namespace optiml::gpu {
namespace {

// Regular expressions take stack for every character of a line; longer ones are quoted source.
constexpr std::size_t kMostLineBytes = 16384;

std::vector<std::string> short_lines_of(std::string_view text) {
    std::vector<std::string> lines;
    for (const std::string_view line : lines_of(text)) lines.emplace_back(line.substr(0, kMostLineBytes));
    return lines;
}

std::uint32_t number_of(const std::string& digits) { return parsed_number<std::uint32_t>(digits).value_or(0); }

bool is_ptxas(const std::string& line) { return line.starts_with("ptxas info") || line.starts_with("ptxas  "); }

std::uint64_t hexadecimal(const std::string& digits) { return std::strtoull(digits.c_str(), nullptr, 16); }

// "scale" of "_Z5scalePfi" and of "scale".
std::string kernel_name(const std::string& lowered) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> readable(abi::__cxa_demangle(lowered.c_str(), nullptr, nullptr, &status), std::free);
    if (readable == nullptr) return lowered;
    std::string name = readable.get();
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    for (std::size_t at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed)) name.erase(at, unnamed.size());
    name.resize(std::min(name.find('('), name.size()));
    name.erase(0, name.rfind("void ", 0) == 0 ? 5 : 0);
    return name;
}

// The compilers name neither what a limit means nor what stands for what was removed.
CompilerMessage in_plain_words(CompilerMessage message, const std::vector<std::string>& options) {
    static const std::regex shared(R"(Entry function '([^']+)' uses too much shared data \(0x([0-9a-f]+) bytes, 0x([0-9a-f]+) max\))");
    std::smatch parts;
    if (auto removed = removed_feature(message.text, options); removed && message.is_error) {
        message.text = std::move(removed->text);
        message.words = std::move(removed->words);
        return message;
    }
    if (!std::regex_search(message.text, parts, shared)) return message;
    std::string kernel = kernel_name(parts[1]);
    std::string text = fmt::format("the kernel '{}' declares {} bytes of __shared__ memory; at most {} may be declared with a fixed size. Make the arrays "
                                   "smaller, or declare one extern __shared__ array and give its bytes as dynamic_shared in [launch]",
                                   kernel, hexadecimal(parts[2]), hexadecimal(parts[3]));
    return {message.is_error, 0, 0, std::move(text), std::move(kernel)};
}

std::optional<CompilerMessage> message_of(const std::string& line, const std::vector<std::string>& options) {
    static const std::regex with_place(R"(^(.*)\((\d+)\): (catastrophic error|error|warning|remark)(?: #[\w-]+)?: (.*)$)");
    static const std::regex without_place(
        R"(^ *(?:nvrtc: |ptxas (?:application ptx input, line \d+; )?)?(error|fatal|warning)\s*: (.*)$)");
    std::smatch parts;
    if (std::regex_match(line, parts, with_place)) {
        const std::string severity = parts[3];
        return in_plain_words({severity.ends_with("error"), number_of(parts[2]), 0, parts[4], ""}, options);
    }
    if (std::regex_match(line, parts, without_place)) return in_plain_words({parts[1] != "warning", 0, 0, parts[2], ""}, options);
    return std::nullopt;
}

// The line of source that NVRTC quotes, with a caret line behind it: the caret's column is the error's, two spaces indented.
bool is_caret(const std::string& line) {
    const std::size_t first = line.find_first_not_of(' ');
    return first != std::string::npos && line[first] == '^' && line.find_first_not_of(" ^~") == std::string::npos;
}

}  // namespace

std::vector<CompilerMessage> compiler_messages(std::string_view log, const std::vector<std::string>& options) {
    std::vector<CompilerMessage> messages;
    for (const std::string& line : short_lines_of(log)) {
        if (is_ptxas(line)) continue;
        if (auto message = message_of(line, options)) {
            messages.push_back(std::move(*message));
        } else if (!messages.empty() && is_caret(line) && messages.back().column == 0) {
            const std::size_t caret = line.find('^');
            messages.back().column = static_cast<std::uint32_t>(caret >= 2 ? caret - 1 : 1);
        }
    }
    return messages;
}

namespace {

// Where "scale(" stands for "space::scale<float>", and not as a part of "rescale(".
std::size_t place_of(std::string_view source, std::string_view kernel) {
    const std::string_view name = unqualified_name(kernel);
    std::size_t at = find_whole_word(source, name);
    while (at != std::string_view::npos && !source.substr(at + name.size()).starts_with('(')) at = find_whole_word(source, name, at + 1);
    return at;
}

}  // namespace

std::uint32_t line_of_shared_array(std::string_view source, std::string_view kernel) {
    const std::size_t name = place_of(source, kernel);
    if (name == std::string_view::npos) return 0;
    const std::size_t declaration = source.find("__shared__", name);
    return line_at(source, declaration == std::string_view::npos ? name : declaration);
}

std::uint32_t line_of_word(std::string_view source, const std::vector<std::string>& words) {
    std::size_t first = std::string_view::npos;
    for (const std::string& word : words) first = std::min(first, find_whole_word(source, word));
    return first == std::string_view::npos ? 0 : line_at(source, first);
}

std::map<std::string, CompiledKernel> ptxas_figures(std::string_view log) {
    static const std::regex entry(R"(Compiling entry function '([^']+)')");
    static const std::regex properties(R"(Function properties for (\S+))");
    static const std::regex stack(R"((\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads)");
    static const std::regex registers(R"(Used (\d+) registers)");
    static const std::regex shared(R"((\d+) bytes smem)");
    std::map<std::string, CompiledKernel> figures;
    std::string current, described;
    for (const std::string& line : short_lines_of(log)) {
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
