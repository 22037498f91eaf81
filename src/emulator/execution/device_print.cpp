#include "emulator/execution/device_print.h"

#include <cstdio>
#include <cstring>

namespace optiml::emulator {
namespace {

// Beyond this, widths and precisions are no one's wish.
constexpr std::size_t kMostDigits = 4;

struct Conversion {
    std::string flags;      // with width and precision
    std::string size;       // h, hh, l, ll
    char type = 0;          // 0: none that CUDA knows
    std::size_t length = 0; // of the text in the format
};

std::size_t run_of(std::string_view text, std::string_view characters, std::size_t most) {
    std::size_t count = 0;
    while (count < text.size() && count < most && characters.find(text[count]) != std::string_view::npos) ++count;
    return count;
}

// text: begins with the percent sign.
Conversion conversion_at(std::string_view text) {
    Conversion conversion;
    std::size_t place = 1;
    place += run_of(text.substr(place), "-+ #0", text.size());
    place += run_of(text.substr(place), "0123456789", kMostDigits);
    if (place < text.size() && text[place] == '.') {
        ++place;
        place += run_of(text.substr(place), "0123456789", kMostDigits);
    }
    conversion.flags = text.substr(1, place - 1);
    const std::size_t sizes = run_of(text.substr(place), "hl", 2);
    conversion.size = text.substr(place, sizes);
    place += sizes;
    if (place < text.size() && std::string_view("%cdiouxXpeEfFgGaAs").find(text[place]) != std::string_view::npos) conversion.type = text[place++];
    conversion.length = place;
    return conversion;
}

template <class Value>
std::string formatted(const Conversion& conversion, const char* size, Value value) {
    const std::string format = "%" + conversion.flags + size + conversion.type;
    const int length = std::snprintf(nullptr, 0, format.c_str(), value);
    if (length < 0) return {};
    std::string text(static_cast<std::size_t>(length) + 1, '\0');
    std::snprintf(text.data(), text.size(), format.c_str(), value);
    text.pop_back();
    return text;
}

class Formatter {
public:
    explicit Formatter(const PrintSource& source) : source_(source) {}

    Printed format(std::string_view format) {
        while (!format.empty()) {
            const std::size_t percent = std::min(format.find('%'), format.size());
            printed_.text += format.substr(0, percent);
            format.remove_prefix(percent);
            if (format.empty()) break;
            const Conversion conversion = conversion_at(format);
            if (conversion.type == '%') printed_.text += '%';
            else if (conversion.type == 0 || !convert(conversion)) printed_.text += format.substr(0, conversion.length);
            format.remove_prefix(conversion.length);
        }
        return std::move(printed_);
    }

private:
    bool convert(const Conversion& conversion) {
        switch (conversion.type) {
            case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
                return print<double>([&](double value) { return formatted(conversion, "", value); });
            case 's':
                return print<std::uint64_t>([&](std::uint64_t value) { return formatted(conversion, "", source_.text(value).c_str()); });
            case 'p':
                return print<std::uint64_t>([&](std::uint64_t value) { return formatted(conversion, "", reinterpret_cast<void*>(value)); });
            default: break;
        }
        if (conversion.type != 'c' && conversion.size.starts_with('l'))
            return print<long long>([&](long long value) { return formatted(conversion, "ll", value); });
        return print<int>([&](int value) { return formatted(conversion, conversion.type == 'c' ? "" : conversion.size.c_str(), value); });
    }

    template <class Value, class Format>
    bool print(Format format) {
        Value value;
        std::uint8_t bytes[sizeof value];
        const std::uint64_t place = (offset_ + sizeof value - 1) / sizeof value * sizeof value;
        if (!source_.read(place, bytes, sizeof value)) return false;
        std::memcpy(&value, bytes, sizeof value);
        offset_ = place + sizeof value;
        ++printed_.arguments;
        printed_.text += format(value);
        return true;
    }

    const PrintSource& source_;
    std::uint64_t offset_ = 0;
    Printed printed_;
};

}  // namespace

Printed format_print(std::string_view format, const PrintSource& source) { return Formatter(source).format(format); }

}  // namespace optiml::emulator
