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
        std::memcpy(&element, staging + static_cast<std::uint32_t>(lane) * stride, sizeof element);
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

template <class Element, class Word>
void write_elements(const Word* row, std::uint8_t* staging, std::uint32_t stride) {
    for (int lane = 0; lane < kLanes; ++lane) {
        const auto element = static_cast<Element>(row[lane]);
        std::memcpy(staging + static_cast<std::uint32_t>(lane) * stride, &element, sizeof element);
    }
}

template <class Word>
void write_row(const Word* row, std::uint32_t bytes, std::uint8_t* staging, std::uint32_t stride) {
    switch (bytes) {
        case 1: return write_elements<std::uint8_t>(row, staging, stride);
        case 2: return write_elements<std::uint16_t>(row, staging, stride);
        case 4: return write_elements<std::uint32_t>(row, staging, stride);
        default: return write_elements<std::uint64_t>(row, staging, stride);
    }
}

// Every `step`-th word of the staging, from the first on, for all lanes: an element of float2, float4 and the like.
OPTIML_VECTORIZED void take_every(const std::uint32_t* staging, std::uint32_t step, std::uint32_t* row) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) row[lane] = staging[lane * step];
}

OPTIML_VECTORIZED void put_every(const std::uint32_t* row, std::uint32_t step, std::uint32_t* staging) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) staging[lane * step] = row[lane];
}

bool is_whole_word(const Row& row, std::uint32_t bytes) {
    return (row.width == 32 && bytes == 4) || (row.width == 64 && bytes == 8);
}

void read_long_longs(const std::uint8_t* staging, std::uint32_t stride, const Row& row, LaneMask active) {
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        std::memcpy(row.longs() + 2 * lane, staging + lane * stride, 16);
    }
}

}  // namespace

void unpack(Executor& executor, const Operation& operation, LaneMask active) {
    const MemoryForm& form = operation.memory;
    const std::uint32_t stride = form.lane_bytes();
    const bool is_signed = ptx::is_signed(operation.instruction->modifiers.type);
    for (std::uint32_t element = 0; element < form.elements; ++element) {
        const Row row = executor.destination(operation, element);
        const std::uint8_t* from = executor.staging.data() + element * form.element_bytes;
        const bool all_whole = active == ~LaneMask{0} && is_whole_word(row, form.element_bytes);
        if (row.data == nullptr) continue;
        if (all_whole && form.elements == 1) {
            std::memcpy(row.data, from, kLanes * stride);
        } else if (all_whole && row.width == 32) {
            take_every(reinterpret_cast<const std::uint32_t*>(from), form.elements, row.words());
        } else if (row.width == 128) {
            read_long_longs(from, stride, row, active);
        } else if (row.width == 64) {
            read_row(from, stride, form.element_bytes, is_signed, row.longs(), active);
        } else {
            read_row(from, stride, form.element_bytes, is_signed, row.words(), active);
            if (row.width == 16 && is_signed)
                for (LaneMask rest = active; rest != 0; rest &= rest - 1) row.words()[std::countr_zero(rest)] &= 0xffff;
        }
    }
}

void pack(Executor& executor, const Operation& operation) {
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
        else if (is_whole_word(row, form.element_bytes) && row.width == 32)
            put_every(row.words(), form.elements, reinterpret_cast<std::uint32_t*>(to));
        else if (row.width == 64)
            write_row(row.longs(), form.element_bytes, to, stride);
        else
            write_row(row.words(), form.element_bytes, to, stride);
    }
}

}  // namespace optiml::emulator
