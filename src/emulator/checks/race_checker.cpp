#include "emulator/checks/race_checker.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/checks/access_history.h"
#include "emulator/checks/history_scan.h"
#include "emulator/checks/publications.h"
#include "emulator/checks/race_report.h"

namespace optiml::emulator {
namespace {

std::uint32_t shift_of(std::uint32_t bytes) { return static_cast<std::uint32_t>(std::countr_zero(bytes)); }

// Strong (atomicAdd_block, ld.relaxed.cta), but for the threads of its own block only.
bool is_strong_in_block(AccessStrength strength, const ptx::Instruction& instruction) {
    return strength >= AccessStrength::strong && instruction.modifiers.scope == ptx::Scope::cta;
}

ScanTerms scan_terms(const RecordLayout& layout, const Executor& executor, AccessRecord first) {
    const SyncOrder& block = executor.block().order;
    return {.first = first,
            .thread_step = layout.thread_step(),
            .owner_mask = layout.owner_mask(),
            .block_mask = layout.block_mask(),
            .warp_mask = layout.warp_mask(),
            .ordered = layout.bound(block.all()),
            .warp_ordered = layout.bound(std::max(block.all(), executor.warp().order.all()))};
}

}  // namespace

RaceChecker::RaceChecker(Executor& executor, const Operation& operation, const Request& request)
    : executor_(executor),
      operation_(operation),
      request_(request),
      layout_(executor.state().records),
      terms_first_(layout_.make(operation.memory.strength, operation.memory.site, executor.warp().number() * kLanes,
                                executor.block().run_index, std::min(executor.block().clock, layout_.greatest_stamp()))),
      precise_(executor.state().kernel.traits.keeps_each_reader()) {}

AccessHistory& RaceChecker::history_of(const Span& span) const {
    if (span.page->history == nullptr) span.page->history = executor_.state().memory.take_history();
    AccessHistory& history = *span.page->history;
    const std::uint32_t shift = std::min(shift_of(request_.lane_bytes), shift_of(kGranuleBytes));
    history.refine(shift);
    return history;
}

template <class Act>
void RaceChecker::for_each_cell(const AccessHistory& history, const Span& span, Act act) const {
    const std::uint32_t cell_bytes = 1u << history.cell_shift();
    for (std::uint32_t done = 0; done < span.bytes; done += cell_bytes)
        act((span.offset + done) >> history.cell_shift(), span.first_lane + done / request_.lane_bytes, done);
}

void RaceChecker::begin_copy(const Span& span) const {
    AccessHistory& history = history_of(span);
    for_each_cell(history, span, [&](std::uint32_t cell, std::uint32_t lane, std::uint32_t) { history.in_flight[cell] = record_of(lane); });
}

void RaceChecker::end_copy(const Span& span) const {
    AccessHistory& history = history_of(span);
    for_each_cell(history, span, [&](std::uint32_t cell, std::uint32_t, std::uint32_t) { history.in_flight.erase(cell); });
}

void RaceChecker::check_flights(const Span& span, const AccessHistory& history) const {
    for_each_cell(history, span, [&](std::uint32_t cell, std::uint32_t lane, std::uint32_t) {
        const auto flight = history.in_flight.find(cell);
        if (flight != history.in_flight.end()) report(span, cell << history.cell_shift(), lane, flight->second, true);
    });
}

void RaceChecker::read_noncoherently(const Span& span, AccessHistory& history) const {
    for_each_cell(history, span, [&](std::uint32_t cell, std::uint32_t lane, std::uint32_t) {
        if (history.writes[cell] != 0) report(span, cell << history.cell_shift(), lane, history.writes[cell], true, true);
        history.note_noncoherent_read(cell, record_of(lane));
    });
}

void RaceChecker::check_noncoherent_reads(const Span& span, const AccessHistory& history) const {
    for_each_cell(history, span, [&](std::uint32_t cell, std::uint32_t lane, std::uint32_t) {
        const AccessRecord read = history.noncoherent_reads[cell];
        if (read != 0) report(span, cell << history.cell_shift(), lane, read, false, true);
    });
}

void RaceChecker::load(const Span& span) const {
    AccessHistory& history = history_of(span);
    if (!history.in_flight.empty()) check_flights(span, history);
    if (operation_.instruction->modifiers.noncoherent) read_noncoherently(span, history);
    const std::uint32_t first = span.offset >> history.cell_shift();
    const bool by_several = span.same && span.lanes > 1;
    if (!by_several && !precise_) {
        const std::uint32_t lane_shift = shift_of(request_.lane_bytes) - history.cell_shift();
        const ScanTerms terms = scan_terms(layout_, executor_, record_of(span.first_lane));
        if (scan_reads(&history.writes[first], &history.reads[first], span.bytes >> history.cell_shift(), lane_shift, terms)) return;
    }
    for_each_cell(history, span, [&](std::uint32_t cell, std::uint32_t lane, std::uint32_t) {
        read_cell(span, history, cell, by_several ? span.first_lane : lane, by_several);
    });
}

void RaceChecker::store(const Span& span, const std::uint8_t* staging) const {
    AccessHistory& history = history_of(span);
    if (!history.in_flight.empty()) check_flights(span, history);
    if (!history.noncoherent_reads.empty()) check_noncoherent_reads(span, history);
    const std::uint32_t first = span.offset >> history.cell_shift();
    if (!precise_) {
        const std::uint32_t lane_shift = shift_of(request_.lane_bytes) - history.cell_shift();
        const ScanTerms terms = scan_terms(layout_, executor_, record_of(span.first_lane));
        if (scan_writes(&history.writes[first], &history.reads[first], span.bytes >> history.cell_shift(), lane_shift, terms)) return;
    }
    for_each_cell(history, span, [&](std::uint32_t cell, std::uint32_t lane, std::uint32_t done) {
        write_cell(span, history, cell, lane, staging + done);
    });
}

void RaceChecker::atomic(const Span& span) const {
    AccessHistory& history = history_of(span);
    if (!history.noncoherent_reads.empty()) check_noncoherent_reads(span, history);
    for_each_cell(history, span,
                  [&](std::uint32_t cell, std::uint32_t lane, std::uint32_t) { write_cell(span, history, cell, lane, nullptr); });
}

bool RaceChecker::is_ordered(AccessRecord record, std::uint32_t lane) const {
    if (record == 0) return true;
    Block& block = executor_.block();
    const std::uint32_t thread = layout_.thread(record);
    const std::uint32_t other_warp = thread / kLanes;
    Warp& warp = executor_.warp();
    const std::uint64_t stamp = layout_.stamp(record);
    if (layout_.block(record) == block.run_index) {
        if (stamp < block.order.all() || stamp == layout_.greatest_stamp()) return true;
        if (other_warp != warp.number() && block.order.is_ordered(warp.number(), other_warp, stamp)) return true;
        if (other_warp == warp.number() && (thread % kLanes == lane || warp.order.is_ordered(lane, thread % kLanes, stamp))) return true;
    }
    if (is_foreign(record)) return false;
    Publications* publications = executor_.state().publications.get();
    return publications != nullptr && publications->has_seen(block, warp, layout_.block(record), other_warp, stamp);
}

bool RaceChecker::is_foreign(AccessRecord record) const {
    return executor_.state().crew != nullptr && layout_.block(record) != executor_.block().run_index;
}

bool RaceChecker::is_of_block_scope() const { return is_strong_in_block(operation_.memory.strength, *operation_.instruction); }

bool RaceChecker::is_of_block_scope(AccessRecord record) const {
    const auto [function, index] = executor_.state().kernel.sites[layout_.site(record)];
    return function != nullptr && is_strong_in_block(RecordLayout::strength(record), function->instructions[index]);
}

bool RaceChecker::stays_in_block(AccessRecord record) const {
    return layout_.block(record) != executor_.block().run_index && (is_of_block_scope() || is_of_block_scope(record));
}

bool RaceChecker::may_meet(AccessRecord record) const {
    if (is_foreign(record) || stays_in_block(record)) return false;
    const AccessStrength mine = operation_.memory.strength;
    const AccessStrength other = RecordLayout::strength(record);
    if (mine >= AccessStrength::strong && other >= AccessStrength::strong) return true;
    if (mine == AccessStrength::weak || other == AccessStrength::weak) return false;
    if (mine != other) return true;  // one volatile, one stronger
    const bool same_warp = layout_.block(record) == executor_.block().run_index && layout_.thread(record) / kLanes == executor_.warp().number();
    return request_.space == ptx::Space::global && !same_warp;
}

void RaceChecker::read_cell(const Span& span, AccessHistory& history, std::uint32_t cell, std::uint32_t lane, bool by_several) const {
    const std::uint32_t offset = cell << history.cell_shift();
    const AccessRecord write = history.writes[cell];
    const LaneMask lanes = by_several ? static_cast<LaneMask>(((std::uint64_t{1} << span.lanes) - 1) << span.first_lane) : 1u << lane;
    const bool before_all = write == 0 || (((write ^ record_of(lane)) & layout_.block_mask()) == 0 &&
                                           layout_.stamp(write) < executor_.block().order.all());
    for (LaneMask rest = before_all ? 0 : lanes; rest != 0; rest &= rest - 1) {
        const auto reader = static_cast<std::uint32_t>(std::countr_zero(rest));
        if (is_ordered(write, reader) || may_meet(write)) continue;
        report(span, offset, reader, write, true);
        break;
    }
    add_reader(history, cell, record_of(lane), lanes);
}

void RaceChecker::add_reader(AccessHistory& history, std::uint32_t cell, AccessRecord mine, LaneMask lanes) const {
    AccessRecord& reads = history.reads[cell];
    const std::uint32_t lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    if (precise_) {
        std::vector<AccessHistory::Reader>& readers = history.readers[cell];
        std::erase_if(readers, [&](const AccessHistory::Reader& reader) {
            return std::popcount(reader.lanes) == 1 && is_ordered(reader.record, lane);
        });
        const auto same_warp = std::ranges::find_if(readers, [&](const AccessHistory::Reader& reader) {
            return ((reader.record ^ mine) & layout_.warp_mask()) == 0 && RecordLayout::strength(reader.record) == RecordLayout::strength(mine) &&
                   is_of_block_scope(reader.record) == is_of_block_scope();
        });
        if (same_warp == readers.end()) {
            readers.push_back({mine, lanes});
        } else {
            same_warp->record = mine;
            same_warp->lanes |= lanes;
        }
        reads = RecordLayout::with_readers(mine, Readers::many);
        return;
    }
    const bool by_several = std::popcount(lanes) > 1;
    const AccessRecord own = RecordLayout::with_readers(mine, by_several ? Readers::warp : Readers::one);
    const Readers before = RecordLayout::readers(reads);
    const bool same_block = ((reads ^ mine) & layout_.block_mask()) == 0;
    const bool same_warp = ((reads ^ mine) & layout_.warp_mask()) == 0;
    if (before == Readers::one ? is_ordered(reads, lane) : same_block && layout_.stamp(reads) < executor_.block().order.all()) {
        // The earlier reader comes before: whoever is ordered after this one is ordered after both. (Lanes that read together with
        // this one stand for themselves.)
        if (before == Readers::one && by_several && reads != 0) history.note_earlier_reader(cell, reads);
        reads = own;
        return;
    }
    if (before == Readers::many || (before == Readers::block && same_block)) return;
    if (before == Readers::warp && same_warp) {
        if (layout_.stamp(reads) < executor_.warp().order.all()) reads = own;
        return;
    }
    history.note_earlier_reader(cell, reads);
    reads = RecordLayout::with_readers(mine, same_warp ? Readers::warp : same_block ? Readers::block : Readers::many);
}

void RaceChecker::check_readers(const Span& span, const AccessHistory& history, std::uint32_t cell, std::uint32_t lane) const {
    const std::uint32_t offset = cell << history.cell_shift();
    const AccessRecord reads = history.reads[cell];
    if (reads == 0) return;
    if (precise_) {
        const auto found = history.readers.find(cell);
        if (found == history.readers.end()) return;
        for (const AccessHistory::Reader& reader : found->second) {
            if (may_meet(reader.record)) continue;
            const AccessRecord lane_zero = reader.record - layout_.thread(reader.record) % kLanes * layout_.thread_step();
            for (LaneMask rest = reader.lanes; rest != 0; rest &= rest - 1) {
                const AccessRecord record = lane_zero + static_cast<std::uint32_t>(std::countr_zero(rest)) * layout_.thread_step();
                if (!is_ordered(record, lane)) return report(span, offset, lane, record, false);
            }
        }
        return;
    }
    if (may_meet(reads)) return;
    const AccessRecord mine = record_of(lane);
    const bool is_self = ((reads ^ mine) & layout_.owner_mask()) == 0;
    const std::uint64_t stamp = layout_.stamp(reads);
    const Block& block = executor_.block();
    const bool same_block = ((reads ^ mine) & layout_.block_mask()) == 0;
    const bool same_warp = ((reads ^ mine) & layout_.warp_mask()) == 0;
    bool ordered = false;
    switch (RecordLayout::readers(reads)) {
        case Readers::one: ordered = is_ordered(reads, lane); break;
        case Readers::warp: ordered = same_block && stamp < (same_warp ? std::max(executor_.warp().order.all(), block.order.all()) : block.order.all()); break;
        case Readers::block: ordered = same_block && stamp < block.order.all(); break;
        case Readers::many: break;
    }
    if (ordered) return;
    const bool has_earlier = is_self && !history.earlier_reads.empty() && history.earlier_reads[cell] != 0;
    report(span, offset, lane, has_earlier ? history.earlier_reads[cell] : reads, false);
}

void RaceChecker::write_cell(const Span& span, AccessHistory& history, std::uint32_t cell, std::uint32_t lane,
                             const std::uint8_t* value) const {
    const std::uint32_t offset = cell << history.cell_shift();
    const AccessRecord write = history.writes[cell];
    if (!is_ordered(write, lane) && !may_meet(write)) {
        const bool same_value = value != nullptr && !is_foreign(write) && std::memcmp(span.page->bytes.data() + offset, value, 1u << history.cell_shift()) == 0;
        if (!same_value) report(span, offset, lane, write, true);
    }
    check_readers(span, history, cell, lane);
    history.reads[cell] = 0;
    if (precise_) history.readers.erase(cell);
    history.writes[cell] = record_of(lane);
}

void RaceChecker::report(const Span& span, std::uint32_t cell_offset, std::uint32_t lane, AccessRecord other, bool other_wrote, bool noncoherent) const {
    const std::uint64_t address = request_.addresses[span.first_lane] + cell_offset - span.offset;
    report_race(executor_, operation_, request_, {.lane = lane, .address = address, .other = other, .other_wrote = other_wrote, .noncoherent = noncoherent});
}

}  // namespace optiml::emulator
