// Beam search level by level, and greedy ascent as the beam of width one that ends where no successor is better.

#include <algorithm>
#include <utility>

#include "search/drive.h"

namespace optiml::search {
namespace {

struct Member {
    StateId state = 0;
    double reward = 0;
};

class Beam final : public Strategy {
public:
    // branching: actions tried of each member. only_upwards: ends where no successor has a higher reward.
    Beam(std::size_t width, std::size_t branching, bool only_upwards)
        : width_(width), branching_(branching), only_upwards_(only_upwards) {}

    void begin(Explorer& explorer, const Score& root) override {
        explorer_ = &explorer;
        open_level({{0, root.reward}});
    }

    std::optional<Trial> next() override {
        while (true) {
            while (!untried_.empty()) {
                const auto [state, action] = untried_.front();
                untried_.pop_front();
                std::optional<Trial> trial = explorer_->try_action(state, action, 0);
                if (!trial) continue;
                ++in_flight_;
                return trial;
            }
            if (in_flight_ > 0 || successors_.empty()) return std::nullopt;
            if (!climb()) return std::nullopt;
        }
    }

    void learn(const TrialResult& result) override {
        --in_flight_;
        if (result.verdict == Verdict::accepted) successors_.push_back({result.trial.state, result.score.reward});
    }

private:
    // The best successors become the next level; false: the search is over.
    bool climb() {
        std::stable_sort(successors_.begin(), successors_.end(), [](const Member& a, const Member& b) { return a.reward > b.reward; });
        if (only_upwards_ && successors_.front().reward <= level_reward_) successors_.clear();
        if (++depth_ >= explorer_->max_depth()) successors_.clear();
        if (successors_.size() > width_) successors_.resize(width_);
        open_level(std::exchange(successors_, {}));
        return !untried_.empty();
    }

    void open_level(const std::vector<Member>& members) {
        for (const Member& member : members) {
            level_reward_ = &member == &members.front() ? member.reward : std::max(level_reward_, member.reward);
            std::vector<Action> actions = explorer_->actions(member.state);
            if (actions.size() > branching_) actions.resize(branching_);
            for (Action& action : actions) untried_.push_back({member.state, std::move(action)});
        }
    }

    std::size_t width_;
    std::size_t branching_;
    bool only_upwards_;
    Explorer* explorer_ = nullptr;
    std::deque<std::pair<StateId, Action>> untried_;
    std::vector<Member> successors_;  // accepted, of the level being tried
    double level_reward_ = 0;         // the best of the level's members
    std::uint32_t depth_ = 0;
    std::uint32_t in_flight_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_beam() { return std::make_unique<Beam>(4, 16, false); }
std::unique_ptr<Strategy> make_greedy() { return std::make_unique<Beam>(1, static_cast<std::size_t>(-1), true); }

}  // namespace optiml::search
