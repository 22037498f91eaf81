#pragma once
// The commands of the program: each adds itself to the parser and, when chosen, leaves what is to be run.

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "cli/console.h"

namespace optiml::cli {

constexpr int kDone = 0;
constexpr int kNo = 1;           // the answer is no
constexpr int kUsage = 2;
constexpr int kEnvironment = 3;
constexpr int kFaultyOriginal = 4;
constexpr int kBug = 70;
constexpr int kInterrupted = 130;

int exit_code_of(ErrorKind kind);

// Runs after parsing; the value is the exit code.
using Action = std::function<Result<int>(Console&)>;

void add_optimize(CLI::App& app, Action& chosen);
void add_verify(CLI::App& app, Action& chosen);
void add_profile(CLI::App& app, Action& chosen);
void add_diagnose(CLI::App& app, Action& chosen);
void add_explain(CLI::App& app, Action& chosen);
void add_resume(CLI::App& app, Action& chosen);
void add_runs(CLI::App& app, Action& chosen);
void add_suite(CLI::App& app, Action& chosen);
void add_doctor(CLI::App& app, Action& chosen);
void add_calibrate(CLI::App& app, Action& chosen);
void add_evaluate(CLI::App& app, Action& chosen);
void add_worker(CLI::App& app, Action& chosen);
void add_run_once(CLI::App& app, Action& chosen);

}  // namespace optiml::cli
