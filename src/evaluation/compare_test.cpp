#include "evaluation/compare.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace optiml::evaluation {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

Output output_of(task::ScalarType type, const std::vector<double>& values) {
    Output output{0, "y", type, values.size()};
    output.bytes.resize(values.size() * task::bytes_of(type));
    for (std::size_t i = 0; i < values.size(); ++i) task::store_float(type, values[i], output.bytes.data() + i * task::bytes_of(type));
    output.written.assign(values.size(), true);
    return output;
}

// The original is exact, and candidates may be `bound` off.
Reference reference_of(task::ScalarType type, const std::vector<double>& values, double bound) {
    Reference reference;
    reference.outputs.push_back({output_of(type, values), {values, std::vector<double>(values.size())}, std::vector<double>(values.size(), bound)});
    return reference;
}

struct FloatCase {
    const char* name;
    std::vector<double> original;
    std::vector<double> candidate;
    std::optional<FindingKind> kind;
    std::uint64_t element = 0;
};
std::ostream& operator<<(std::ostream& stream, const FloatCase& float_case) { return stream << float_case.name; }

class CompareFloats : public testing::TestWithParam<FloatCase> {};

TEST_P(CompareFloats, FindsTheWorst) {
    const FloatCase& expected = GetParam();
    const auto deviation = compare(reference_of(task::ScalarType::f32, expected.original, 1e-6),
                                   {output_of(task::ScalarType::f32, expected.candidate)}, {});
    ASSERT_EQ(deviation.has_value(), expected.kind.has_value()) << (deviation ? deviation->message : "");
    if (!deviation) return;
    EXPECT_EQ(deviation->kind, *expected.kind) << deviation->message;
    EXPECT_EQ(deviation->element, expected.element) << deviation->message;
}

INSTANTIATE_TEST_SUITE_P(
    Table, CompareFloats,
    testing::Values(FloatCase{"equal", {1, 2, kNan, kInfinity}, {1, 2, kNan, kInfinity}, std::nullopt},
                    FloatCase{"within", {1, 2}, {1 + 5e-7, 2}, std::nullopt},
                    FloatCase{"inaccurate", {1, 2}, {1, 2.001}, FindingKind::accuracy, 1},
                    FloatCase{"wrong", {1, 2, 3}, {1.001, 5, 3.001}, FindingKind::wrong_values, 1},
                    FloatCase{"lost_nan", {1, kNan}, {1, 0}, FindingKind::wrong_values, 1},
                    FloatCase{"new_nan", {1, 2}, {kNan, 2}, FindingKind::wrong_values, 0},
                    FloatCase{"infinity_for_nan", {kNan}, {kInfinity}, FindingKind::wrong_values, 0},
                    FloatCase{"other_infinity", {kInfinity}, {-kInfinity}, FindingKind::wrong_values, 0},
                    FloatCase{"new_infinity", {1}, {kInfinity}, FindingKind::wrong_values, 0},
                    FloatCase{"small_beside_large", {1000, 1e-3}, {1000, 2e-3}, FindingKind::accuracy, 1}));

TEST(Compare, OverflowOfTheOriginalMayBeAvoided) {
    Reference reference = reference_of(task::ScalarType::f32, {kInfinity, kNan}, 1e30);
    reference.outputs[0].exact.high = {1e38, 2.0};
    reference.outputs[0].bounds = {1e32, 1e-6};
    EXPECT_FALSE(compare(reference, {output_of(task::ScalarType::f32, {1e38, 2.0})}, {}));
    EXPECT_TRUE(compare(reference, {output_of(task::ScalarType::f32, {0, 2.0})}, {}));
}

TEST(Compare, IntegersAreExactButForNearTies) {
    Reference reference = reference_of(task::ScalarType::i32, {1, 2, 3}, 0);
    EXPECT_FALSE(compare(reference, {output_of(task::ScalarType::i32, {1, 2, 3})}, {}));
    const auto deviation = compare(reference, {output_of(task::ScalarType::i32, {1, 2, 4})}, {});
    ASSERT_TRUE(deviation);
    EXPECT_EQ(deviation->kind, FindingKind::wrong_values);
    EXPECT_EQ(deviation->message, "element 2 of 'y' is 4 instead of 3 (1 of 3 elements differ)");
    reference.outputs[0].bounds[2] = kInfinity;
    EXPECT_FALSE(compare(reference, {output_of(task::ScalarType::i32, {1, 2, 4})}, {}));
}

TEST(Compare, WhatTheOriginalWritesMustBeWritten) {
    Reference reference = reference_of(task::ScalarType::f32, {1, 2, 3}, 1);
    Output output = output_of(task::ScalarType::f32, {1, 9, 3});
    output.written[2] = false;
    const auto deviation = compare(reference, {output}, {});
    ASSERT_TRUE(deviation);
    EXPECT_TRUE(deviation->never_written);
    EXPECT_EQ(deviation->element, 2u);
    reference.outputs[0].original.written = {true, true, false};
    output.bytes = reference.outputs[0].original.bytes;
    EXPECT_FALSE(compare(reference, {output}, {}));
}

TEST(Compare, WhatTheOriginalLeavesMustStay) {
    Reference reference = reference_of(task::ScalarType::f32, {1, 2, 3, 4}, 1);
    reference.outputs[0].original.written = {true, false, false, false};
    Output output = output_of(task::ScalarType::f32, {1, 2, 3, 4});
    output.written = {true, false, true, true};
    const auto deviation = compare(reference, {output}, {});
    ASSERT_TRUE(deviation);
    EXPECT_EQ(deviation->kind, FindingKind::wrong_values);
    EXPECT_EQ(deviation->element, 2u);
    EXPECT_EQ(deviation->message, "element 2 of 'y' was written, which the original leaves as it was (2 of 3 elements it leaves so)");
    output.written = {true, false, false, false};
    EXPECT_FALSE(compare(reference, {output}, {}));
}

// 0.1 as the original has it is 1.5e-9 above 0.1: what counts is the distance to the exact value, and the message says that one.
TEST(Compare, TellsTheDistanceToTheExactValue) {
    Reference reference = reference_of(task::ScalarType::f32, {0.1}, 1e-9);
    reference.outputs[0].exact.high = {0.1};
    const auto deviation = compare(reference, {output_of(task::ScalarType::f32, {0.125})}, {});
    ASSERT_TRUE(deviation);
    EXPECT_NE(deviation->message.find("0.025 off; at most 1e-09 off is allowed"), std::string::npos) << deviation->message;
}

TEST(Compare, FollowsTheUsersChecks) {
    const Reference reference = reference_of(task::ScalarType::f32, {kNan, 1}, 1);
    task::Checks checks;
    checks.compare_nan_exactly = false;
    EXPECT_FALSE(compare(reference, {output_of(task::ScalarType::f32, {0, 1.5})}, checks));
    checks.bitwise = true;
    EXPECT_TRUE(compare(reference, {output_of(task::ScalarType::f32, {kNan, 1.0000001})}, checks));
    EXPECT_TRUE(compare(reference_of(task::ScalarType::f32, {0.0}, 0), {output_of(task::ScalarType::f32, {-0.0})}, checks));
}

TEST(Power, IsMissingWhereZerosOrAConstantWouldPass) {
    EXPECT_TRUE(has_power(reference_of(task::ScalarType::f32, {1, 2}, 1e-6)));
    EXPECT_TRUE(has_power(reference_of(task::ScalarType::f32, {1}, 1e-6)));
    EXPECT_FALSE(has_power(reference_of(task::ScalarType::f32, {1e-7, 2e-7}, 1e-6)));
    EXPECT_FALSE(has_power(reference_of(task::ScalarType::f32, {3, 3, 3}, 1e-6)));
    EXPECT_FALSE(has_power(reference_of(task::ScalarType::f32, {}, 1e-6)));
    EXPECT_TRUE(has_power(reference_of(task::ScalarType::i32, {0, 1}, 0)));
}

}  // namespace
}  // namespace optiml::evaluation
