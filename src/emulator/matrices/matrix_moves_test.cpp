#include <gtest/gtest.h>

#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;

std::vector<std::uint16_t> numbered(std::size_t count) {
    std::vector<std::uint16_t> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint16_t>(1000 + i);
    return values;
}

std::uint16_t element(std::uint32_t matrix, std::uint32_t row, std::uint32_t column) {
    return static_cast<std::uint16_t>(1000 + matrix * 64 + row * 8 + column);
}

class MatrixMoves : public testing::Test {
protected:
    LaunchResult load(const std::string& kernel, std::uint32_t matrices, int rows) {
        x_ = kit_.input("x", numbered(256));
        y_ = kit_.output<std::uint32_t>("y", matrices * 32);
        return kit_.run(kernel, {1}, {32}, Buffer{x_}, Buffer{y_}, rows);
    }
    void expect_loaded(const std::string& kernel, std::uint32_t matrices, bool transposed) {
        EXPECT_EQ(describe(load(kernel, matrices, static_cast<int>(8 * matrices))), "");
        const std::vector<std::uint32_t> y = kit_.read<std::uint32_t>(y_);
        for (std::uint32_t matrix = 0; matrix < matrices; ++matrix) {
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                const std::uint32_t line = lane / 4;
                const std::uint32_t first = lane % 4 * 2;
                const std::uint16_t low = transposed ? element(matrix, first, line) : element(matrix, line, first);
                const std::uint16_t high = transposed ? element(matrix, first + 1, line) : element(matrix, line, first + 1);
                EXPECT_EQ(y[matrix * 32 + lane], low | std::uint32_t{high} << 16) << kernel << " matrix " << matrix << " lane " << lane;
            }
        }
    }

    LaunchKit kit_ = LaunchKit::from_file("matrix_moves");
    BufferId x_ = 0;
    BufferId y_ = 0;
};

TEST_F(MatrixMoves, LoadsRows) {
    expect_loaded("load1", 1, false);
    expect_loaded("load2", 2, false);
    expect_loaded("load4", 4, false);
}

TEST_F(MatrixMoves, LoadsColumns) {
    expect_loaded("load1_transposed", 1, true);
    expect_loaded("load4_transposed", 4, true);
}

TEST_F(MatrixMoves, StoresColumns) {
    x_ = kit_.input("x", numbered(256));
    y_ = kit_.output<std::uint16_t>("y", 256);
    EXPECT_EQ(describe(kit_.run("transposes", {1}, {32}, Buffer{x_}, Buffer{y_}, 32)), "");
    const std::vector<std::uint16_t> y = kit_.read<std::uint16_t>(y_);
    for (std::uint32_t i = 0; i < 256; ++i) EXPECT_EQ(y[i], element(i / 64, i % 8, i / 8 % 8)) << i;
}

TEST_F(MatrixMoves, UninitializedRowsAreNoticedWhereTheyDecideSomething) {
    EXPECT_EQ(describe(load("load4", 4, 31)), "");  // copied, no more
    const std::vector<std::uint8_t> flags = kit_.memory.uninitialized(y_, 0, 4 * 128);
    for (std::uint32_t byte = 0; byte < flags.size(); ++byte) EXPECT_EQ(flags[byte] != 0, byte / 4 >= 3 * 32 + 28) << byte;
    x_ = kit_.input("x", numbered(256));
    y_ = kit_.output<std::uint16_t>("y", 256);
    const LaunchResult result = kit_.run("transposes", {1}, {32}, Buffer{x_}, Buffer{y_}, 31);
    ASSERT_FALSE(result.findings.empty());
    for (const Finding& finding : result.findings) EXPECT_EQ(finding.kind, FindingKind::uninitialized);
}

TEST_F(MatrixMoves, RowsAreWrittenByTheLanesThatNameThem) {
    y_ = kit_.output<std::uint32_t>("y", 32);
    const LaunchResult result = kit_.run("stores_too_early", {1}, {32}, Buffer{y_});
    ASSERT_FALSE(result.findings.empty());
    EXPECT_EQ(result.findings[0].kind, FindingKind::race);
}

TEST_F(MatrixMoves, CountBankConflictsByRows) {
    LaunchResult result = load("load4", 4, 32);
    // Rows 48 bytes apart: eight of them fall on all 32 banks once.
    EXPECT_EQ(result.counters["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"], 4);
    EXPECT_EQ(result.counters["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"], 0);
}

}  // namespace
}  // namespace optiml::emulator
