#include "cuda_source/builtins.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace optiml::cuda_source {
namespace {

struct Rule {
    std::string_view prefix;
    CallEffect effect;
};

// The first rule whose prefix the name has decides.
constexpr Rule rules[] = {
    {"__syncthreads", CallEffect::barrier},
    {"__barrier_sync", CallEffect::barrier},
    {"__threadfence", CallEffect::barrier},
    {"__syncwarp", CallEffect::warp},
    {"__shfl", CallEffect::warp},
    {"__all_sync", CallEffect::warp},
    {"__any_sync", CallEffect::warp},
    {"__uni_sync", CallEffect::warp},
    {"__ballot_sync", CallEffect::warp},
    {"__activemask", CallEffect::warp},
    {"__match_", CallEffect::warp},
    {"__reduce_", CallEffect::warp},
    {"atomic", CallEffect::atomic},
    {"__ldg", CallEffect::load},
    {"__ldc", CallEffect::load},
    {"__ldlu", CallEffect::load},
    {"__stwb", CallEffect::store},
    {"__stcg", CallEffect::store},
    {"__stcs", CallEffect::store},
    {"__stwt", CallEffect::store},
    {"__nanosleep", CallEffect::unknown},
    {"__trap", CallEffect::unknown},
    {"__brkpt", CallEffect::unknown},
    {"__prof_trigger", CallEffect::unknown},
    {"__assert_fail", CallEffect::unknown},
    {"clock", CallEffect::unknown},
    {"malloc", CallEffect::unknown},
    {"free", CallEffect::unknown},
    {"printf", CallEffect::unknown},
    {"sincos", CallEffect::outputs},
    {"__sincosf", CallEffect::outputs},
    {"frexp", CallEffect::outputs},
    {"modf", CallEffect::outputs},
    {"remquo", CallEffect::outputs},
    {"norm", CallEffect::outputs},
    {"rnorm", CallEffect::outputs},
    {"memcpy", CallEffect::outputs},
    {"memset", CallEffect::outputs},
    {"__cvta_", CallEffect::outputs},
    {"nan", CallEffect::none},
    {"__pipeline_", CallEffect::unknown},
    {"surf", CallEffect::unknown},  // surfaces are read and written
    {"coalesced_threads", CallEffect::warp},
};

// Functions and members of cooperative groups, barriers and pipelines.
constexpr std::string_view group_barriers[] = {"sync", "wait", "wait_prior"};
constexpr std::string_view group_collectives[] = {"reduce", "inclusive_scan", "exclusive_scan", "labeled_partition",
                                                  "binary_partition"};
constexpr std::string_view barrier_members[] = {"sync", "wait", "arrive", "arrive_and_wait", "barrier_wait", "barrier_arrive"};
constexpr std::string_view warp_members[] = {"shfl", "shfl_up", "shfl_down", "shfl_xor", "any",
                                             "all",  "ballot",  "match_any", "match_all"};
constexpr std::string_view pure_members[] = {"thread_rank", "size",         "num_threads", "meta_group_rank", "meta_group_size",
                                             "group_index", "thread_index", "block_rank",  "num_blocks"};

template <std::size_t n>
bool contains(const std::string_view (&names)[n], std::string_view name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

CallEffect effect_of_builtin(const Expression& call) {
    const std::string_view name = call.name;
    if (call.kind == ExpressionKind::member_call) {
        if (contains(barrier_members, name)) return CallEffect::barrier;
        if (contains(warp_members, name)) return CallEffect::warp;
        return contains(pure_members, name) ? CallEffect::none : CallEffect::unknown;
    }
    if (contains(group_barriers, name)) return CallEffect::barrier;
    if (contains(group_collectives, name)) return CallEffect::warp;
    for (const Rule& rule : rules) {
        if (name.starts_with(rule.prefix)) return rule.effect;
    }
    return call.takes_values_only ? CallEffect::none : CallEffect::unknown;
}

}  // namespace optiml::cuda_source
