// Whose rounding is it? An original that is inaccurate at the timing sizes, and its computation in f64 by a real compiler's module that the
// scripted driver runs.

#include "session_fixture.h"

namespace optiml::evaluation::device {
namespace {

class InaccurateOriginal : public Session {
protected:
    void SetUp() override {
        Session::SetUp();
        open("100 coarse");
    }
};

TEST_F(InaccurateOriginal, TheAccurateAreJudgedByF64) {
    const Evaluation right = evaluate("50 right");
    EXPECT_TRUE(right.accepted) << reason(right);
    EXPECT_NE(right.accuracy_note.find("f64"), std::string::npos) << right.accuracy_note;
}

TEST_F(InaccurateOriginal, ThoseThatRoundAsItDoesAreJudgedByIt) {
    ASSERT_TRUE(evaluate("50 right").accepted);
    const Evaluation same = evaluate("50 coarse");
    EXPECT_TRUE(same.accepted) << reason(same);
    EXPECT_EQ(same.accuracy_note, "");
}

TEST_F(InaccurateOriginal, TheWrongAgreeWithNeither) {
    const Evaluation wrong = evaluate("50 wrong_from_timing_sizes");
    ASSERT_FALSE(wrong.accepted);
    EXPECT_EQ(wrong.first_finding()->sizes.at("n"), 4096);
    EXPECT_EQ(scripted_launches("10 right"), 4u) << "in f64: at two odd sizes, at the timing sizes and to judge it by";
}

TEST_F(InaccurateOriginal, AComputationInF64ThatDiffersWhereTheOriginalIsAccurateIsNotBelieved) {
    scripted_wider("10 wrong");
    const Evaluation right = evaluate("50 right");
    EXPECT_FALSE(right.accepted);
    EXPECT_FALSE(session_->is_lost());
    EXPECT_FALSE(evaluate("50 wrong_from_timing_sizes").accepted) << "it agrees with what is not believed";
}

TEST_F(InaccurateOriginal, AFaultInF64IsHeldAgainstNobody) {
    scripted_wider("10 fault");
    const auto lost = evaluate_all({"50 coarse", "50 right", "40 coarse"});
    EXPECT_TRUE(session_->is_lost_in_f64());
    for (const auto& evaluation : lost) EXPECT_FALSE(evaluation.has_value());
    (void)session_.release();

    SetUp();
    scripted_wider("10 fault");
    session_->judge_as_written();
    const auto again = evaluate_all({"50 coarse", "50 right", "40 coarse"});
    EXPECT_FALSE(session_->is_lost());
    EXPECT_TRUE(again[0]->accepted) << reason(*again[0]);
    EXPECT_FALSE(again[1]->accepted);
    EXPECT_TRUE(again[2]->accepted) << reason(*again[2]);
}

TEST_F(InaccurateOriginal, AHangInF64IsNoticedInTime) {
    scripted_wider("10 endless");
    const SteadyClock clock;
    const double began = clock.now();
    const auto lost = evaluate_all({"50 right"});
    EXPECT_TRUE(session_->is_lost_in_f64());
    EXPECT_FALSE(lost[0].has_value());
    EXPECT_LT(clock.now() - began, 10) << "the supervisor waits no longer";
}

TEST_F(InaccurateOriginal, AFaultOfACandidateIsItsOwn) {
    ASSERT_TRUE(evaluate("50 right").accepted);
    const auto evaluations = evaluate_all({"50 fault"});
    EXPECT_TRUE(session_->is_lost());
    EXPECT_FALSE(session_->is_lost_in_f64());
    ASSERT_TRUE(evaluations[0].has_value());
}

TEST_F(Session, AnOriginalThatIsAccurateAloneJudges) {
    const char* in_f64 = "10 right";
    open("100 right");
    EXPECT_FALSE(evaluate("50 coarse").accepted);
    const std::size_t to_know = scripted_launches(in_f64);
    EXPECT_EQ(to_know, 3u) << "at two odd sizes, to believe it, and at the timing sizes";
    EXPECT_FALSE(evaluate("50 coarse").accepted);
    const Evaluation right = evaluate("50 right");
    EXPECT_TRUE(right.accepted) << reason(right);
    EXPECT_EQ(right.accuracy_note, "");
    EXPECT_EQ(scripted_launches(in_f64), to_know);
}

}  // namespace
}  // namespace optiml::evaluation::device
