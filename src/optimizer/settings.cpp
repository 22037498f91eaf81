#include "optimizer/settings.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "task/resolved.h"

namespace optiml::optimizer {
namespace {

double seconds_of(std::string_view unit) {
    if (unit == "s") return 1;
    if (unit == "m") return 60;
    if (unit == "h") return 3600;
    return 0;
}

// False: not a limit, or a second one of its kind.
bool add_limit(std::string_view text, Budget& budget) {
    double amount = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), amount);
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    if (code != std::errc() || amount <= 0 || !std::isfinite(amount)) return false;
    if (unit.empty()) {
        if (budget.evaluations || amount != std::floor(amount) || amount > 1e9) return false;
        budget.evaluations = static_cast<std::uint64_t>(amount);
        return true;
    }
    if (budget.seconds || seconds_of(unit) == 0) return false;
    budget.seconds = amount * seconds_of(unit);
    return true;
}

}  // namespace

Result<task::Sizes> timing_sizes(const task::Task& task, const TaskChoice& choice) {
    const bool small = choice.size_set == "small";
    if (!small && !choice.size_set.empty() && choice.size_set != "large") {
        return user_error(fmt::format("there is no set of sizes '{}'", choice.size_set), {}, "Choose small or large.");
    }
    Result<task::Sizes> sizes = task::with_overrides(task, small ? task.small_sizes() : task.large_sizes(), choice.sizes);
    if (!sizes) return sizes;
    if (const auto plan = task::resolve(task, task.plan, *sizes); !plan) return tl::make_unexpected(plan.error());
    return sizes;
}

Result<Budget> parse_budget(std::string_view text) {
    const std::size_t comma = text.find(',');
    Budget budget;
    const bool is_budget =
        add_limit(text.substr(0, comma), budget) && (comma == std::string_view::npos || add_limit(text.substr(comma + 1), budget));
    if (is_budget) return budget;
    return user_error(fmt::format("'{}' is no budget", text), {},
                      "Give a number of evaluations (200), a time (60s, 2m, 1h), or both (200,60s).");
}

std::string to_json(const Settings& settings) {
    nlohmann::json json = {
        {"kernel_file", settings.choice.kernel_file},
        {"task_file", settings.choice.task_file},
        {"kernel", settings.choice.kernel},
        {"size_set", settings.choice.size_set},
        {"reference", settings.choice.reference},
        {"sizes", settings.choice.sizes},
        {"device", settings.device},
        {"seed", settings.seed},
        {"search", settings.search},
        {"out", settings.out},
        {"task_digest", settings.task_digest},
        {"profiler", settings.gpu.profiler},
        {"beyond_31_bit", settings.gpu.beyond_31_bit},
    };
    if (settings.budget.evaluations) json["evaluations"] = *settings.budget.evaluations;
    if (settings.budget.seconds) json["seconds"] = *settings.budget.seconds;
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);  // names of files may be any bytes
}

Result<Settings> settings_from_json(std::string_view text) {
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        Settings settings;
        json.at("kernel_file").get_to(settings.choice.kernel_file);
        json.at("task_file").get_to(settings.choice.task_file);
        json.at("kernel").get_to(settings.choice.kernel);
        json.at("size_set").get_to(settings.choice.size_set);
        json.at("sizes").get_to(settings.choice.sizes);
        settings.choice.reference = json.value("reference", "");  // runs of older versions have none
        json.at("device").get_to(settings.device);
        json.at("seed").get_to(settings.seed);
        json.at("search").get_to(settings.search);
        json.at("out").get_to(settings.out);
        json.at("task_digest").get_to(settings.task_digest);
        settings.gpu.profiler = json.value("profiler", settings.gpu.profiler);
        settings.gpu.beyond_31_bit = json.value("beyond_31_bit", false);
        settings.budget = {};
        if (json.contains("evaluations")) settings.budget.evaluations = json["evaluations"].get<std::uint64_t>();
        if (json.contains("seconds")) settings.budget.seconds = json["seconds"].get<double>();
        return settings;
    } catch (const nlohmann::json::exception& exception) {
        return internal_error(std::string("the stored settings of the run cannot be read: ") + exception.what());
    }
}

}  // namespace optiml::optimizer
