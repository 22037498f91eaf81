#pragma once

namespace optiml::cli {

// The whole program: parses, runs the command, prints its outcome; the value is the exit code (cli/command.h).
int run_program(int argument_count, const char* const* arguments);

}  // namespace optiml::cli
