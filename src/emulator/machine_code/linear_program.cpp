#include "emulator/machine_code/linear_program.h"

#include <algorithm>
#include <cmath>

namespace optiml::emulator {
namespace {

constexpr double kTolerance = 1e-9;

// The tableau in canonical form: each row has one basic column, and the last row holds reduced costs. The slack "too little" of an
// equality (or of a bound) is its first basic variable, so that a start needs no search.
class Tableau {
public:
    Tableau(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns + 1), cells_((rows + 1) * columns_), basis_(rows) {}

    double& at(std::size_t row, std::size_t column) { return cells_[row * columns_ + column]; }
    double& right(std::size_t row) { return at(row, columns_ - 1); }
    double& reduced_cost(std::size_t column) { return at(rows_, column); }
    void set_basis(std::size_t row, std::size_t column) { basis_[row] = column; }
    std::size_t basis(std::size_t row) const { return basis_[row]; }

    // One exchange; false when no column improves.
    bool pivot(bool first_improving) {
        const std::size_t column = entering(first_improving);
        if (column == columns_) return false;
        const std::size_t row = leaving(column);
        if (row == rows_) return false;  // unbounded: cannot be with costs >= 0
        eliminate(row, column);
        return true;
    }

private:
    // The steepest column; or, against cycling, the first (Bland's rule).
    std::size_t entering(bool first_improving) {
        std::size_t best = columns_;
        double lowest = -kTolerance;
        for (std::size_t column = 0; column + 1 < columns_; ++column) {
            if (reduced_cost(column) >= lowest) continue;
            best = column;
            if (first_improving) break;
            lowest = reduced_cost(column);
        }
        return best;
    }

    std::size_t leaving(std::size_t column) {
        std::size_t best = rows_;
        double smallest = 0;
        for (std::size_t row = 0; row < rows_; ++row) {
            if (at(row, column) <= kTolerance) continue;
            const double ratio = right(row) / at(row, column);
            const bool tie = best != rows_ && std::abs(ratio - smallest) <= kTolerance;
            if (best == rows_ || (tie ? basis_[row] < basis_[best] : ratio < smallest)) {
                best = row;
                smallest = ratio;
            }
        }
        return best;
    }

    void eliminate(std::size_t row, std::size_t column) {
        const double scale = 1 / at(row, column);
        for (std::size_t i = 0; i < columns_; ++i) at(row, i) *= scale;
        for (std::size_t other = 0; other <= rows_; ++other) {
            const double factor = at(other, column);
            if (other == row || factor == 0) continue;
            for (std::size_t i = 0; i < columns_; ++i) at(other, i) -= factor * at(row, i);
        }
        basis_[row] = column;
    }

    std::size_t rows_;
    std::size_t columns_;  // with the right-hand side
    std::vector<double> cells_;
    std::vector<std::size_t> basis_;
};

}  // namespace

std::uint32_t LinearProgram::add_variable(double cost) {
    costs_.push_back(cost);
    return static_cast<std::uint32_t>(costs_.size() - 1);
}

void LinearProgram::add_equality(Terms terms, double right, double penalty) {
    rows_.push_back({std::move(terms), right, penalty, penalty, true});
}

void LinearProgram::add_lower_bound(Terms terms, double right, double penalty) {
    rows_.push_back({std::move(terms), right, penalty, 0, true});
}

void LinearProgram::add_upper_bound(Terms terms, double right) { rows_.push_back({std::move(terms), right, 0, 0, false}); }

std::vector<double> LinearProgram::minimize(std::uint32_t most_pivots) const {
    const std::size_t variables = costs_.size();
    // Columns: the variables, a slack a row for what the sum lacks, another for what it has too much (unused by bounds).
    Tableau tableau(rows_.size(), variables + 2 * rows_.size());
    for (std::size_t i = 0; i < variables; ++i) tableau.reduced_cost(i) = costs_[i];
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        const double penalty = rows_[row].lack_penalty;
        const std::size_t lacking = variables + row;
        const std::size_t exceeding = variables + rows_.size() + row;
        for (const auto& [variable, coefficient] : rows_[row].terms) tableau.at(row, variable) += coefficient;
        for (std::size_t i = 0; i < variables; ++i) tableau.reduced_cost(i) -= penalty * tableau.at(row, i);
        tableau.at(row, lacking) = 1;
        if (rows_[row].may_exceed) {
            tableau.at(row, exceeding) = -1;
            tableau.reduced_cost(exceeding) = penalty + rows_[row].excess_penalty;
        }
        tableau.right(row) = rows_[row].right;
        tableau.set_basis(row, lacking);
    }
    for (std::uint32_t pivots = 0; pivots < most_pivots && tableau.pivot(pivots > most_pivots / 2); ++pivots) {
    }
    std::vector<double> values(variables, 0);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        if (tableau.basis(row) < variables) values[tableau.basis(row)] = std::max(0.0, tableau.right(row));
    }
    return values;
}

}  // namespace optiml::emulator
