#include "emulator/execution/handlers.h"

namespace optiml::emulator {

using ptx::Opcode;
using ptx::Space;

Handler find_handler(const ptx::Instruction& instruction) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    switch (instruction.opcode) {
        case Opcode::bra: return handlers::branch;
        case Opcode::brx_idx: return handlers::branch_indexed;
        case Opcode::ret: return handlers::return_from;
        case Opcode::exit: return handlers::exit_thread;
        case Opcode::trap: case Opcode::brkpt: return handlers::trap;
        case Opcode::nanosleep: return handlers::sleep;
        case Opcode::prefetch: case Opcode::prefetchu: case Opcode::discard: case Opcode::applypriority: case Opcode::pmevent:
        case Opcode::setmaxnreg: case Opcode::griddepcontrol: return handlers::nothing;
        case Opcode::cvta: return handlers::convert_address;
        case Opcode::isspacep: return handlers::is_space;
        case Opcode::ld: case Opcode::ldu: return modifiers.space == Space::param ? handlers::load_parameter : handlers::load;
        case Opcode::st: return modifiers.space == Space::param ? handlers::store_parameter : handlers::store;
        case Opcode::atom: case Opcode::red: return handlers::atomic;
        case Opcode::tex: case Opcode::tld4: return is_emulated_fetch(instruction) ? handlers::fetch_texture : nullptr;
        case Opcode::suld: case Opcode::sust: return is_emulated_surface_access(instruction) ? handlers::access_surface : nullptr;
        case Opcode::membar: case Opcode::fence: return handlers::fence;
        case Opcode::shfl_sync: return handlers::shuffle;
        case Opcode::vote_sync: return handlers::vote;
        case Opcode::match_sync: return handlers::match;
        case Opcode::redux_sync: return handlers::reduce_lanes;
        case Opcode::elect_sync: return handlers::elect;
        case Opcode::activemask: return handlers::active_mask;
        case Opcode::bar_warp_sync: return handlers::warp_barrier;
        case Opcode::wmma_load: return handlers::load_matrix;
        case Opcode::wmma_store: return handlers::store_matrix;
        case Opcode::ldmatrix: return handlers::load_matrix_rows;
        case Opcode::stmatrix: return handlers::store_matrix_rows;
        case Opcode::wmma_mma: case Opcode::mma_sync: return handlers::multiply_matrices;
        case Opcode::cp_async: return handlers::copy_async;
        case Opcode::cp_async_commit_group: return handlers::commit_copies;
        case Opcode::cp_async_wait_group: case Opcode::cp_async_wait_all: return handlers::wait_for_copies;
        case Opcode::mbarrier_init: case Opcode::mbarrier_inval: return handlers::set_up_mbarrier;
        case Opcode::mbarrier_arrive: case Opcode::cp_async_mbarrier_arrive: return handlers::arrive_at_mbarrier;
        case Opcode::mbarrier_test_wait: case Opcode::mbarrier_try_wait: return handlers::test_mbarrier;
        case Opcode::call: return handlers::call;
        case Opcode::bar_sync: case Opcode::bar_red: case Opcode::bar_arrive: return handlers::barrier_sync;
        default: return nullptr;
    }
}

}  // namespace optiml::emulator
