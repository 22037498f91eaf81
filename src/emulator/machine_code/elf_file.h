#pragma once
// Sections, symbols and relocations of a 64-bit little-endian ELF file (System V ABI), with every offset checked.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace optiml::emulator {

using Bytes = std::span<const std::uint8_t>;

// Reads little-endian numbers one after another; reading past the end gives zeros and sets failed().
class ByteReader {
public:
    explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

    template <class T>
    T read() {
        T value = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i) value = static_cast<T>(value | static_cast<T>(T{next()} << (8 * i)));
        return value;
    }
    std::uint64_t read_leb128();
    std::int64_t read_signed_leb128();
    void skip_string();
    void skip(std::size_t count);
    void seek(std::size_t offset);

    std::size_t position() const { return position_; }
    bool at_end() const { return position_ >= bytes_.size(); }
    bool failed() const { return failed_; }

private:
    std::uint8_t next();

    Bytes bytes_;
    std::size_t position_ = 0;
    bool failed_ = false;
};

struct ElfSection {
    std::string_view name;
    Bytes contents;
};

struct ElfRelocation {
    std::uint64_t offset = 0;       // in the section it applies to
    std::uint32_t target = 0;       // section in which the symbol is defined
};

class ElfFile {
public:
    // The file's bytes must outlive this.
    static Result<ElfFile> open(Bytes file);

    const std::vector<ElfSection>& sections() const { return sections_; }
    std::optional<std::uint32_t> find(std::string_view name) const;
    // Of the section `.rela` + name; empty where there is none.
    std::vector<ElfRelocation> relocations_of(std::string_view name) const;

private:
    std::vector<ElfSection> sections_;
};

}  // namespace optiml::emulator
