#pragma once

#include <string>

#include "cli/console.h"
#include "optiml/optimize.h"

namespace optiml::cli {

// Shows a search as it goes: a live line on a terminal, else a line for each improvement and every 25 evaluations.
class ProgressLines {
public:
    explicit ProgressLines(Console& console) : console_(console) {}
    void show(const optimizer::Progress& progress);

private:
    std::string so_far(const optimizer::Progress& progress) const;

    Console& console_;
    std::uint64_t next_line_ = 25;
};

}  // namespace optiml::cli
