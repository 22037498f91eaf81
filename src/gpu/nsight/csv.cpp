#include "gpu/nsight/csv.h"

#include <algorithm>

namespace optiml::gpu::nsight {
namespace {

class CsvReader {
public:
    CsvReader(std::string_view text, std::uint32_t line, const std::string& file) : text_(text), line_(line), file_(file) {}

    Result<std::vector<CsvRecord>> read() {
        std::vector<CsvRecord> records;
        while (place_ < text_.size()) {
            if (is_no_record()) {
                skip_line();
                continue;
            }
            auto record = read_record();
            if (!record) return tl::make_unexpected(record.error());
            records.push_back(std::move(*record));
        }
        return records;
    }

private:
    bool is_at_end() const { return place_ >= text_.size(); }
    bool is_no_record() const {
        const std::string_view rest = text_.substr(place_);
        return rest.starts_with('\n') || rest.starts_with("\r\n") || rest.starts_with("==");
    }
    void skip_line() {
        place_ = std::min(text_.find('\n', place_), text_.size() - 1) + 1;
        ++line_;
    }

    Result<CsvRecord> read_record() {
        CsvRecord record{line_, {}};
        while (true) {
            std::string field;
            if (!is_at_end() && text_[place_] == '"') {
                if (const Status quoted = read_quoted(field); !quoted) return tl::make_unexpected(quoted.error());
            }
            const std::size_t end = std::min(text_.find_first_of(",\n", place_), text_.size());
            field += text_.substr(place_, end - place_);
            if (!field.empty() && field.back() == '\r') field.pop_back();
            record.fields.push_back(std::move(field));
            place_ = end + 1;
            if (end < text_.size() && text_[end] == ',') continue;
            ++line_;
            return record;
        }
    }

    Status read_quoted(std::string& field) {
        const std::uint32_t opened = line_;
        for (++place_; !is_at_end(); ++place_) {
            const char letter = text_[place_];
            if (letter == '\n') ++line_;
            if (letter == '"' && text_.substr(place_ + 1, 1) != "\"") {
                ++place_;
                return {};
            }
            if (letter == '"') ++place_;
            field.push_back(letter);
        }
        return user_error("a quote that opens here is never closed", {file_, opened, 0}, "The file looks cut off: export it again.");
    }

    std::string_view text_;
    std::size_t place_ = 0;
    std::uint32_t line_;
    const std::string& file_;
};

}  // namespace

Result<std::vector<CsvRecord>> read_csv(std::string_view text, std::uint32_t first_line, const std::string& file) {
    return CsvReader(text, first_line, file).read();
}

}  // namespace optiml::gpu::nsight
