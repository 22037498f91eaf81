#pragma once
// What executes the instructions that do more than compute, by topic. Each handler runs one operation for the lanes in `active`,
// which are lanes of the current path whose guard holds; only `branch` is called when there are none.

#include "emulator/execution/operation.h"

namespace optiml::emulator {

// The handler of an instruction that has no lane function; nullptr: it is not emulated.
Handler find_handler(const ptx::Instruction& instruction);

// Whether a tex or tld4 is of a form that fetch_texture executes.
bool is_emulated_fetch(const ptx::Instruction& instruction);
// The same for suld or sust and access_surface.
bool is_emulated_surface_access(const ptx::Instruction& instruction);

namespace handlers {

// control_flow.cpp
Flow branch(Executor&, const Operation&, LaneMask);
Flow branch_indexed(Executor&, const Operation&, LaneMask);
Flow return_from(Executor&, const Operation&, LaneMask);
Flow exit_thread(Executor&, const Operation&, LaneMask);
Flow trap(Executor&, const Operation&, LaneMask);
Flow sleep(Executor&, const Operation&, LaneMask);
Flow nothing(Executor&, const Operation&, LaneMask);
Flow not_emulated(Executor&, const Operation&, LaneMask);
Flow needs_cooperative_launch(Executor&, const Operation&, LaneMask);

// addresses.cpp
Flow convert_address(Executor&, const Operation&, LaneMask);
Flow is_space(Executor&, const Operation&, LaneMask);

// load_store.cpp
Flow load(Executor&, const Operation&, LaneMask);
Flow store(Executor&, const Operation&, LaneMask);
Flow load_parameter(Executor&, const Operation&, LaneMask);
Flow store_parameter(Executor&, const Operation&, LaneMask);

// textures/texture_fetch.cpp, textures/surface_access.cpp
Flow fetch_texture(Executor&, const Operation&, LaneMask);
Flow access_surface(Executor&, const Operation&, LaneMask);

// fences.cpp
Flow fence(Executor&, const Operation&, LaneMask);

// atomics.cpp
Flow atomic(Executor&, const Operation&, LaneMask);

// cross_lane.cpp
Flow shuffle(Executor&, const Operation&, LaneMask);
Flow vote(Executor&, const Operation&, LaneMask);
Flow match(Executor&, const Operation&, LaneMask);
Flow reduce_lanes(Executor&, const Operation&, LaneMask);
Flow elect(Executor&, const Operation&, LaneMask);
Flow active_mask(Executor&, const Operation&, LaneMask);
Flow warp_barrier(Executor&, const Operation&, LaneMask);

// matrices/matrix_memory.cpp, matrices/matrix_moves.cpp, matrices/matrix_multiply.cpp
Flow load_matrix(Executor&, const Operation&, LaneMask);
Flow store_matrix(Executor&, const Operation&, LaneMask);
Flow load_matrix_rows(Executor&, const Operation&, LaneMask);
Flow store_matrix_rows(Executor&, const Operation&, LaneMask);
Flow multiply_matrices(Executor&, const Operation&, LaneMask);

// async_copies.cpp
Flow copy_async(Executor&, const Operation&, LaneMask);
Flow commit_copies(Executor&, const Operation&, LaneMask);
Flow wait_for_copies(Executor&, const Operation&, LaneMask);

// mbarriers.cpp
Flow set_up_mbarrier(Executor&, const Operation&, LaneMask);
Flow arrive_at_mbarrier(Executor&, const Operation&, LaneMask);
Flow test_mbarrier(Executor&, const Operation&, LaneMask);

// calls.cpp
Flow call(Executor&, const Operation&, LaneMask);

// barriers.cpp
Flow barrier_sync(Executor&, const Operation&, LaneMask);

}  // namespace handlers
}  // namespace optiml::emulator
