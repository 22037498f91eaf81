#include "workers/serve.h"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/disk.h"
#include "workers/messages.h"

namespace optiml::workers {
namespace {

class Echo final : public Service {
public:
    Result<nlohmann::json> answer(const nlohmann::json& request) override {
        if (request.value("do", "") == "fail") return environment_error("no card", "Bring one.");
        if (request.value("do", "") == "bytes") return nlohmann::json{{"text", "\xff broken"}};
        return nlohmann::json{{"heard", request.value("do", "")}};
    }
};

std::vector<nlohmann::json> answers_to(const std::string& lines) {
    Echo echo;
    std::istringstream requests(lines);
    std::ostringstream out;
    serve(echo, requests, out);
    std::vector<nlohmann::json> answers;
    std::istringstream read(out.str());
    for (std::string line; std::getline(read, line);) answers.push_back(nlohmann::json::parse(line));
    return answers;
}

TEST(Serve, AnswersEachLineWithOne) {
    const auto answers = answers_to("{\"do\":\"one\"}\n{\"do\":\"fail\"}\nno json\n[1]\n{\"do\":\"bytes\"}\n{\"do\":\"last\"}\n");
    ASSERT_EQ(answers.size(), 6u);
    EXPECT_EQ(answers[0]["heard"], "one");
    EXPECT_EQ(answers[0]["ok"], true);
    EXPECT_EQ(answers[1]["ok"], false);
    EXPECT_EQ(answers[1]["error"], "no card");
    EXPECT_EQ(answers[1]["kind"], "environment");
    EXPECT_EQ(answers[2]["ok"], false);
    EXPECT_EQ(answers[3]["ok"], false);
    EXPECT_EQ(answers[5]["heard"], "last");
}

TEST(DeviceService, WithoutAGpuSaysSo) {
    const auto service = make_device_service(0);
    EXPECT_FALSE(service->answer({{"do", "evaluate"}})) << "nothing was opened";
    EXPECT_FALSE(service->answer({{"do", "dance"}}));
}

TEST(DeviceService, AFieldOfTheWrongTypeIsAnError) {
    const auto service = make_device_service(0);
    std::istringstream requests("{\"do\":7}\n{\"do\":\"dance\"}\n");
    std::ostringstream answers;
    serve(*service, requests, answers);
    const std::string text = answers.str();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
}

TEST(BuildService, ChecksAndCompiles) {
    const RealDisk disk;
    const auto task = task::load_task(OPTIML_SOURCE_DIR "/examples/suite/relu.toml", disk);
    ASSERT_TRUE(task) << task.error().text();
    const auto service = make_build_service();
    const auto opened = service->answer({{"do", "open"}, {"task", to_json(*task)}});
    ASSERT_TRUE(opened) << opened.error().text();

    task::Candidate good = task::original_of(*task);
    good.source += "\n// as it was\n";
    const auto built = service->answer({{"do", "build"}, {"candidate", to_json(*task, good)}});
    ASSERT_TRUE(built) << built.error().text();
    const auto compiled = compiled_from_json((*built)["compiled"]);
    ASSERT_TRUE(compiled);
    EXPECT_FALSE(compiled->cubin.empty());
    EXPECT_EQ(compiled->kernels.at(0).name, "relu");

    const auto compiled_only = service->answer({{"do", "compile"}, {"candidate", to_json(*task, good)}});
    ASSERT_TRUE(compiled_only);
    EXPECT_FALSE(compiled_only->contains("evaluation"));
    EXPECT_EQ(compiled_from_json((*compiled_only)["compiled"])->cubin, compiled->cubin);

    task::Candidate bad = good;
    const std::size_t guard = bad.source.find("i < n");
    ASSERT_NE(guard, std::string::npos);
    bad.source.replace(guard, 5, "i <= n");
    const auto rejected = service->answer({{"do", "build"}, {"candidate", to_json(*task, bad)}});
    ASSERT_TRUE(rejected);
    EXPECT_FALSE(rejected->contains("compiled"));
    const auto evaluation = evaluation::evaluation_from_json((*rejected)["evaluation"].dump());
    ASSERT_TRUE(evaluation);
    EXPECT_EQ(evaluation->first_finding()->kind, evaluation::FindingKind::out_of_bounds);
}

// What the card's own compiler sees is what the emulator runs, under the limits of such a card.
TEST(BuildService, ChecksTheCodeOfTheCard) {
    const RealDisk disk;
    const auto task = task::load_task(OPTIML_SOURCE_DIR "/examples/suite/relu.toml", disk);
    ASSERT_TRUE(task) << task.error().text();
    task::Candidate only_wrong_on_89 = task::original_of(*task);
    const std::size_t guard = only_wrong_on_89.source.find("i < n");
    ASSERT_NE(guard, std::string::npos);
    only_wrong_on_89.source.replace(guard, 5, "i < n + (__CUDA_ARCH__ == 890)");
    task::Candidate much_shared = task::original_of(*task);
    for (task::Step& step : much_shared.plan.steps) step.launch.dynamic_shared = *task::Expression::parse("120 * 1024");

    for (const std::uint32_t compute_capability : {90u, 89u}) {
        const auto service = make_build_service();
        ASSERT_TRUE(service->answer({{"do", "open"}, {"task", to_json(*task)}, {"compute_capability", compute_capability}}));
        const auto kind_of = [&](const task::Candidate& candidate) -> std::string {
            const auto built = service->answer({{"do", "build"}, {"candidate", to_json(*task, candidate)}});
            const auto evaluation = evaluation::evaluation_from_json((*built)["evaluation"].dump());
            return evaluation->findings.empty() ? "none" : std::string(name_of(evaluation->findings.front().kind));
        };
        EXPECT_EQ(kind_of(only_wrong_on_89), compute_capability == 89 ? "out_of_bounds" : "none");
        EXPECT_EQ(kind_of(much_shared), compute_capability == 89 ? "launch" : "none");
    }
}

}  // namespace
}  // namespace optiml::workers
