#include "emulator/checks/order_effects.h"

#include <bit>

#include "emulator/checks/publications.h"

namespace optiml::emulator {
namespace {

template <class Act>
void for_each_place(const Executor& executor, const Request& request, Act act) {
    std::uint64_t last = 0;
    for (LaneMask rest = request.active; rest != 0; rest &= rest - 1) {
        const std::uint64_t address = request.addresses[std::countr_zero(rest)];
        const std::uint64_t place =
            request.space == ptx::Space::shared ? Publications::place_in_shared(executor.block().run_index, address) : address;
        if (place != last) act(place);
        last = place;
    }
}

bool releases_itself(ptx::MemoryOrder order) {
    return order == ptx::MemoryOrder::release || order == ptx::MemoryOrder::acq_rel || order == ptx::MemoryOrder::sc;
}

}  // namespace

void see_releases(Executor& executor, const Operation& operation, const Request& request) {
    Publications* publications = executor.state().publications.get();
    if (publications == nullptr || operation.memory.strength == AccessStrength::weak) return;
    for_each_place(executor, request, [&](std::uint64_t place) { publications->read(executor.warp(), place); });
}

void release(Executor& executor, const Operation& operation, const Request& request) {
    Publications* publications = executor.state().publications.get();
    if (publications == nullptr || operation.memory.strength == AccessStrength::weak) return;
    const ptx::Modifiers& modifiers = operation.instruction->modifiers;
    if (releases_itself(modifiers.order))
        publications->fence(executor.block(), executor.warp(), modifiers.scope == ptx::Scope::cta);
    const bool update = operation.memory.kind == AccessKind::atomic || operation.memory.kind == AccessKind::reduction;
    for_each_place(executor, request,
                   [&](std::uint64_t place) { publications->write(executor.block(), executor.warp(), place, update); });
}

}  // namespace optiml::emulator
