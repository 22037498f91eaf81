#include "cuda_source/presburger.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/val.h>

namespace optiml::cuda_source {
namespace {

struct FreeSet {
    void operator()(isl_set* set) const { isl_set_free(set); }
};
using Set = std::unique_ptr<isl_set, FreeSet>;

Set read(isl_ctx* context, const std::string& text) { return Set(isl_set_read_from_str(context, text.c_str())); }

std::optional<std::int64_t> number(isl_val* value) {
    std::optional<std::int64_t> result;
    if (value != nullptr && isl_val_is_int(value) == isl_bool_true && isl_val_get_num_si(value) < INT32_MAX) {
        result = isl_val_get_num_si(value);
    }
    isl_val_free(value);
    return result;
}

}  // namespace

std::string System::text(const std::vector<std::string>& tuple) const {
    std::string condition;
    for (const std::string& constraint : constraints)
        condition += fmt::format("{}({})", condition.empty() ? "" : " and ", constraint);
    if (condition.empty()) condition = "1 = 1";
    std::vector<std::string> outputs;
    std::vector<std::string> bound = variables;
    for (std::size_t i = 0; i < tuple.size(); ++i) {
        outputs.push_back(fmt::format("value{}", i));
        condition += fmt::format(" and (value{} = {})", i, tuple[i]);
    }
    const std::string exists = variables.empty() ? condition : fmt::format("exists ({} : {})", fmt::join(bound, ", "), condition);
    return fmt::format("[{}] -> {{ [{}] : {} }}", fmt::join(parameters, ", "), fmt::join(outputs, ", "), exists);
}

void Presburger::Free::operator()(isl_ctx* context) const { isl_ctx_free(context); }

Presburger::Presburger(unsigned long most_operations) : context_(isl_ctx_alloc()) {
    isl_options_set_on_error(context_.get(), ISL_ON_ERROR_CONTINUE);  // never print, never abort
    isl_ctx_set_max_operations(context_.get(), most_operations);
}

Presburger::~Presburger() = default;

void Presburger::restart() {
    isl_ctx_reset_error(context_.get());
    isl_ctx_reset_operations(context_.get());
}

Verdict Presburger::decide(const System& system) {
    restart();
    const Set set = read(context_.get(), system.text({}));
    if (!set) return Verdict::unknown;
    const isl_bool empty = isl_set_is_empty(set.get());
    if (empty == isl_bool_error) return Verdict::unknown;
    return empty == isl_bool_true ? Verdict::empty : Verdict::inhabited;
}

std::optional<std::int64_t> Presburger::fixed_value(const System& system, const std::string& expression) {
    restart();
    Set set = read(context_.get(), system.text({expression}));
    if (!set) return std::nullopt;
    const unsigned parameters = static_cast<unsigned>(system.parameters.size());
    set.reset(isl_set_project_out(set.release(), isl_dim_param, 0, parameters));
    if (!set || isl_set_is_empty(set.get()) != isl_bool_false) return std::nullopt;
    set.reset(isl_set_coalesce(isl_set_detect_equalities(set.release())));
    if (!set || isl_set_is_singleton(set.get()) != isl_bool_true) return std::nullopt;
    isl_point* point = isl_set_sample_point(set.release());
    const std::optional<std::int64_t> value = number(isl_point_get_coordinate_val(point, isl_dim_set, 0));
    isl_point_free(point);
    return value;
}

std::optional<std::int64_t> Presburger::count(const System& system, const std::vector<std::string>& tuple) {
    if (!system.parameters.empty()) return std::nullopt;
    restart();
    const Set set = read(context_.get(), system.text(tuple));
    if (!set || isl_set_is_bounded(set.get()) != isl_bool_true) return std::nullopt;
    return number(isl_set_count_val(set.get()));
}

}  // namespace optiml::cuda_source
