#include "workers/serve.h"

#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

}  // namespace
}  // namespace optiml::workers
