#pragma once
// A small dense simplex method: minimise a cost over variables >= 0, with equalities that may be missed at a price and upper bounds.

#include <cstdint>
#include <utility>
#include <vector>

namespace optiml::emulator {

class LinearProgram {
public:
    using Terms = std::vector<std::pair<std::uint32_t, double>>;  // (variable, coefficient); repeated variables add up

    std::uint32_t add_variable(double cost);
    // sum of terms = right (>= 0); each unit of deviation either way costs `penalty`.
    void add_equality(Terms terms, double right, double penalty);
    // sum of terms >= right (>= 0); each unit that lacks costs `penalty`.
    void add_lower_bound(Terms terms, double right, double penalty);
    // sum of terms <= right (>= 0).
    void add_upper_bound(Terms terms, double right);

    // The best values found within `most_pivots` (each costs rows x columns operations); always feasible, optimal if it ended by itself.
    std::vector<double> minimize(std::uint32_t most_pivots) const;

private:
    struct Row {
        Terms terms;
        double right = 0;
        double lack_penalty = 0;
        double excess_penalty = 0;
        bool may_exceed = true;
    };
    std::vector<double> costs_;
    std::vector<Row> rows_;
};

}  // namespace optiml::emulator
