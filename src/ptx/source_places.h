#pragma once
// .file and .loc: where in the user's source an instruction comes from.

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ptx/cursor.h"
#include "ptx/module.h"

namespace optiml::ptx {

// File numbers to indices of Module::files, in order of appearance: .loc may stand before .file.
class FileTable {
public:
    explicit FileTable(std::vector<std::string>& files) : files_(files) {}
    std::uint32_t index_of(std::uint64_t number);
    // `.file 1 "path", time, size` from behind the word.
    void parse_file(Cursor& cursor);

private:
    std::vector<std::string>& files_;
    std::unordered_map<std::uint64_t, std::uint32_t> indices_;
};

// The place that .loc last set, within one function.
class PlaceTracker {
public:
    explicit PlaceTracker(FileTable& files) : files_(files) {}

    // `.loc 2 631 1, function_name label, inlined_at 1 94 5` from behind the word.
    void parse_loc(Cursor& cursor);
    const Place& place() const { return place_; }
    const Place& inlined_at() const { return inlined_at_; }

private:
    struct Position {
        Place place;
        std::uint64_t column = 0;
        auto key() const { return std::tuple(place.file, place.line, column); }
    };

    Position parse_position(Cursor& cursor);

    FileTable& files_;
    Place place_;
    Place inlined_at_;
    // Inlining within inlined code: the call site has a .loc of its own, which says where that was inlined.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, Place> outermost_;
};

}  // namespace optiml::ptx
