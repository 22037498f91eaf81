// Uninitialised bytes on their way between memory and registers.

#include <bit>
#include <cstring>

#include "emulator/checks/taint_flow.h"

namespace optiml::emulator::taint_flow {
namespace {

using Lane = RegisterTaint::Lane;

constexpr std::uint64_t kEightWritten = 0x0f0f0f0f0f0f0f0f;

// Bits of bytes: bit b of `bytes` becomes the eight bits of byte b.
std::uint64_t spread(std::uint32_t bytes) {
    std::uint64_t bits = 0;
    for (std::uint32_t byte = 0; byte < 8; ++byte)
        if ((bytes >> byte & 1) != 0) bits |= std::uint64_t{0xff} << 8 * byte;
    return bits;
}

std::uint32_t touched_bytes(std::uint64_t bits) {
    std::uint32_t bytes = 0;
    for (std::uint32_t byte = 0; byte < 8; ++byte)
        if ((bits >> 8 * byte & 0xff) != 0) bytes |= 1u << byte;
    return bytes;
}

bool all_written(const WrittenBytes* written, std::uint32_t granules) {
    std::uint32_t granule = 0;
    for (; granule + 8 <= granules; granule += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, written + granule, sizeof eight);
        if ((eight & kEightWritten) != kEightWritten) return false;
    }
    for (; granule < granules; ++granule)
        if ((written[granule] & kAllWritten) != kAllWritten) return false;
    return true;
}

// A value that is loaded into a register wider than itself, with sign or zeros.
std::uint64_t extended(std::uint64_t bits, std::uint32_t bytes, bool is_signed) {
    const bool sign = is_signed && bytes < 8 && (bits >> (8 * bytes - 1) & 1) != 0;
    return sign ? bits | ~((std::uint64_t{1} << 8 * bytes) - 1) : bits;
}

// unwritten(lane, byte, count): the uninitialised bits of the lane's bytes [byte, byte + count), as they would stand in a register.
template <class Unwritten>
void taint_loaded(Executor& executor, const Operation& operation, const Request& request, LaneMask lanes, Unwritten unwritten) {
    const MemoryForm& form = operation.memory;
    const bool is_signed = ptx::is_signed(operation.instruction->modifiers.type);
    const std::uint32_t origin = executor.taint_origin(operation, request.space, request.addresses, lanes);
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        for (std::uint32_t element = 0; element < form.elements; ++element) {
            const std::uint32_t bytes = std::min<std::uint32_t>(form.element_bytes, 8);
            std::uint64_t bits = unwritten(lane, element * form.element_bytes, bytes);
            if (form.element_bytes == 16) bits |= unwritten(lane, element * form.element_bytes + 8, bytes);
            executor.frame().taint.set(executor.program().destination(operation, element).row, executor.program().rows, lane,
                                       {.bits = extended(bits, bytes, is_signed), .computed = false}, origin);
        }
    }
}

// store(lane, byte, count, unwritten bytes as a mask): for the parts of values that are copies of uninitialised bytes.
template <class Mark>
void for_each_stored(Executor& executor, const Operation& operation, const Request& request, Mark mark) {
    const MemoryForm& form = operation.memory;
    const RegisterTaint& taint = executor.frame().taint;
    const std::uint32_t first = operation.source_count - form.elements;
    for (std::uint32_t element = 0; element < form.elements; ++element) {
        const std::uint32_t row = executor.program().source(operation, first + element).row;
        for (LaneMask rest = taint.lanes(row) & request.active; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
            const std::uint32_t bytes = touched_bytes(taint.lane(row, lane).bits);
            for (std::uint32_t byte = 0; byte < std::min<std::uint32_t>(form.element_bytes, 8); ++byte)
                if ((bytes >> byte & 1) != 0) mark(lane, element * form.element_bytes + byte);
        }
    }
}

}  // namespace

void mark_unwritten(Page& page, std::uint32_t offset, std::uint32_t bytes) {
    if (bytes == 0) return;
    if (page.written == nullptr) {
        page.written = std::make_unique<WrittenBytes[]>(kGranulesPerPage);
        std::memset(page.written.get(), kAllWritten, kGranulesPerPage);
    }
    for (; bytes != 0; bytes &= bytes - 1) {
        const std::uint32_t place = offset + static_cast<std::uint32_t>(std::countr_zero(bytes));
        page.written[place / kGranuleBytes] &= static_cast<WrittenBytes>(~(1u << place % kGranuleBytes));
    }
}

std::uint64_t unwritten_bits(const Page& page, std::uint32_t offset, std::uint32_t bytes) {
    if (page.written == nullptr) return 0;
    std::uint32_t unwritten = 0;
    for (std::uint32_t byte = 0; byte < bytes; ++byte) {
        const std::uint32_t place = offset + byte;
        if ((page.written[place / kGranuleBytes] >> place % kGranuleBytes & 1) == 0) unwritten |= 1u << byte;
    }
    return spread(unwritten);
}

bool unwritten_bytes(Executor& executor, const Request& request, std::array<std::uint64_t, kLanes>& bytes) {
    std::uint64_t any = 0;
    for (const Span& span : executor.spans) {
        if (span.page->written == nullptr) continue;
        for (std::uint32_t i = 0; i < span.lanes; ++i) {
            const std::uint32_t place = span.same ? span.offset : span.offset + i * request.lane_bytes;
            std::uint64_t& of_lane = bytes[span.first_lane + i];
            for (std::uint32_t byte = 0; byte < request.lane_bytes; ++byte)
                if (unwritten_bits(*span.page, place + byte, 1) != 0) of_lane |= std::uint64_t{1} << byte;
            any |= of_lane;
        }
    }
    return any != 0;
}

bool unwritten_lanes(Executor& executor, const Request& request, std::array<std::uint64_t, kLanes>& bits) {
    std::uint64_t any = 0;
    for (const Span& span : executor.spans) {
        if (span.page->written == nullptr) continue;
        for (std::uint32_t i = 0; i < span.lanes; ++i) {
            const std::uint32_t place = span.same ? span.offset : span.offset + i * request.lane_bytes;
            any |= bits[span.first_lane + i] = unwritten_bits(*span.page, place, request.lane_bytes);
        }
    }
    return any != 0;
}

void load(Executor& executor, const Operation& operation, const Request& request) {
    for (const Span& span : executor.spans) {
        if (span.page->written == nullptr) continue;
        const std::uint32_t first = span.offset / kGranuleBytes;
        const std::uint32_t last = (span.offset + span.bytes - 1) / kGranuleBytes;
        if (all_written(span.page->written.get() + first, last - first + 1)) continue;
        const LaneMask lanes = static_cast<LaneMask>(((std::uint64_t{1} << span.lanes) - 1) << span.first_lane);
        taint_loaded(executor, operation, request, lanes, [&](std::uint32_t lane, std::uint32_t byte, std::uint32_t bytes) {
            const std::uint32_t place = span.same ? span.offset : span.offset + (lane - span.first_lane) * request.lane_bytes;
            return unwritten_bits(*span.page, place + byte, bytes);
        });
    }
}

void store(Executor& executor, const Operation& operation, const Request& request) {
    std::array<const Span*, kLanes> span_of{};
    for (const Span& span : executor.spans)
        for (std::uint32_t i = 0; i < span.lanes; ++i) span_of[span.first_lane + i] = &span;
    for_each_stored(executor, operation, request, [&](std::uint32_t lane, std::uint32_t byte) {
        const Span& span = *span_of[lane];
        mark_unwritten(*span.page, span.offset + (lane - span.first_lane) * request.lane_bytes + byte, 1);
    });
}

void load_local(Executor& executor, const Operation& operation, const Request& request) {
    const LocalMemory& local = executor.warp().local;
    const auto unwritten = [&](std::uint32_t lane, std::uint32_t byte, std::uint32_t bytes) {
        std::uint32_t mask = 0;
        for (std::uint32_t i = 0; i < bytes; ++i) {
            const std::uint64_t place = request.addresses[lane] + byte + i;
            if ((local.written[place / kGranuleBytes][lane] >> place % kGranuleBytes & 1) == 0) mask |= 1u << i;
        }
        return spread(mask);
    };
    LaneMask lanes = 0;
    for (LaneMask rest = request.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        for (std::uint32_t byte = 0; byte < request.lane_bytes; byte += 8)
            if (unwritten(lane, byte, std::min(8u, request.lane_bytes - byte)) != 0) lanes |= rest & (0 - rest);
    }
    if (lanes != 0) taint_loaded(executor, operation, request, lanes, unwritten);
}

void store_local(Executor& executor, const Operation& operation, const Request& request) {
    LocalMemory& local = executor.warp().local;
    for_each_stored(executor, operation, request, [&](std::uint32_t lane, std::uint32_t byte) {
        const std::uint64_t place = request.addresses[lane] + byte;
        local.written[place / kGranuleBytes][lane] &= static_cast<WrittenBytes>(~(1u << place % kGranuleBytes));
    });
}

void load_parameter(Executor& executor, const Operation& operation, LaneMask active) {
    Frame& frame = executor.frame();
    const MemoryForm& form = operation.memory;
    for (LaneMask rest = active; rest != 0 && !frame.parameter_notes.empty(); rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        for (std::uint32_t element = 0; element < form.elements; ++element) {
            const std::size_t place = lane * std::size_t{frame.program->parameter_bytes} + form.address.offset + element * form.element_bytes;
            Lane taint;
            std::uint32_t origin = 0;
            for (std::uint32_t byte = 0; byte < std::min<std::uint32_t>(form.element_bytes, 8); ++byte) {
                const ParameterNotes::Note& note = frame.parameter_notes[place + byte];
                if (note.unwritten == 0) continue;
                taint.bits |= std::uint64_t{note.unwritten} << 8 * byte;
                taint.computed |= note.computed;
                origin = note.origin;
            }
            frame.taint.set(frame.program->destination(operation, element).row, frame.program->rows, lane, taint, origin);
        }
    }
}

void store_parameter(Executor& executor, const Operation& operation, LaneMask active) {
    Frame& frame = executor.frame();
    const MemoryForm& form = operation.memory;
    if (!frame.taint.any && frame.parameter_notes.empty()) return;
    frame.parameter_notes.open(frame.parameters.size());
    const std::uint32_t first = operation.source_count - form.elements;
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        for (std::uint32_t element = 0; element < form.elements; ++element) {
            const std::uint32_t row = frame.program->source(operation, first + element).row;
            const Lane taint = frame.taint.lane(row, lane);
            const std::size_t place = lane * std::size_t{frame.program->parameter_bytes} + form.address.offset + element * form.element_bytes;
            for (std::uint32_t byte = 0; byte < std::min<std::uint32_t>(form.element_bytes, 8); ++byte) {
                ParameterNotes::Note& note = frame.parameter_notes[place + byte];
                note.unwritten = static_cast<std::uint8_t>(taint.bits >> 8 * byte);
                note.computed = taint.computed;
                note.origin = taint.bits != 0 ? frame.taint.origin(row) : 0;
            }
        }
    }
}

}  // namespace optiml::emulator::taint_flow
