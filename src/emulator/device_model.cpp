#include "emulator/device_model.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "emulator/device_files.h"

namespace optiml::emulator {
namespace {

SourceLocation place_of(const toml::source_region& source, const std::string& file) {
    return {file, static_cast<std::uint32_t>(source.begin.line), static_cast<std::uint32_t>(source.begin.column)};
}

// Every limit by its key, so that a key which is missing or unknown is noticed.
std::map<std::string_view, std::function<void(std::uint64_t)>> limit_setters(DeviceModel& model) {
    const auto set = [](auto& field) {
        return [&field](std::uint64_t value) { field = static_cast<std::remove_reference_t<decltype(field)>>(value); };
    };
    return {
        {"sm_count", set(model.sm_count)},
        {"max_threads_per_block", set(model.max_threads_per_block)},
        {"max_block_x", set(model.max_block_x)},
        {"max_block_y", set(model.max_block_y)},
        {"max_block_z", set(model.max_block_z)},
        {"max_grid_x", set(model.max_grid_x)},
        {"max_grid_y", set(model.max_grid_y)},
        {"max_grid_z", set(model.max_grid_z)},
        {"max_threads_per_sm", set(model.max_threads_per_sm)},
        {"max_blocks_per_sm", set(model.max_blocks_per_sm)},
        {"registers_per_sm", set(model.registers_per_sm)},
        {"register_allocation_unit", set(model.register_allocation_unit)},
        {"max_registers_per_thread", set(model.max_registers_per_thread)},
        {"shared_per_sm", set(model.shared_per_sm)},
        {"shared_per_block", set(model.shared_per_block)},
        {"shared_per_block_default", set(model.shared_per_block_default)},
        {"shared_reserved_per_block", set(model.shared_reserved_per_block)},
        {"shared_allocation_unit", set(model.shared_allocation_unit)},
        {"l1_bytes", set(model.l1_bytes)},
        {"l2_bytes", set(model.l2_bytes)},
        {"memory_bytes", set(model.memory_bytes)},
    };
}

Status read_shared_configurations(const toml::node& node, const std::string& file, DeviceModel& model) {
    const toml::array* values = node.as_array();
    if (values == nullptr) return user_error("'shared_configurations' must be a list of bytes", place_of(node.source(), file));
    for (const toml::node& value : *values) {
        const auto bytes = value.value_exact<std::int64_t>();
        if (!bytes || *bytes < 0) return user_error("a shared-memory size must be a whole number of bytes", place_of(value.source(), file));
        model.shared_configurations.push_back(static_cast<std::uint32_t>(*bytes));
    }
    std::sort(model.shared_configurations.begin(), model.shared_configurations.end());
    return {};
}

Status read_limits(const toml::table& limits, const std::string& file, DeviceModel& model) {
    auto setters = limit_setters(model);
    for (const auto& [key, node] : limits) {
        if (key.str() == "shared_configurations") {
            if (Status status = read_shared_configurations(node, file, model); !status) return status;
            continue;
        }
        const auto setter = setters.find(key.str());
        if (setter == setters.end()) return user_error(fmt::format("unknown limit '{}'", key.str()), place_of(key.source(), file));
        const auto value = node.value_exact<std::int64_t>();
        if (!value || *value <= 0) {
            return user_error(fmt::format("'{}' must be a positive whole number", key.str()), place_of(node.source(), file));
        }
        setter->second(static_cast<std::uint64_t>(*value));
        setters.erase(setter);
    }
    if (!setters.empty()) {
        return user_error(fmt::format("limit '{}' is missing", setters.begin()->first), place_of(limits.source(), file));
    }
    return {};
}

Status read_parameters(const toml::table& parameters, const std::string& file, DeviceModel& model) {
    for (const auto& [key, node] : parameters) {
        const auto value = node.value<double>();
        if (!value) return user_error(fmt::format("'{}' must be a number", key.str()), place_of(node.source(), file));
        model.parameters.emplace(std::string(key.str()), *value);
    }
    return {};
}

// CUDA C++ Programming Guide, table of technical specifications by compute capability.
struct CapabilityLimits {
    std::uint32_t compute_capability, threads_per_sm, blocks_per_sm, shared_per_sm_kib, shared_per_block_kib;
};
constexpr CapabilityLimits kCapabilityLimits[] = {
    {75, 1024, 16, 64, 64},     {80, 2048, 32, 164, 163},   {86, 1536, 16, 100, 99},    {87, 1536, 16, 164, 163},   {89, 1536, 24, 100, 99},
    {90, 2048, 32, 228, 227},   {100, 2048, 32, 228, 227},  {103, 2048, 32, 228, 227},  {110, 1536, 24, 228, 227},  {120, 1536, 24, 100, 99},
    {121, 1536, 24, 100, 99},
};

// Those of the newest capability that is no newer: what a card after all of these allows is hardly less.
const CapabilityLimits& limits_of(std::uint32_t compute_capability) {
    const CapabilityLimits* found = std::begin(kCapabilityLimits);
    for (const CapabilityLimits& limits : kCapabilityLimits) {
        if (limits.compute_capability <= compute_capability) found = &limits;
    }
    return *found;
}

}  // namespace

double DeviceModel::parameter(std::string_view key) const {
    const auto found = parameters.find(key);
    return found == parameters.end() ? 0 : found->second;
}

std::uint64_t DeviceModel::l1_cache_bytes(std::uint32_t blocks, std::uint32_t shared_bytes) const {
    const std::uint64_t needed = std::uint64_t{blocks} * (shared_bytes + shared_reserved_per_block);
    const auto fits = std::find_if(shared_configurations.begin(), shared_configurations.end(),
                                   [needed](std::uint32_t bytes) { return bytes >= needed; });
    const std::uint64_t set_aside = fits == shared_configurations.end() ? shared_per_sm : *fits;
    return l1_bytes > set_aside ? l1_bytes - set_aside : 0;
}

Result<DeviceModel> parse_device_model(std::string_view text, const std::string& file) {
    toml::table table;
    try {
        table = toml::parse(text, file);
    } catch (const toml::parse_error& error) {
        return user_error(std::string(error.description()), place_of(error.source(), file));
    }
    DeviceModel model;
    const toml::table* limits = table["limits"].as_table();
    const auto name = table["name"].value<std::string>();
    const auto capability = table["compute_capability"].value<std::int64_t>();
    if (limits == nullptr) return user_error("the table [limits] is missing", {file});
    if (!name) return user_error("'name' is missing", {file});
    if (!capability) return user_error("'compute_capability' is missing", {file});
    model.name = *name;
    model.title = table["title"].value_or(*name);
    model.compute_capability = static_cast<std::uint32_t>(*capability);
    if (Status status = read_limits(*limits, file, model); !status) return tl::unexpected(status.error());
    if (const toml::table* parameters = table["parameters"].as_table()) {
        if (Status status = read_parameters(*parameters, file, model); !status) return tl::unexpected(status.error());
    }
    return model;
}

Result<DeviceModel> find_device_model(std::string_view name) {
    for (const DeviceFile& file : device_files()) {
        if (file.name == name) return parse_device_model(file.toml, fmt::format("devices/{}.toml", file.name));
    }
    return user_error(fmt::format("no device model named '{}'", name), {},
                      fmt::format("choose one of {}", fmt::join(device_model_names(), ", ")));
}

Result<DeviceModel> model_of_capability(std::uint32_t compute_capability) {
    const auto distance = [&](const DeviceModel& model) {
        return std::max(model.compute_capability, compute_capability) - std::min(model.compute_capability, compute_capability);
    };
    std::optional<DeviceModel> nearest;
    for (const std::string& name : device_model_names()) {
        auto model = find_device_model(name);
        if (!model) return model;
        if (!nearest || distance(*model) < distance(*nearest)) nearest = std::move(*model);
    }
    if (!nearest) return internal_error("there are no built-in device models");
    if (nearest->compute_capability == compute_capability) return std::move(*nearest);
    const CapabilityLimits& limits = limits_of(compute_capability);
    nearest->name = fmt::format("sm_{}", compute_capability);
    nearest->title = fmt::format("a GPU of compute capability {}.{}", compute_capability / 10, compute_capability % 10);
    nearest->compute_capability = compute_capability;
    nearest->max_threads_per_sm = limits.threads_per_sm;
    nearest->max_blocks_per_sm = limits.blocks_per_sm;
    nearest->shared_per_sm = limits.shared_per_sm_kib * 1024;
    nearest->shared_per_block = limits.shared_per_block_kib * 1024;
    nearest->shared_configurations = {nearest->shared_per_sm};
    return std::move(*nearest);
}

std::vector<std::string> device_model_names() {
    std::vector<std::string> names;
    for (const DeviceFile& file : device_files()) names.emplace_back(file.name);
    return names;
}

}  // namespace optiml::emulator
