// The evaluator's own device code, run on the emulator: what judges candidates must itself be right, and free of races.
#include "gpu/helper_kernels_source.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "emulator/launch_kit.h"
#include "gpu/compiler.h"

namespace optiml::evaluation::device {
namespace {

using emulator::LaunchKit;

struct Found {  // struct Result of the device source
    std::uint64_t mismatches, last_index_first, largest_difference_bits, largest_truth_bits;
    double difference_sum_of_squares, truth_sum_of_squares;
    std::uint64_t candidate_zeros, non_finite_mismatches;
    double largest_difference() const { return std::bit_cast<double>(largest_difference_bits); }
};

const std::string& ptx() {
    static const std::string text = [] {
        const auto compiler = gpu::load_compiler();
        if (!compiler) return std::string();
        std::set<gpu::ElementType> types;
        for (int type = 0; type <= static_cast<int>(gpu::ElementType::f64); ++type) types.insert(static_cast<gpu::ElementType>(type));
        gpu::CompileRequest request{.source = gpu::helper_kernels_source(types)};
        request.want_cubin = false;
        return (*compiler)->compile(request).ptx;
    }();
    return text;
}

class HelperKernels : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(kit.error(), ""); }

    template <class... Arguments>
    void run(const char* kernel, std::uint32_t blocks, const Arguments&... arguments) {
        const auto result = kit.run(kernel, {blocks}, {256}, arguments...);
        EXPECT_EQ(kit.error(), "");
        EXPECT_EQ(emulator::describe(result), "");
    }
    template <class T>
    Found compare(const char* kernel, const std::vector<T>& candidate, const std::vector<T>& truth, double absolute, double relative) {
        const auto a = kit.input("candidate", candidate), b = kit.input("truth", truth);
        const auto found = kit.input("found", std::vector<Found>(1));
        run(kernel, 3, LaunchKit::Buffer{a}, LaunchKit::Buffer{b}, std::uint64_t{candidate.size()}, absolute, relative, LaunchKit::Buffer{found});
        return kit.read<Found>(found)[0];
    }
    std::uint64_t differing(const std::vector<std::uint8_t>& left, const std::vector<std::uint8_t>& right, std::int64_t offset) {
        const auto a = kit.input("left", left), b = kit.input("right", right);
        const auto found = kit.input("found", std::vector<Found>(1));
        run("optiml_differing_bytes", 2, emulator::BufferArgument{a, offset}, emulator::BufferArgument{b, offset},
            std::uint64_t{left.size() - static_cast<std::size_t>(offset)}, LaunchKit::Buffer{found});
        return kit.read<Found>(found)[0].mismatches;
    }

    LaunchKit kit{ptx()};
};

TEST_F(HelperKernels, CompareFindsNothingInEqualOutputs) {
    const std::vector<float> values(3000, 2.0f);
    const Found found = compare("optiml_compare_f32", values, values, 0, 0);
    EXPECT_EQ(found.mismatches, 0u);
    EXPECT_EQ(found.candidate_zeros, 0u);
    EXPECT_DOUBLE_EQ(found.truth_sum_of_squares, 12000);
    EXPECT_EQ(std::bit_cast<double>(found.largest_truth_bits), 2.0);
}

TEST_F(HelperKernels, CompareCountsAndPlacesMismatches) {
    std::vector<float> truth(3000, 2.0f), candidate = truth;
    candidate[2999] = 2.5f;
    candidate[1234] = 0;
    candidate[700] = NAN;
    candidate[50] = 2.05f;
    const Found found = compare("optiml_compare_f32", candidate, truth, 0.06, 0);
    EXPECT_EQ(found.mismatches, 3u);
    EXPECT_EQ(~found.last_index_first, 700u);
    EXPECT_EQ(found.largest_difference(), 2.0);
    EXPECT_EQ(found.candidate_zeros, 1u);
    EXPECT_NEAR(found.difference_sum_of_squares, 0.25 + 4 + 0.0025, 1e-6);
    EXPECT_EQ(compare("optiml_compare_f32", candidate, truth, 0.06, 0.3).mismatches, 2u);
}

TEST_F(HelperKernels, CompareTakesSpecialValuesAsTheyAre) {
    const std::vector<double> truth = {NAN, INFINITY, -INFINITY, INFINITY, 1};
    EXPECT_EQ(compare("optiml_compare_f64", truth, truth, 0, 0).mismatches, 0u);
    const Found found = compare("optiml_compare_f64", {1, -INFINITY, -INFINITY, NAN, INFINITY}, truth, 10, 10);
    EXPECT_EQ(found.mismatches, 4u);
    EXPECT_EQ(found.non_finite_mismatches, 4u);
    EXPECT_EQ(~found.last_index_first, 0u);
    EXPECT_EQ(compare("optiml_compare_f64", {2, 1}, std::vector<double>{1, 1}, 0, 0).non_finite_mismatches, 0u);
}

TEST_F(HelperKernels, CompareReadsNarrowFloats) {
    // 1, 1.5, -2, infinity, NaN, and 1 against 1.5
    const std::vector<std::uint16_t> half = {0x3C00, 0x3E00, 0xC000, 0x7C00, 0x7E00, 0x3C00}, half_truth = {0x3C00, 0x3E00, 0xC000, 0x7C00, 0x7E01, 0x3E00};
    const Found of_half = compare("optiml_compare_f16", half, half_truth, 0, 0);
    EXPECT_EQ(of_half.mismatches, 1u);
    EXPECT_EQ(of_half.largest_difference(), 0.5);
    EXPECT_EQ(std::bit_cast<double>(of_half.largest_truth_bits), 2);
    const std::vector<std::uint16_t> brain = {0x3F80, 0x3FC0, 0xC000, 0x7F80, 0x7FC0, 0x3F80}, brain_truth = {0x3F80, 0x3FC0, 0xC000, 0x7F80, 0x7FC1, 0x3FC0};
    const Found of_brain = compare("optiml_compare_bf16", brain, brain_truth, 0, 0);
    EXPECT_EQ(of_brain.mismatches, 1u);
    EXPECT_EQ(of_brain.largest_difference(), 0.5);
}

TEST_F(HelperKernels, CompareIsExactForIntegers) {
    std::vector<std::int64_t> truth(600, (std::int64_t{1} << 60) + 1), candidate = truth;
    candidate[599] -= 1;  // the same as a double
    const Found found = compare("optiml_compare_i64", candidate, truth, 100, 100);
    EXPECT_EQ(found.mismatches, 1u);
    EXPECT_EQ(~found.last_index_first, 599u);
}

TEST_F(HelperKernels, DifferingBytesAreCountedAlignedAndNot) {
    std::vector<std::uint8_t> left(5003, 7), right = left;
    for (const std::size_t i : {0, 15, 16, 17, 4999, 5000, 5002}) right[i] = 8;
    EXPECT_EQ(differing(left, right, 0), 7u);
    EXPECT_EQ(differing(left, right, 1), 6u);
    EXPECT_EQ(differing(left, left, 0), 0u);
}

TEST_F(HelperKernels, OtherBytesAreCounted) {
    std::vector<std::uint8_t> bytes(3000, 0xC5);
    bytes[0] = bytes[1500] = bytes[2999] = 0;
    const auto buffer = kit.input("bytes", bytes);
    const auto found = kit.input("found", std::vector<Found>(1));
    run("optiml_other_bytes", 4, LaunchKit::Buffer{buffer}, std::uint32_t{0xC5}, std::uint64_t{bytes.size()}, LaunchKit::Buffer{found});
    EXPECT_EQ(kit.read<Found>(found)[0].mismatches, 3u);
}

TEST_F(HelperKernels, MaskHidesEveryWordAndGivesItBack) {
    std::vector<std::uint8_t> bytes(2051);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
    for (const std::int64_t offset : {0, 4}) {
        const auto buffer = kit.input("bytes", bytes);
        const std::uint64_t count = bytes.size() - static_cast<std::size_t>(offset), key = 0x123456789ABCDEF;
        const auto mask = [&](std::uint64_t with) { run("optiml_mask", 2, emulator::BufferArgument{buffer, offset}, count, with); };
        mask(key);
        const auto hidden = kit.read<std::uint8_t>(buffer);
        std::size_t kept = 0;
        for (std::size_t i = static_cast<std::size_t>(offset); i < bytes.size(); ++i) kept += hidden[i] == bytes[i];
        EXPECT_LT(kept, bytes.size() / 50) << offset;  // one in 256 by chance
        mask(key + 1);
        EXPECT_NE(kit.read<std::uint8_t>(buffer), bytes);
        mask(key + 1);
        mask(key);
        EXPECT_EQ(kit.read<std::uint8_t>(buffer), bytes) << offset;
    }
}

TEST_F(HelperKernels, ADigestTellsEveryByteAndPlaceAlignedAndNot) {
    std::vector<std::uint8_t> bytes(2051);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
    for (const std::int64_t offset : {0, 4}) {
        const auto digest = [&](const std::vector<std::uint8_t>& of, std::uint64_t key, std::uint64_t expected) {
            const auto found = kit.input("found", std::vector<Found>(1));
            run("optiml_digest", 2, emulator::BufferArgument{kit.input("bytes", of), offset}, std::uint64_t{of.size() - static_cast<std::size_t>(offset)},
                key, expected, LaunchKit::Buffer{found});
            return kit.read<Found>(found)[0].mismatches;
        };
        const std::uint64_t known = digest(bytes, 5, 0);
        const std::vector<std::uint8_t> whole_words(bytes.begin(), bytes.begin() + 2048);
        EXPECT_NE(digest(whole_words, 5, 0), digest(whole_words, 6, 0)) << "nobody knows it without the key";
        EXPECT_EQ(digest(bytes, 5, known), 0u);
        for (const std::size_t place : {4, 1024, 2047, 2050}) {
            auto changed = bytes;
            changed[place] ^= 0x80;
            EXPECT_NE(digest(changed, 5, known), 0u) << place;
        }
        auto moved = bytes;
        std::swap_ranges(moved.begin() + 8, moved.begin() + 16, moved.begin() + 16);
        EXPECT_NE(digest(moved, 5, known), 0u);
    }
}

TEST_F(HelperKernels, FillsStayInTheirBounds) {
    const auto buffer = kit.output<std::int32_t>("elements", 1000);
    run("optiml_fill_i32", 2, LaunchKit::Buffer{buffer}, std::uint64_t{1000}, std::int32_t{0}, -3.0, 7.0, std::uint64_t{5});
    const auto values = kit.read<std::int32_t>(buffer);
    EXPECT_EQ(*std::min_element(values.begin(), values.end()), -3);
    EXPECT_EQ(*std::max_element(values.begin(), values.end()), 7);
}

TEST_F(HelperKernels, FillsRoundToNarrowFloats) {
    const auto half = kit.output<std::uint16_t>("half", 300), brain = kit.output<std::uint16_t>("brain", 300);
    run("optiml_fill_f16", 2, LaunchKit::Buffer{half}, std::uint64_t{300}, std::int32_t{0}, 1.5, 1.5, std::uint64_t{5});
    run("optiml_fill_bf16", 2, LaunchKit::Buffer{brain}, std::uint64_t{300}, std::int32_t{0}, 1.01, 1.01, std::uint64_t{5});
    EXPECT_EQ(kit.read<std::uint16_t>(half), std::vector<std::uint16_t>(300, 0x3E00));
    EXPECT_EQ(kit.read<std::uint16_t>(brain), std::vector<std::uint16_t>(300, 0x3F81));  // 1.0078, the nearer neighbour of 1.01
    run("optiml_fill_f32", 2, LaunchKit::Buffer{kit.output<float>("normal", 300)}, std::uint64_t{300}, std::int32_t{1}, 0.0, 1.0, std::uint64_t{5});
}

}  // namespace
}  // namespace optiml::evaluation::device
