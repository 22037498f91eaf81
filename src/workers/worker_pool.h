#pragma once
// Workers in processes of their own, kept alive, timed, killed and started anew. Knows lines only, not what they say.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "process/line_child.h"

namespace optiml::workers {

struct PoolSettings {
    std::vector<std::string> command;         // the worker program and its arguments
    std::string opening;                      // first line each worker gets; empty: none
    double opening_limit_seconds = 60;
    std::size_t workers = 1;                  // at work at once
    std::size_t spares = 0;                   // more of them, opened and waiting to replace one that fails
    std::uint64_t memory_limit_bytes = 0;
    // Does this answer say that the worker is of no more use (a lost device context)?
    std::function<bool(const std::string& answer)> is_lost;
    // Does the answer to the opening say that it is ready? The default takes any answer.
    std::function<bool(const std::string& answer)> is_ready;
};

struct Answer {
    enum class Kind : std::uint8_t { answered, crashed, timed_out, no_worker } kind = Kind::no_worker;
    std::string line;         // answered
    std::string explanation;  // otherwise: signal or exit status and the end of its standard error; or why none starts
    double seconds = 0;
};

class WorkerPool {
public:
    explicit WorkerPool(PoolSettings settings);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // Waits until one worker is ready. Error: what the first that failed said (environment), or its refused opening answer.
    Status wait_until_ready(double limit_seconds);
    // The opening answer of the first worker that got ready.
    std::string opening_answer() const;
    // Hands the line to a free worker and waits for its answer; thread-safe. A worker that crashes or overruns is replaced while others
    // go on; its line is not repeated.
    Answer ask(const std::string& line, double limit_seconds);
    std::uint64_t restarts() const;

private:
    struct Worker {
        process::LineChild child;
    };

    void keep_filled();               // the thread that starts workers
    Result<Worker> start_one();

    const PoolSettings settings_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Worker> idle_;
    std::vector<Worker> dying_;       // ended by the filler: killing a process that holds a GPU can take a while
    std::size_t alive_ = 0;           // idle, busy or starting
    std::size_t busy_ = 0;
    std::uint64_t restarts_ = 0;
    std::uint32_t failed_starts_ = 0; // in a row
    std::string last_failure_;
    std::string opening_answer_;
    bool stopping_ = false;
    std::thread filler_;
};

}  // namespace optiml::workers
