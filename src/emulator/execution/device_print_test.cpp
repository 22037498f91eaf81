#include "emulator/execution/device_print.h"

#include <gtest/gtest.h>

#include <cstring>

#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;

class Packed {
public:
    template <class Value>
    Packed& add(Value value) {
        bytes_.resize((bytes_.size() + sizeof value - 1) / sizeof value * sizeof value + sizeof value);
        std::memcpy(bytes_.data() + bytes_.size() - sizeof value, &value, sizeof value);
        return *this;
    }
    Printed format(std::string_view format) const {
        return format_print(format, {.read =
                                         [this](std::uint64_t offset, std::uint8_t* bytes, std::uint32_t count) {
                                             if (offset + count > bytes_.size()) return false;
                                             std::memcpy(bytes, bytes_.data() + offset, count);
                                             return true;
                                         },
                                     .text = [](std::uint64_t address) { return "text " + std::to_string(address); }});
    }

private:
    std::vector<std::uint8_t> bytes_;
};

TEST(DevicePrint, ConversionsTakeTheirArguments) {
    EXPECT_EQ(Packed().format("plain %% text\n").text, "plain % text\n");
    EXPECT_EQ(Packed().add(-5).add(7).format("%d|%+4i").text, "-5|  +7");
    EXPECT_EQ(Packed().add(1).add(2.5).add(3).format("%u %.1f %x").text, "1 2.5 3");
    EXPECT_EQ(Packed().add(1).add(1LL << 40).add(-1LL).format("%d %ld %llu").text, "1 1099511627776 18446744073709551615");
    EXPECT_EQ(Packed().add('A' + 0).add(std::uint64_t{9}).format("%c<%9s>").text, "A<   text 9>");
    EXPECT_EQ(Packed().add(65537).format("%hd").text, "1");
    EXPECT_EQ(Packed().add(0.5).add(1e9).format("%e %G").text, "5.000000e-01 1E+09");
    EXPECT_EQ(Packed().add(1).add(2.0).format("%d %f").arguments, 2);
}

TEST(DevicePrint, WhatIsNoConversionStaysAsItStands) {
    EXPECT_EQ(Packed().add(1).format("%*d %n %d").text, "%*d %n 1");
    EXPECT_EQ(Packed().format("%d and 100%").text, "%d and 100%");
    EXPECT_EQ(Packed().format("%d").arguments, 0);
}

TEST(DevicePrint, ThreadsPrintInTheirOrder) {
    LaunchKit kit = LaunchKit::from_file("printing");
    ASSERT_EQ(kit.error(), "");
    const BufferId x = kit.input("x", std::vector<float>{1.5f, -2.25f});
    const LaunchResult result = kit.run("prints", {1}, {2}, Buffer{x}, 48879);
    EXPECT_EQ(describe(result), "");
    EXPECT_EQ(result.printed,
              "0:  1.50 a!|we  |z 1099511627776 0000beef %\n"
              "1: -2.25 b!|we  |z 1099511627776 0000beef %\n"
              "7 arguments\n");
}

TEST(DevicePrint, TheLastMebibyteIsKept) {
    LaunchKit kit = LaunchKit::from_file("printing");
    const LaunchResult result = kit.run("prints_much", {1}, {1}, 50'000);
    EXPECT_EQ(describe(result), "");
    EXPECT_EQ(result.printed.size(), PrintBuffer::kBytes);
    EXPECT_TRUE(result.printed.ends_with("line 049999 of the whole long text that no buffer holds\n"));
}

}  // namespace
}  // namespace optiml::emulator
