#include "ptx/special_registers.h"

#include <iterator>

namespace optiml::ptx {
namespace {

// In the order of enum SpecialRegister.
constexpr std::string_view kNames[] = {
    "%tid.x", "%tid.y", "%tid.z", "%ntid.x", "%ntid.y", "%ntid.z", "%ctaid.x", "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y",
    "%nctaid.z", "%laneid", "%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid", "%lanemask_eq", "%lanemask_le", "%lanemask_lt",
    "%lanemask_ge", "%lanemask_gt", "%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi",
    "%dynamic_smem_size", "%total_smem_size", "%envreg1", "%envreg2", "%reserved_smem_offset_1", "%clusterid.x", "%clusterid.y",
    "%clusterid.z", "%nclusterid.x", "%nclusterid.y", "%nclusterid.z", "%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z",
    "%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z", "%cluster_ctarank", "%cluster_nctarank", "WARP_SZ"};
static_assert(std::size(kNames) == static_cast<std::size_t>(SpecialRegister::unknown));

constexpr std::string_view kWithoutMeaning[] = {"%pm",     "%envreg",  "%reserved_smem_offset_", "%is_explicit_cluster",
                                                "%aggr_smem_size", "%current_graph_exec"};

}  // namespace

std::optional<SpecialRegister> find_special_register(std::string_view name) {
    for (std::size_t i = 0; i < std::size(kNames); ++i) {
        if (kNames[i] == name) return static_cast<SpecialRegister>(i);
    }
    for (const std::string_view prefix : kWithoutMeaning) {
        if (name.starts_with(prefix)) return SpecialRegister::unknown;
    }
    return std::nullopt;
}

std::string_view name_of(SpecialRegister special) {
    return special < SpecialRegister::unknown ? kNames[static_cast<std::size_t>(special)] : "unknown";
}

}  // namespace optiml::ptx
