#pragma once

#include <string>

#include "cli/console.h"
#include "optimizer/services.h"

namespace optiml::cli {

// Shows a search as it goes: a live line on a terminal, else a line for each improvement and every 25 evaluations.
class ProgressLines {
public:
    ProgressLines(Console& console, std::string label, optimizer::Budget budget)
        : console_(console), label_(std::move(label)), budget_(budget) {}
    void show(const optimizer::Progress& progress);

private:
    std::string so_far(const optimizer::Progress& progress) const;

    Console& console_;
    const std::string label_;
    const optimizer::Budget budget_;
    std::uint64_t next_line_ = 25;
};

}  // namespace optiml::cli
