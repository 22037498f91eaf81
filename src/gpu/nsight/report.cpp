#include "gpu/nsight/report.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "gpu/nsight/csv.h"
#include "gpu/nsight/labels.h"
#include "gpu/nsight/numbers.h"

namespace optiml::gpu::nsight {
namespace {

constexpr const char* kExport = "Export the report with: ncu --import REPORT.ncu-rep --csv --page raw > REPORT.csv";

// Columns that say which launch a row is about; in the raw page all others are metrics.
constexpr std::string_view kIdentity[] = {"ID",     "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context",
                                          "Stream", "Block Size", "Grid Size",    "Device",    "CC",          "Invocations", "Section Name"};

bool is_identity(std::string_view column) {
    return std::find(std::begin(kIdentity), std::end(kIdentity), column) != std::end(kIdentity);
}

class Header {
public:
    explicit Header(std::vector<std::string> columns) : columns_(std::move(columns)) {}

    std::optional<std::size_t> find(std::string_view column) const {
        const auto found = std::find(columns_.begin(), columns_.end(), column);
        if (found == columns_.end()) return std::nullopt;
        return static_cast<std::size_t>(found - columns_.begin());
    }
    std::string field(const CsvRecord& record, std::string_view column) const {
        const auto index = find(column);
        return index ? record.fields[*index] : "";
    }
    const std::vector<std::string>& columns() const { return columns_; }
    // A row a metric, as opposed to a column a metric.
    bool is_details() const { return find("Metric Name").has_value(); }
    std::string_view value_column() const { return find("Metric Value") ? "Metric Value" : "Average"; }
    bool is_value(std::size_t column) const {
        return is_details() ? columns_[column] == value_column() : !is_identity(columns_[column]);
    }

private:
    std::vector<std::string> columns_;
};

bool is_header(const CsvRecord& record) {
    return std::find(record.fields.begin(), record.fields.end(), "Kernel Name") != record.fields.end();
}

// "(256, 1, 1)" or "256, 1, 1"; zeros for anything else.
std::array<std::uint64_t, 3> parse_shape(std::string_view text) {
    std::array<std::uint64_t, 3> shape{};
    std::size_t axis = 0;
    for (const char* place = text.data(); place != text.data() + text.size() && axis < 3;) {
        const auto [end, code] = std::from_chars(place, text.data() + text.size(), shape[axis]);
        if (code == std::errc()) ++axis;
        place = code == std::errc() ? end : place + 1;
    }
    return axis == 3 ? shape : std::array<std::uint64_t, 3>{};
}

// Builds launches from records, one table after another.
class ReportReader {
public:
    explicit ReportReader(std::string file) : file_(std::move(file)) {}

    Result<std::vector<Launch>> read(const std::vector<CsvRecord>& records) {
        decimal_mark_ = decimal_mark_of(values_of(records));
        for (const CsvRecord& record : records) {
            if (is_header(record)) {
                header_.emplace(record.fields);
                units_.clear();
                continue;
            }
            if (const Status added = add(record); !added) return tl::make_unexpected(added.error());
        }
        const bool is_empty = std::all_of(launches_.begin(), launches_.end(), [](const Launch& launch) { return launch.counters.empty(); });
        if (is_empty) return user_error("the report holds no metric", {file_, 0, 0}, "Collect some: ncu --set full, or at least --set basic.");
        return std::move(launches_);
    }

private:
    // Of metrics alone: a host's address would look like a number with separators.
    static std::vector<std::string_view> values_of(const std::vector<CsvRecord>& records) {
        std::vector<std::string_view> values;
        std::optional<Header> header;
        for (const CsvRecord& record : records) {
            if (is_header(record)) header.emplace(record.fields);
            const std::size_t count = std::min(record.fields.size(), header->columns().size());
            for (std::size_t i = 0; i < count; ++i) {
                if (header->is_value(i)) values.push_back(record.fields[i]);
            }
        }
        return values;
    }

    Status add(const CsvRecord& record) {
        if (record.fields.size() != header_->columns().size()) {
            return user_error(fmt::format("{} fields where the table has {} columns", record.fields.size(), header_->columns().size()),
                              {file_, record.line, 0}, std::string("The file looks cut off or edited. ") + kExport);
        }
        if (header_->is_details()) {
            add_metric(record);
        } else if (header_->field(record, "Kernel Name").empty()) {
            units_ = record.fields;
        } else {
            add_row(record);
        }
        return {};
    }

    // The details page repeats the launch in each of its rows.
    void add_metric(const CsvRecord& record) {
        const std::string label = header_->field(record, "Metric Name");
        if (label.empty()) return;  // a rule's advice
        Launch fresh = launch_of(record);
        const bool is_same = !launches_.empty() && launches_.back().id == fresh.id && launches_.back().kernel == fresh.kernel &&
                             launches_.back().grid == fresh.grid && launches_.back().block == fresh.block;
        if (!is_same) launches_.push_back(std::move(fresh));
        const std::string unit = header_->field(record, "Metric Unit");
        set(launches_.back(), metric_of_label(label, unit), unit, header_->field(record, header_->value_column()));
    }

    void add_row(const CsvRecord& record) {
        launches_.push_back(launch_of(record));
        for (std::size_t i = 0; i < record.fields.size(); ++i) {
            if (!header_->is_value(i)) continue;
            set(launches_.back(), header_->columns()[i], i < units_.size() ? units_[i] : "", record.fields[i]);
        }
    }

    Launch launch_of(const CsvRecord& record) const {
        Launch launch;
        launch.id = header_->field(record, "ID");
        launch.kernel = header_->field(record, "Kernel Name");
        launch.grid = parse_shape(header_->field(record, "Grid Size"));
        launch.block = parse_shape(header_->field(record, "Block Size"));
        launch.invocations = static_cast<std::uint64_t>(parse_number(header_->field(record, "Invocations"), decimal_mark_).value_or(1));
        return launch;
    }

    void set(Launch& launch, const std::string& name, std::string_view unit, const std::string& value) const {
        if (const auto number = parse_number(value, decimal_mark_)) {
            launch.counters[name] = *number * factor_to_base(unit);
        } else if (!value.empty() && value != "n/a" && value != "nan" && value != "-nan" && value != "inf") {
            launch.texts[name] = value;
        }
    }

    std::string file_;
    char decimal_mark_ = '.';
    std::optional<Header> header_;
    std::vector<std::string> units_;  // by column, of the raw page
    std::vector<Launch> launches_;
};

// Begin of the first line that is a table's header; what the profiled program printed stands before it.
struct TableStart {
    std::size_t offset = 0;
    std::uint32_t line = 1;
};
std::optional<TableStart> find_table(std::string_view text) {
    TableStart start;
    while (start.offset < text.size()) {
        const std::size_t end = std::min(text.find('\n', start.offset), text.size());
        const std::string_view line = text.substr(start.offset, end - start.offset);
        const bool begins = line.starts_with("\"ID\"") || line.starts_with("ID,") || line.starts_with("\"Process ID\"") || line.starts_with("Process ID,");
        if (begins && line.find("Kernel Name") != std::string_view::npos) return start;
        start.offset = end + 1;
        ++start.line;
    }
    return std::nullopt;
}

}  // namespace

std::string error_in(std::string_view output) {
    constexpr std::string_view kMark = "==ERROR== ";
    std::string errors;
    for (std::size_t place = output.find(kMark); place != std::string_view::npos; place = output.find(kMark, place)) {
        place += kMark.size();
        errors += fmt::format("{}{}", errors.empty() ? "" : " ", output.substr(place, output.find_first_of("\r\n", place) - place));
    }
    return errors;
}

Result<std::vector<Launch>> parse_report(std::string_view text, const std::string& file) {
    const auto start = find_table(text);
    if (!start) {
        if (const std::string error = error_in(text); !error.empty()) return environment_error("ncu: " + error, "Profile again; see docs/gpu.md.");
        if (text.find('\0') != std::string_view::npos) {
            return user_error("this is no CSV but a binary file", {file, 1, 0}, "A report of Nsight Compute is told by its name: FILE.ncu-rep.");
        }
        return user_error("there is no table of Nsight Compute in it: no line begins with \"ID\" and names a column \"Kernel Name\"", {file, 1, 0}, kExport);
    }
    const auto records = read_csv(text.substr(start->offset), start->line, file);
    if (!records) return tl::make_unexpected(records.error());
    return ReportReader(file).read(*records);
}

}  // namespace optiml::gpu::nsight
