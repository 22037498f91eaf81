#include "evaluation/recording.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace optiml::evaluation {
namespace {

// Ordered: a buffer's place in its object decides its values.
using Json = nlohmann::ordered_json;

tl::unexpected<Error> unreadable(const Json::exception& error) {
    return user_error(fmt::format("not a description of a kernel run: {}", error.what()));
}

void set_default(Json& object, const char* key, Json value) {
    if (!object.contains(key)) object[key] = std::move(value);
}

// Whole numbers as such, as in the recordings there are.
Json number(double value) {
    constexpr double kExact = 9007199254740992;  // 2^53
    if (value == std::floor(value) && std::abs(value) < kExact) return static_cast<std::int64_t>(value);
    return value;
}

std::string id_of(const std::string& line) {
    const Json entry = Json::parse(line, nullptr, false);
    return entry.is_object() ? entry.value("id", "") : "";
}

bool is_of_times_alone(const std::string& line) {
    const Json entry = Json::parse(line, nullptr, false);
    return entry.is_object() && entry.contains("no_counters_because");
}

// What is wrong with the measurement; empty: nothing.
std::string fault_of(const MeasuredEntry& measured) {
    for (const double time : {measured.cold_ms, measured.warm_ms}) {
        if (!std::isfinite(time) || time <= 0) return fmt::format("{} ms is no time", time);
    }
    for (const MeasuredLaunch& launch : measured.launches) {
        if (launch.counters.empty() && measured.no_counters_because.empty()) return "a launch without counters";
        for (const auto& [name, value] : launch.counters) {
            if (!std::isfinite(value)) return fmt::format("{} is {}", name, value);
        }
    }
    return "";
}

void write_launch(Json& launch, const MeasuredLaunch& measured) {
    std::vector<std::string> old;
    for (const auto& [name, value] : launch.items()) {
        if (name.starts_with("launch__")) old.push_back(name);
    }
    for (const std::string& name : old) launch.erase(name);
    launch.erase("counters");
    for (const auto& [name, value] : measured.properties) launch[name] = number(value);
    Json counters = Json::object();
    for (const auto& [name, value] : measured.counters) counters[name] = number(value);
    launch["counters"] = std::move(counters);
}

}  // namespace

std::vector<std::string> filled_lines_of(std::string_view text) {
    std::vector<std::string> lines;
    for (const std::string_view line : lines_of(text)) {
        if (!trimmed(line).empty()) lines.emplace_back(line);
    }
    return lines;
}

Result<RecordedEntry> described_entry(const std::string& line) {
    Json entry = Json::parse(line, nullptr, false);
    if (!entry.is_object()) return user_error("not a description of a kernel run: no JSON object");
    for (const char* figure : {"cold_ms", "warm_ms"}) set_default(entry, figure, 0);
    for (const char* list : {"registers", "local_bytes"}) set_default(entry, list, Json::array());
    if (entry.contains("launches") && entry["launches"].is_array()) {
        for (Json& launch : entry["launches"]) {
            if (launch.is_object()) set_default(launch, "counters", Json::object());
        }
    }
    auto entries = read_recordings(entry.dump(), "");
    if (!entries) return tl::make_unexpected(entries.error());
    return std::move(entries->front());
}

Result<std::string> recorded_line(const std::string& line, const MeasuredEntry& measured) {
    if (const std::string fault = fault_of(measured); !fault.empty()) return environment_error("the measurement failed: " + fault);
    try {
        Json entry = Json::parse(line);
        Json& launches = entry.at("launches");
        if (launches.size() != measured.launches.size()) {
            return internal_error(fmt::format("{} launches were measured, the entry has {}", measured.launches.size(), launches.size()));
        }
        entry["cold_ms"] = measured.cold_ms;
        entry["warm_ms"] = measured.warm_ms;
        Json registers = Json::array(), local_bytes = Json::array();
        for (std::size_t i = 0; i < launches.size(); ++i) {
            registers.push_back(measured.launches[i].registers);
            local_bytes.push_back(measured.launches[i].local_bytes);
            write_launch(launches[i], measured.launches[i]);
        }
        entry["registers"] = std::move(registers);
        entry["local_bytes"] = std::move(local_bytes);
        entry.erase("no_counters_because");
        if (!measured.no_counters_because.empty()) entry["no_counters_because"] = measured.no_counters_because;
        return entry.dump();
    } catch (const Json::exception& error) {
        return unreadable(error);
    }
}

std::string merged_recording(const std::vector<std::string>& lines, const std::vector<std::string>& recorded) {
    std::vector<std::string> merged = lines;
    for (const std::string& line : recorded) {
        const auto old = std::find_if(merged.begin(), merged.end(), [id = id_of(line)](const std::string& other) { return id_of(other) == id; });
        if (old == merged.end()) {
            merged.push_back(line);
        } else if (is_of_times_alone(*old) || !is_of_times_alone(line)) {
            *old = line;
        }
    }
    std::string text;
    for (const std::string& line : merged) text += line + "\n";
    return text;
}

}  // namespace optiml::evaluation
