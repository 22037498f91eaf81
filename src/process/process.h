#pragma once
// Child processes with a time limit and captured output. No shell is ever involved.

#include <string>
#include <vector>

#include "base/result.h"

namespace optiml::process {

struct Command {
    std::vector<std::string> arguments;  // arguments[0] is the program, looked up on PATH
    std::string standard_input;
    double time_limit_seconds = 60;
    std::uint64_t memory_limit_bytes = 0;  // address space; 0: none
};

struct Outcome {
    int exit_status = 0;      // 128 + signal where one ended it
    bool timed_out = false;   // killed, with all its children, at the time limit
    std::string standard_output;
    std::string standard_error;
};

// Errors: environment, where the program is not there or no process can be started.
Result<Outcome> run(const Command& command);

// Full path of a program on PATH; empty if there is none.
std::string find_program(const std::string& name);

}  // namespace optiml::process
