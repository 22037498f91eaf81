#include "search/search.h"

#include "search/drive.h"

namespace optiml::search {
namespace {

struct Algorithm {
    std::string_view name;
    std::unique_ptr<Strategy> (*make)();
};

constexpr Algorithm kAlgorithms[] = {
    {"mcts", make_mcts},
    {"beam", make_beam},
    {"greedy", make_greedy},
    {"random", make_random},
};

class DrivenSearch final : public Search {
public:
    explicit DrivenSearch(const Algorithm& algorithm) : algorithm_(algorithm) {}
    std::string name() const override { return std::string(algorithm_.name); }
    Outcome run(Problem& problem, const StopRule& stop, const Options& options) override {
        return drive(*algorithm_.make(), problem, stop, options);
    }

private:
    const Algorithm& algorithm_;
};

}  // namespace

std::unique_ptr<Search> make_search(std::string_view name) {
    for (const Algorithm& algorithm : kAlgorithms) {
        if (algorithm.name == name) return std::make_unique<DrivenSearch>(algorithm);
    }
    return nullptr;
}

}  // namespace optiml::search
