#include "evaluation/calibration_set.h"

#include <cstring>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace optiml::evaluation {
namespace {

using nlohmann::json;

template <class T>
std::vector<std::uint8_t> bytes_of(T value) {
    std::vector<std::uint8_t> bytes(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
}

std::vector<std::uint8_t> scalar_bytes(const std::string& type, const json& value) {
    if (type == "i32") return bytes_of(value.get<std::int32_t>());
    if (type == "u32") return bytes_of(value.get<std::uint32_t>());
    if (type == "i64") return bytes_of(value.get<std::int64_t>());
    if (type == "u64") return bytes_of(value.get<std::uint64_t>());
    if (type == "f32") return bytes_of(value.get<float>());
    if (type == "f64") return bytes_of(value.get<double>());
    throw json::type_error::create(302, "unknown scalar type " + type, &value);
}

RecordedBuffer parse_buffer(const std::string& name, const json& from) {
    RecordedBuffer buffer;
    buffer.name = name;
    buffer.type = from.at("type");
    buffer.count = from.at("count");
    buffer.fill = from.at("fill");
    buffer.zero_before_each = from.value("zero_before_each", false);
    return buffer;
}

std::uint32_t buffer_index(const RecordedEntry& entry, const std::string& name) {
    for (std::uint32_t i = 0; i < entry.buffers.size(); ++i) {
        if (entry.buffers[i].name == name) return i;
    }
    throw json::out_of_range::create(403, "no buffer named " + name, nullptr);
}

RecordedLaunch parse_launch(const json& from, const RecordedEntry& entry) {
    RecordedLaunch launch;
    launch.index = from.at("index");
    launch.kernel = from.at("kernel");
    launch.grid = from.at("grid");
    launch.block = from.at("block");
    launch.dynamic_shared = from.at("shared");
    for (const json& argument : from.at("args")) {
        const std::string type = argument.at(0);
        if (type == "b") {
            launch.arguments.emplace_back(buffer_index(entry, argument.at(1)));
        } else {
            launch.arguments.emplace_back(scalar_bytes(type, argument.at(1)));
        }
    }
    for (const auto& [name, value] : from.items()) {
        if (name.starts_with("launch__")) launch.counters[name] = value;
    }
    for (const auto& [name, value] : from.at("counters").items()) {
        if (value.is_number()) launch.counters[name] = value;
    }
    return launch;
}

// Registers and local bytes are given a launch, in the order of `launches` or of all of them.
std::uint32_t per_launch(const json& values, std::size_t position, std::uint32_t index) {
    if (values.empty()) return 0;
    const std::size_t at = index < values.size() ? index : position;
    return values.at(std::min(at, values.size() - 1));
}

RecordedEntry parse_entry(const std::string& line) {
    // Ordered, since a buffer's number (its place in the object) decides its values.
    const auto from = nlohmann::ordered_json::parse(line);
    RecordedEntry entry;
    entry.id = from.at("id");
    entry.family = from.at("family");
    entry.size = from.at("size");
    entry.variant = entry.id.substr(0, entry.id.find('@'));
    entry.file = from.at("file");
    entry.affine = from.at("affine");
    entry.cold_ms = from.at("cold_ms");
    entry.warm_ms = from.at("warm_ms");
    entry.launch_count = from.at("launch_count");
    entry.no_counters_because = from.value("no_counters_because", "");
    for (const auto& [name, buffer] : from.at("buffers").items()) entry.buffers.push_back(parse_buffer(name, json(buffer)));
    const json registers(from.at("registers"));
    const json local_bytes(from.at("local_bytes"));
    for (const auto& launch : from.at("launches")) {
        RecordedLaunch parsed = parse_launch(json(launch), entry);
        parsed.registers = per_launch(registers, entry.launches.size(), parsed.index);
        parsed.local_bytes = per_launch(local_bytes, entry.launches.size(), parsed.index);
        entry.launches.push_back(std::move(parsed));
    }
    return entry;
}

}  // namespace

Result<std::vector<RecordedEntry>> read_recordings(std::string_view json_lines, const std::string& file) {
    std::vector<RecordedEntry> entries;
    std::uint32_t number = 0;
    for (const std::string_view line : lines_of(json_lines)) {
        ++number;
        if (trimmed(line).empty()) continue;
        try {
            entries.push_back(parse_entry(std::string(line)));
        } catch (const json::exception& error) {
            return user_error(fmt::format("not a recorded kernel run: {}", error.what()), {file, number, 0});
        }
    }
    return entries;
}

}  // namespace optiml::evaluation
