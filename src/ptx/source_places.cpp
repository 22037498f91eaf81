#include "ptx/source_places.h"

namespace optiml::ptx {

std::uint32_t FileTable::index_of(std::uint64_t number) {
    const auto [place, added] = indices_.emplace(number, static_cast<std::uint32_t>(files_.size()));
    if (added) files_.emplace_back();
    return place->second;
}

void FileTable::parse_file(Cursor& cursor) {
    const std::uint32_t index = index_of(cursor.expect_integer("a file number"));
    if (cursor.peek().kind != TokenKind::string) return cursor.fail_unexpected("a file name");
    files_[index] = cursor.take().text;
    while (cursor.accept(',')) cursor.expect_integer("a time stamp or size");
}

PlaceTracker::Position PlaceTracker::parse_position(Cursor& cursor) {
    Position position;
    position.place.file = files_.index_of(cursor.expect_integer("a file number"));
    position.place.line = static_cast<std::uint32_t>(cursor.expect_integer("a line"));
    position.column = cursor.expect_integer("a column");
    return position;
}

void PlaceTracker::parse_loc(Cursor& cursor) {
    const Position position = parse_position(cursor);
    place_ = position.place;
    inlined_at_ = {};
    while (cursor.accept(',')) {
        const std::string_view word = cursor.expect_word("function_name or inlined_at");
        if (word == "inlined_at") {
            const Position site = parse_position(cursor);
            const auto outer = outermost_.find(site.key());
            inlined_at_ = outer != outermost_.end() ? outer->second : site.place;
        } else {
            cursor.expect_word("a label");
            if (cursor.accept('+')) cursor.expect_integer("an offset");
        }
    }
    if (inlined_at_.line != 0) {
        outermost_[position.key()] = inlined_at_;
    } else {
        outermost_.erase(position.key());
    }
}

}  // namespace optiml::ptx
