// The control: a random untried action of a random valid state, all equally likely, priors unread.

#include "base/random.h"
#include "search/drive.h"

namespace optiml::search {
namespace {

class Random final : public Strategy {
public:
    void begin(Explorer& explorer, const Score&) override {
        explorer_ = &explorer;
        add(0, 0);
    }

    std::optional<Trial> next() override {
        while (!open_.empty()) {
            const std::size_t place = draw(open_.size());
            Open& open = open_[place];
            const std::size_t choice = draw(open.untried.size());
            const Action action = std::move(open.untried[choice]);
            open.untried.erase(open.untried.begin() + static_cast<std::ptrdiff_t>(choice));
            const std::uint64_t depth = open.depth + 1;
            const StateId state = open.state;
            if (open.untried.empty()) open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(place));
            if (std::optional<Trial> trial = explorer_->try_action(state, action, depth)) return trial;
        }
        return std::nullopt;
    }

    void learn(const TrialResult& result) override {
        if (result.verdict == Verdict::accepted) add(result.trial.state, static_cast<std::uint32_t>(result.trial.token));
    }

private:
    struct Open {
        StateId state = 0;
        std::uint32_t depth = 0;
        std::vector<Action> untried;  // never empty
    };

    void add(StateId state, std::uint32_t depth) {
        if (depth >= explorer_->max_depth()) return;
        std::vector<Action> actions = explorer_->actions(state);
        if (!actions.empty()) open_.push_back({state, depth, std::move(actions)});
    }

    std::size_t draw(std::size_t count) {
        return static_cast<std::size_t>(random_unit(explorer_->seed(), drawn_++) * static_cast<double>(count));
    }

    Explorer* explorer_ = nullptr;
    std::vector<Open> open_;
    std::uint64_t drawn_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_random() { return std::make_unique<Random>(); }

}  // namespace optiml::search
