#pragma once
// `optiml run-once`: one run of a candidate in a process of its own, for tools that watch a whole process.

#include <optional>
#include <string>
#include <vector>

#include "base/disk.h"
#include "evaluation/evaluation.h"
#include "process/scratch_folder.h"
#include "task/task.h"

namespace optiml::workers {

// A run that a tool is to watch: the command, and the file that tells it what to run.
class WatchedRun {
public:
    // program: optiml. compiled: a compiled candidate as workers hand it over (messages.h). Error (environment): no temporary file.
    static Result<WatchedRun> make(const std::string& program, int ordinal, const task::Task& task, const std::string& compiled, const task::Sizes& sizes);
    const std::vector<std::string>& command() const { return command_; }

private:
    WatchedRun(process::ScratchFolder folder, std::vector<std::string> command) : folder_(std::move(folder)), command_(std::move(command)) {}
    process::ScratchFolder folder_;
    std::vector<std::string> command_;
};

// What that command does, with the file's text. The card's lock is held meanwhile. A fault of the candidate is in the value. Errors: of
// the environment, as evaluation::device::run_once; (internal) a text that is no such request.
Result<std::optional<evaluation::Finding>> run_once(int ordinal, const std::string& request, const Disk& disk);

}  // namespace optiml::workers
