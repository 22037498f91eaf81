#pragma once
// Finds accesses of different threads to the same bytes, one of them a write, that nothing orders.
//
// What orders accesses: program order; barriers; warp-wide primitives, among the lanes that their masks name; and a release that was
// seen (publications.h). Lanes of a warp are not ordered by running in step (sm_70 and later).
// What may meet without order: atomics; accesses stronger than weak (relaxed, acquire, release) among themselves and with atomics, where
// those of block scope meet only what their own block does; volatile ones with these, and with each other across warps in global memory,
// where they serve as flags; a plain load that only seeds a compare-and-swap loop on the same address; and writes that leave the same value.
// What a launch writes it must not read with ld.global.nc, in whatever order: that is a race, too.

#include "emulator/execution/executor.h"

namespace optiml::emulator {

class RaceChecker {
public:
    // For one access of the current warp.
    RaceChecker(Executor& executor, const Operation& operation, const Request& request);

    void load(const Span& span) const;
    // Before the bytes of `staging` (those of the span) are copied to the page.
    void store(const Span& span, const std::uint8_t* staging) const;
    void atomic(const Span& span) const;
    // An asynchronous copy to the span begins: until it is waited for, nobody may touch the bytes.
    void begin_copy(const Span& span) const;
    void end_copy(const Span& span) const;

private:

    AccessHistory& history_of(const Span& span) const;
    template <class Act>
    void for_each_cell(const AccessHistory& history, const Span& span, Act act) const;
    void read_cell(const Span& span, AccessHistory& history, std::uint32_t cell, std::uint32_t lane, bool by_several) const;
    void write_cell(const Span& span, AccessHistory& history, std::uint32_t cell, std::uint32_t lane, const std::uint8_t* value) const;
    void check_flights(const Span& span, const AccessHistory& history) const;
    void read_noncoherently(const Span& span, AccessHistory& history) const;
    void check_noncoherent_reads(const Span& span, const AccessHistory& history) const;
    void add_reader(AccessHistory& history, std::uint32_t cell, AccessRecord mine, LaneMask lanes) const;
    void check_readers(const Span& span, const AccessHistory& history, std::uint32_t cell, std::uint32_t lane) const;

    AccessRecord record_of(std::uint32_t lane) const { return terms_first_ + lane * layout_.thread_step(); }
    // Whether the access of a record comes before what `lane` does now.
    bool is_ordered(AccessRecord record, std::uint32_t lane) const;
    bool may_meet(AccessRecord record) const;
    // Of another block, in a launch whose blocks run at once: then nothing but independence will do (crew.h).
    bool is_foreign(AccessRecord record) const;
    // Strong for its own block only: this access; a record's.
    bool is_of_block_scope() const;
    bool is_of_block_scope(AccessRecord record) const;
    // One of the two is of block scope, and the record is another block's.
    bool stays_in_block(AccessRecord record) const;
    void report(const Span& span, std::uint32_t cell_offset, std::uint32_t lane, AccessRecord other, bool other_wrote, bool noncoherent = false) const;

    Executor& executor_;
    const Operation& operation_;
    const Request& request_;
    const RecordLayout& layout_;
    AccessRecord terms_first_;  // the record of lane 0
    bool precise_;              // readers are kept one by one
};

}  // namespace optiml::emulator
