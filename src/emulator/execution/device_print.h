#pragma once
// What a kernel prints.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace optiml::emulator {

// Where vprintf finds its arguments: packed in the order of the format, each at a multiple of its size; floats as doubles.
struct PrintSource {
    std::function<bool(std::uint64_t offset, std::uint8_t* bytes, std::uint32_t count)> read;  // false: there is nothing
    std::function<std::string(std::uint64_t address)> text;                                    // of %s
};

struct Printed {
    std::string text;
    std::int32_t arguments = 0;  // that the format took: what vprintf returns
};

// As the host's printf would, without * for width or precision and without %n, which CUDA does not have; what is no conversion of CUDA's
// is printed as it stands.
Printed format_print(std::string_view format, const PrintSource& source);

// Keeps the last mebibyte, as the device's buffer does.
class PrintBuffer {
public:
    static constexpr std::size_t kBytes = 1 << 20;

    void add(std::string_view text) {
        text_ += text;
        if (text_.size() > 2 * kBytes) text_.erase(0, text_.size() - kBytes);
    }
    std::string take() {
        if (text_.size() > kBytes) text_.erase(0, text_.size() - kBytes);
        return std::move(text_);
    }

private:
    std::string text_;
};

}  // namespace optiml::emulator
