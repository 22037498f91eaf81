#pragma once
// How uninitialised bytes travel, and where they are reported.

#include "emulator/execution/executor.h"

namespace optiml::emulator::taint_flow {

// A function begins: registers that it may read before they have a value are uninitialised.
void enter(Executor& executor, Frame& frame, LaneMask lanes);
// Of an instruction that only computes: the destinations' taint from the sources'. Before the instruction runs.
void compute(Executor& executor, const Operation& operation, LaneMask active);
// Of a shuffle: lane l takes the value of lane from[l]; what lanes in `undefined` take is not defined.
void shuffle(Executor& executor, const Operation& operation, LaneMask lanes, const std::array<std::uint32_t, kLanes>& from,
             LaneMask undefined);
// Of an instruction whose result for each lane depends on the source 0 of all.
void combine_lanes(Executor& executor, const Operation& operation, LaneMask lanes);
// The destinations are about to be written with initialised values.
void clear_destinations(Executor& executor, const Operation& operation, LaneMask active);

// Uninitialised bytes decide something: reported.
void reaches_guard(Executor& executor, const Operation& operation, LaneMask lanes);
void reaches_address(Executor& executor, const Operation& operation, std::uint32_t row, LaneMask lanes);
void reaches_store(Executor& executor, const Operation& operation, LaneMask lanes);

// An atomic operation reads memory, and its operands, to compute what it stores: all of that must be initialised.
void reaches_atomic(Executor& executor, const Operation& operation, const Request& request);

// The uninitialised bits of `bytes` (at most 8) bytes of a page.
std::uint64_t unwritten_bits(const Page& page, std::uint32_t offset, std::uint32_t bytes);

// The uninitialised bits of what the request's lanes (of at most 8 bytes each) read through the spans; false: there are none.
bool unwritten_lanes(Executor& executor, const Request& request, std::array<std::uint64_t, kLanes>& bits);

// The same as bytes (bit b: byte b of the lane's access), of at most 16 bytes.
bool unwritten_bytes(Executor& executor, const Request& request, std::array<std::uint64_t, kLanes>& bytes);
// Makes bytes of a page uninitialised: bit b of `bytes` the byte at offset + b.
void mark_unwritten(Page& page, std::uint32_t offset, std::uint32_t bytes);

// Between memory and registers: after the bytes were copied, for the spans or lanes of the request.
void load(Executor& executor, const Operation& operation, const Request& request);
void store(Executor& executor, const Operation& operation, const Request& request);
void load_local(Executor& executor, const Operation& operation, const Request& request);
void store_local(Executor& executor, const Operation& operation, const Request& request);
// Call parameters: ld.param and st.param at the operation's place in the frame's .param variables.
void load_parameter(Executor& executor, const Operation& operation, LaneMask active);
void store_parameter(Executor& executor, const Operation& operation, LaneMask active);

}  // namespace optiml::emulator::taint_flow
