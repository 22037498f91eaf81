#include "gpu/sanitizer/report.h"

#include <charconv>

#include <fmt/format.h>

#include "base/text.h"

namespace optiml::gpu::sanitizer {
namespace {

constexpr std::string_view kMark = "=========";

std::uint64_t number_at(std::string_view text, std::size_t place) {
    std::uint64_t value = 0;
    std::from_chars(text.data() + std::min(place, text.size()), text.data() + text.size(), value);
    return value;
}

// What stands after the first occurrence of a word; empty if it is not there.
std::string_view after(std::string_view text, std::string_view word) {
    const std::size_t place = text.find(word);
    return place == std::string_view::npos ? std::string_view() : text.substr(place + word.size());
}

std::array<std::uint32_t, 3> triple_after(std::string_view text, std::string_view word) {
    std::array<std::uint32_t, 3> triple{};
    std::string_view rest = after(text, word);
    for (std::uint32_t& value : triple) {
        const std::size_t digit = rest.find_first_of("0123456789");
        if (digit == std::string_view::npos) return {};
        value = static_cast<std::uint32_t>(number_at(rest, digit));
        rest = rest.substr(std::min(rest.find_first_not_of("0123456789", digit), rest.size()));
    }
    return triple;
}

// "scale<float>(const float *, int)+0x30" -> "scale<float>": the last parenthesis that opens at depth 0 begins the parameters.
std::string without_parameters(std::string_view kernel) {
    kernel = kernel.substr(0, kernel.rfind("+0x"));
    int depth = 0;
    for (std::size_t i = kernel.size(); i-- > 0;) {
        if (kernel[i] == ')') ++depth;
        if (kernel[i] == '(' && --depth == 0) return std::string(trimmed(kernel.substr(0, i)));
    }
    return std::string(trimmed(kernel));
}

// "kernel(int *)+0x30 in file.cu:6", or of older versions "0x30 in file.cu:6:kernel(int *)".
void read_place(std::string_view text, Record& record) {
    const std::size_t in = text.rfind(" in ");
    const std::string_view code = trimmed(text.substr(0, in));
    std::string_view place = in == std::string_view::npos ? std::string_view() : trimmed(text.substr(in + 4));
    if (code.starts_with("0x")) {
        const std::size_t colon = place.find(':', place.find(".cu"));
        const std::size_t second = colon == std::string_view::npos ? colon : place.find(':', colon + 1);
        if (second != std::string_view::npos) {
            record.kernel = without_parameters(place.substr(second + 1));
            place = place.substr(0, second);
        } else {
            record.kernel = without_parameters(place);
            return;
        }
    } else {
        record.kernel = without_parameters(code);
    }
    const std::size_t colon = place.rfind(':');
    if (colon == std::string_view::npos) return;
    record.file = std::string(place.substr(0, colon));
    record.line = static_cast<std::uint32_t>(number_at(place, colon + 1));
}

Fault fault_of(std::string_view statement) {
    if (statement.starts_with("Invalid __") || statement.starts_with("Potential invalid __") || statement.starts_with("Invalid atomic")) return Fault::out_of_bounds;
    if (statement.starts_with("Uninitialized")) return Fault::uninitialized;
    if (statement.starts_with("Barrier error")) return Fault::barrier;
    if (statement.find("Race reported") != std::string_view::npos || statement.find("hazard detected") != std::string_view::npos) return Fault::race;
    return Fault::other;
}

// Lines that only say what another line has said, or what the tool itself does.
bool is_remark(std::string_view line) {
    for (const char* remark : {"COMPUTE-SANITIZER", "ERROR SUMMARY", "RACECHECK SUMMARY", "Program hit", "Target application", "Error: process",
                               "Error: Target", "Saved ", "Host Frame", "Device Frame", "Warning", "WARNING", "LEAK SUMMARY"}) {
        if (line.starts_with(remark)) return true;
    }
    return false;
}

class ReportReader {
public:
    void line(std::string_view text) {
        if (!text.starts_with(kMark)) return;
        text.remove_prefix(kMark.size());
        const std::string_view content = trimmed(text);
        if (content.empty()) return;
        read_summary(content);
        if (content.starts_with("Internal Sanitizer Error")) own_failure_ = std::string(content);
        const bool continues = text.starts_with("   ");
        if (!continues) {
            open_ = !is_remark(content);
            if (open_) begin(content);
        } else if (open_) {
            detail(content);
        }
    }
    bool has_summary() const { return has_summary_; }
    const std::string& own_failure() const { return own_failure_; }
    Report take() { return std::move(report_); }

private:
    void read_summary(std::string_view content) {
        if (content.starts_with("ERROR SUMMARY:")) {
            report_.errors = number_at(content, content.find_first_of("0123456789"));
            has_summary_ = true;
        } else if (content.starts_with("RACECHECK SUMMARY:")) {
            // "2 hazards displayed (1 error, 1 warning)"
            report_.errors = number_at(content, std::min(content.find('('), content.size() - 1) + 1);
            has_summary_ = true;
        }
    }

    void begin(std::string_view content) {
        Record record;
        record.fault = fault_of(content);
        record.statement = std::string(content);
        if (record.fault == Fault::race) {
            // "Error: Race reported between Write access at kernel(int *)+0x150 in file.cu:15"
            for (const char* prefix : {"Error: ", "ERROR: "}) {
                if (content.starts_with(prefix)) content.remove_prefix(7);
            }
            const std::string_view place = after(content, " access at ");
            if (!place.empty()) {
                read_place(place, record);
                content = content.substr(0, content.size() - place.size() - 4);
            }
            record.statement = std::string(content);
        }
        report_.records.push_back(std::move(record));
    }

    void detail(std::string_view content) {
        Record& record = report_.records.back();
        if (content.starts_with("at ") && record.kernel.empty()) {
            read_place(content.substr(3), record);
        } else if (content.starts_with("by thread")) {
            record.thread = triple_after(content, "thread");
            record.block = triple_after(content, "block");
        } else if (content.starts_with("Address ")) {
            record.address = std::string(content.substr(8, content.find(' ', 8) - 8));
            if (content.find("misaligned") != std::string_view::npos) record.fault = Fault::misaligned;
            add_detail(record, content.substr(std::min(8 + record.address.size() + 1, content.size())));
        } else if (content.starts_with("and ")) {
            add_detail(record, content);
        } else if (is_remark(content) || content.starts_with("Host Frame") || content.starts_with("Device Frame")) {
            return;
        }
    }

    static void add_detail(Record& record, std::string_view text) {
        record.detail += fmt::format("{}{}", record.detail.empty() ? "" : " ", text);
    }

    Report report_;
    bool open_ = false;
    bool has_summary_ = false;
    std::string own_failure_;
};

std::string last_words(std::string_view output) {
    constexpr std::size_t kShown = 500;
    return std::string(trimmed(output.size() <= kShown ? output : output.substr(output.size() - kShown)));
}

}  // namespace

Result<Report> parse_report(std::string_view output) {
    ReportReader reader;
    for (const std::string_view line : lines_of(output)) reader.line(line);
    if (!reader.has_summary()) return environment_error("compute-sanitizer did not finish: " + last_words(output), "See optiml doctor.");
    if (!reader.own_failure().empty()) return environment_error("compute-sanitizer may have missed errors: " + reader.own_failure(), "Use smaller sizes (--set, --size small).");
    return reader.take();
}

}  // namespace optiml::gpu::sanitizer
