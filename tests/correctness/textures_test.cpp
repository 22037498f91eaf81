// Kernels that read textures, from task file to verdict, counters and modelled time.

#include <gtest/gtest.h>

#include "suite_kit.h"
#include "task/candidate_file.h"

namespace optiml::evaluation {
namespace {

std::string texture_path(const std::string& name) { return std::string(OPTIML_SOURCE_DIR) + "/tests/correctness/textures/" + name; }

struct TextureKit {
    RealDisk disk;
    task::Task task;
    std::unique_ptr<EmulatedEvaluator> evaluator;

    explicit TextureKit(const std::string& name, bool with_time = false) {
        auto loaded = task::load_task(texture_path(name + ".toml"), disk);
        EXPECT_TRUE(loaded) << loaded.error().text();
        if (!loaded) return;
        task = std::move(*loaded);
        EmulatedSettings settings;
        settings.time = with_time;
        auto made = EmulatedEvaluator::make(task, shared_compiler(), disk, settings);
        EXPECT_TRUE(made) << made.error().text();
        if (made) evaluator = std::move(*made);
    }

    Evaluation evaluate(const std::string& file) const {
        const auto candidate = task::load_candidate(task, texture_path(file), "", disk);
        EXPECT_TRUE(candidate) << candidate.error().text();
        return evaluator->evaluate(*candidate);
    }
};

struct Row {
    const char* task;
    const char* file;
    const char* kind;  // of the first finding; null: accepted
    std::uint32_t line;
};
std::ostream& operator<<(std::ostream& stream, const Row& row) { return stream << row.file; }

class TextureCandidate : public testing::TestWithParam<Row> {};

TEST_P(TextureCandidate, IsJudged) {
    const Row& row = GetParam();
    const TextureKit kit(row.task);
    ASSERT_TRUE(kit.evaluator);
    EXPECT_TRUE(kit.evaluator->original_findings().empty());
    const Evaluation evaluation = kit.evaluate(row.file);
    if (row.kind == nullptr) {
        EXPECT_TRUE(evaluation.accepted) << text_of(evaluation);
        return;
    }
    ASSERT_FALSE(evaluation.accepted);
    EXPECT_EQ(name_of(evaluation.first_finding()->kind), row.kind) << text_of(evaluation);
    EXPECT_EQ(evaluation.first_finding()->line, row.line) << text_of(evaluation);
}

INSTANTIATE_TEST_SUITE_P(Files, TextureCandidate,
                         testing::Values(Row{"image_rotation", "image_rotation.cu", nullptr, 0},
                                         Row{"image_rotation", "honest_image_rotation.cu", nullptr, 0},
                                         Row{"image_rotation", "honest_affine_coordinates.cu", nullptr, 0},
                                         Row{"image_rotation", "wrong_half_texel.cu", "wrong_values", 12},
                                         Row{"image_rotation", "wrong_handle.cu", "out_of_bounds", 13},
                                         Row{"surface_brightness", "surface_brightness.cu", nullptr, 0},
                                         Row{"surface_brightness", "wrong_bytes_of_column.cu", "misaligned", 7},
                                         Row{"volume_projection", "honest_volume_projection.cu", nullptr, 0},
                                         Row{"volume_projection", "wrong_steps_at_edges.cu", "wrong_values", 15}),
                         [](const auto& row) { return std::string(row.param.file).substr(0, std::string(row.param.file).find('.')); });

TEST(Textures, AreCountedAndTimed) {
    const TextureKit kit("image_rotation", true);
    ASSERT_TRUE(kit.evaluator);
    const Evaluation evaluation = kit.evaluate("image_rotation.cu");
    ASSERT_TRUE(evaluation.accepted) << text_of(evaluation);
    ASSERT_TRUE(evaluation.profile);
    ASSERT_EQ(evaluation.profile->launches.size(), 1u);
    const auto& counters = evaluation.profile->launches[0].counters;
    const double warps = 4096.0 * 4096 / 32;
    const double requests = counters.at("l1tex__t_requests_pipe_tex_mem_texture.sum");
    EXPECT_DOUBLE_EQ(requests, warps);
    // A warp of 16 x 2 pixels reads a turned patch of the image: at least its eight sectors, and not one a pixel.
    EXPECT_GT(counters.at("l1tex__t_sectors_pipe_tex_mem_texture.sum") / requests, 8);
    EXPECT_LT(counters.at("l1tex__t_sectors_pipe_tex_mem_texture.sum") / requests, 32);
    EXPECT_DOUBLE_EQ(counters.at("sm__inst_executed_pipe_tex.sum"), warps);
    // Not faster than its 64 MB of results leave the device, and not slower than a fetch after the other.
    EXPECT_GT(evaluation.timing->cold_ms, 0.015);
    EXPECT_LT(evaluation.timing->cold_ms, 0.3);
}

}  // namespace
}  // namespace optiml::evaluation
