#pragma once
// What is known of the bytes of a frame's .param variables besides their values.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "emulator/values/shadow_page.h"

namespace optiml::emulator {

class ParameterNotes {
public:
    struct Note {
        std::uint8_t unwritten = 0;      // bits of the byte that are uninitialised
        bool computed = false;           // as in RegisterTaint
        std::uint8_t shadow_bytes = 0;   // of the value that begins at this byte and has a shadow; 0: none
        std::uint32_t origin = 0;        // of the taint
        ShadowValue shadow;
    };

    bool empty() const { return notes_.empty(); }
    // Makes room for notes on `bytes` bytes.
    void open(std::size_t bytes) {
        if (notes_.empty()) notes_.resize(bytes);
    }
    Note& operator[](std::size_t byte) { return notes_[byte]; }
    const Note& operator[](std::size_t byte) const { return notes_[byte]; }

    // Notes on `count` bytes of `from` from byte `source` on become those of the bytes from `target` on.
    void copy(const ParameterNotes& from, std::size_t source, std::size_t target, std::size_t count) {
        if (from.empty()) return clear(target, count);
        std::copy_n(from.notes_.begin() + static_cast<std::ptrdiff_t>(source), count,
                    notes_.begin() + static_cast<std::ptrdiff_t>(target));
    }
    void clear(std::size_t begin, std::size_t count) {
        if (!notes_.empty()) std::fill_n(notes_.begin() + static_cast<std::ptrdiff_t>(begin), count, Note{});
    }

private:
    std::vector<Note> notes_;  // by byte; empty: nothing is known of any
};

}  // namespace optiml::emulator
