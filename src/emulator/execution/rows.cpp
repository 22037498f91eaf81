#include "emulator/execution/rows.h"

#include <bit>
#include <cstring>

#include "emulator/execution/vectorized.h"

namespace optiml::emulator {
namespace {

template <class Element, class Word, class Extended>
void read_elements(const std::uint8_t* staging, std::uint32_t stride, Word* row, LaneMask active) {
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        Element element;
        std::memcpy(&element, staging + lane * stride, sizeof element);
        row[lane] = static_cast<Word>(static_cast<Extended>(element));
    }
}

template <class Word>
void read_row(const std::uint8_t* staging, std::uint32_t stride, std::uint32_t bytes, bool is_signed, Word* row, LaneMask active) {
    switch (bytes) {
        case 1:
            return is_signed ? read_elements<std::int8_t, Word, std::int64_t>(staging, stride, row, active)
                             : read_elements<std::uint8_t, Word, std::uint64_t>(staging, stride, row, active);
        case 2:
            return is_signed ? read_elements<std::int16_t, Word, std::int64_t>(staging, stride, row, active)
                             : read_elements<std::uint16_t, Word, std::uint64_t>(staging, stride, row, active);
        case 4:
            return is_signed ? read_elements<std::int32_t, Word, std::int64_t>(staging, stride, row, active)
                             : read_elements<std::uint32_t, Word, std::uint64_t>(staging, stride, row, active);
        default: return read_elements<std::uint64_t, Word, std::uint64_t>(staging, stride, row, active);
    }
}

template <class Word>
void write_elements(const Word* row, std::uint32_t bytes, std::uint8_t* staging, std::uint32_t stride) {
    for (int lane = 0; lane < kLanes; ++lane) std::memcpy(staging + static_cast<std::uint32_t>(lane) * stride, &row[lane], bytes);
}

// All lanes of rows of one word each, side by side in the staging: what float2 and float4 accesses need.
template <class Word, int elements>
OPTIML_VECTORIZED void deinterleave(const Word* staging, Word* const* rows) {
    for (int element = 0; element < elements; ++element) {
        Word* row = rows[element];
        for (int lane = 0; lane < kLanes; ++lane) row[lane] = staging[lane * elements + element];
    }
}

bool is_whole_word(const Row& row, std::uint32_t bytes) {
    return (row.width == 32 && bytes == 4) || (row.width == 64 && bytes == 8);
}

}  // namespace

void unpack(Executor& executor, const Operation& operation, LaneMask active) {
    const MemoryForm& form = operation.memory;
    const std::uint32_t stride = form.lane_bytes();
    const bool is_signed = ptx::is_signed(operation.instruction->modifiers.type);
    for (std::uint32_t element = 0; element < form.elements; ++element) {
        const Row row = executor.destination(operation, element);
        const std::uint8_t* from = executor.staging.data() + element * form.element_bytes;
        if (row.data == nullptr) continue;
        if (form.elements == 1 && active == ~LaneMask{0} && is_whole_word(row, stride)) {
            std::memcpy(row.data, from, kLanes * stride);
        } else if (row.width == 128) {
            for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
                const int lane = std::countr_zero(rest);
                std::memcpy(row.longs() + 2 * lane, from + lane * stride, 16);
            }
        } else if (row.width == 64) {
            read_row(from, stride, form.element_bytes, is_signed, row.longs(), active);
        } else {
            read_row(from, stride, form.element_bytes, is_signed, row.words(), active);
            if (row.width == 16 && is_signed)
                for (LaneMask rest = active; rest != 0; rest &= rest - 1) row.words()[std::countr_zero(rest)] &= 0xffff;
        }
    }
}

void pack(Executor& executor, const Operation& operation, LaneMask) {
    const MemoryForm& form = operation.memory;
    const std::uint32_t stride = form.lane_bytes();
    const std::uint32_t first = operation.source_count - form.elements;
    for (std::uint32_t element = 0; element < form.elements; ++element) {
        const Row row = executor.source(operation, first + element);
        std::uint8_t* to = executor.staging.data() + element * form.element_bytes;
        if (row.width == 128)
            for (std::uint32_t lane = 0; lane < kLanes; ++lane) std::memcpy(to + lane * stride, row.longs() + 2 * lane, 16);
        else if (form.elements == 1 && is_whole_word(row, stride))
            std::memcpy(to, row.data, kLanes * stride);
        else if (row.width == 64)
            write_elements(row.longs(), form.element_bytes, to, stride);
        else
            write_elements(row.words(), form.element_bytes, to, stride);
    }
}

}  // namespace optiml::emulator
