#include "emulator/machine_code/elf_file.h"

#include <string>

namespace optiml::emulator {
namespace {

constexpr std::size_t kHeaderBytes = 64;
constexpr std::uint32_t kNoBits = 8;  // SHT_NOBITS: a section without contents in the file
constexpr std::size_t kSymbolBytes = 24;
constexpr std::size_t kRelocationBytes = 24;

struct SectionHeader {
    std::uint32_t name = 0, type = 0;
    std::uint64_t offset = 0, size = 0;
};

SectionHeader read_section_header(ByteReader& reader) {
    SectionHeader header;
    header.name = reader.read<std::uint32_t>();
    header.type = reader.read<std::uint32_t>();
    reader.skip(16);  // flags, address
    header.offset = reader.read<std::uint64_t>();
    header.size = reader.read<std::uint64_t>();
    reader.skip(24);  // link, info, alignment, entry size
    return header;
}

std::string_view string_at(Bytes strings, std::uint32_t offset) {
    if (offset >= strings.size()) return {};
    const auto* begin = reinterpret_cast<const char*>(strings.data()) + offset;
    const std::string_view rest(begin, strings.size() - offset);
    return rest.substr(0, rest.find('\0'));
}

}  // namespace

std::uint8_t ByteReader::next() {
    if (position_ >= bytes_.size()) {
        failed_ = true;
        return 0;
    }
    return bytes_[position_++];
}

std::uint64_t ByteReader::read_leb128() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const std::uint8_t byte = next();
        value |= std::uint64_t{byte & 0x7fu} << shift;
        if ((byte & 0x80) == 0) break;
    }
    return value;
}

std::int64_t ByteReader::read_signed_leb128() {
    std::uint64_t value = 0;
    unsigned shift = 0;
    std::uint8_t byte = 0;
    do {
        byte = next();
        value |= std::uint64_t{byte & 0x7fu} << shift;
        shift += 7;
    } while ((byte & 0x80) != 0 && shift < 64);
    if (shift < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
}

void ByteReader::skip_string() {
    while (!at_end() && next() != 0) {
    }
}

void ByteReader::skip(std::size_t count) { seek(position_ + count); }

void ByteReader::seek(std::size_t offset) {
    if (offset > bytes_.size()) failed_ = true;
    position_ = offset > bytes_.size() ? bytes_.size() : offset;
}

Result<ElfFile> ElfFile::open(Bytes file) {
    constexpr std::uint8_t kMagic[] = {0x7f, 'E', 'L', 'F', 2, 1};  // 64-bit, little-endian
    if (file.size() < kHeaderBytes || !std::equal(std::begin(kMagic), std::end(kMagic), file.begin())) {
        return internal_error("a cubin must be a 64-bit ELF file");
    }
    ByteReader reader(file);
    reader.seek(40);
    const auto table = reader.read<std::uint64_t>();
    reader.seek(60);
    const auto count = reader.read<std::uint16_t>();
    const auto names = reader.read<std::uint16_t>();

    std::vector<SectionHeader> headers;
    reader.seek(table);
    for (std::uint16_t i = 0; i < count && !reader.failed(); ++i) headers.push_back(read_section_header(reader));
    ElfFile result;
    for (const SectionHeader& header : headers) {
        if (header.type == kNoBits) {
            result.sections_.push_back({});
        } else if (header.offset > file.size() || header.size > file.size() - header.offset) {
            return internal_error("the cubin is cut short");
        } else {
            result.sections_.push_back({{}, file.subspan(header.offset, header.size)});
        }
    }
    if (reader.failed() || names >= headers.size()) return internal_error("the cubin is cut short");
    for (std::size_t i = 0; i < headers.size(); ++i) {
        result.sections_[i].name = string_at(result.sections_[names].contents, headers[i].name);
    }
    return result;
}

std::optional<std::uint32_t> ElfFile::find(std::string_view name) const {
    for (std::uint32_t i = 0; i < sections_.size(); ++i) {
        if (sections_[i].name == name) return i;
    }
    return std::nullopt;
}

std::vector<ElfRelocation> ElfFile::relocations_of(std::string_view name) const {
    const auto entries = find(".rela" + std::string(name));
    const auto symbols = find(".symtab");
    if (!entries || !symbols) return {};
    std::vector<ElfRelocation> relocations;
    const Bytes bytes = sections_[*entries].contents;
    for (std::size_t at = 0; at + kRelocationBytes <= bytes.size(); at += kRelocationBytes) {
        ByteReader reader(bytes.subspan(at));
        const auto offset = reader.read<std::uint64_t>();
        const auto info = reader.read<std::uint64_t>();
        ByteReader symbol(sections_[*symbols].contents);
        symbol.seek((info >> 32) * kSymbolBytes + 6);
        const auto section = symbol.read<std::uint16_t>();
        if (!symbol.failed()) relocations.push_back({offset, section});
    }
    return relocations;
}

}  // namespace optiml::emulator
