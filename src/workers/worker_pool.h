#pragma once
// Workers in processes of their own, kept alive, timed, killed and started anew. Knows lines only, not what they say.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "process/line_child.h"

namespace optiml::workers {

// Makes one of the lines a worker gets before any other. first_answer: the last answer to the openings of the first worker that got
// ready, empty until there is one: what that worker found out need not be found out again. May wait for what the line needs. Empty: the
// worker cannot be opened.
using Opening = std::function<std::string(const std::string& first_answer)>;

struct PoolSettings {
    std::vector<std::string> command;         // the worker program and its arguments
    std::vector<Opening> openings;            // sent in this order, each once the last was answered
    double opening_limit_seconds = 60;        // for each
    std::size_t workers = 1;                  // at work at once, at most; started as they are needed
    std::size_t eager = 1;                    // of them, started at once
    std::size_t spares = 0;                   // more of them, opened and waiting to replace one that fails; started after the first
    std::uint64_t memory_limit_bytes = 0;
    // Does this answer say that the worker is of no more use (a lost device context)?
    std::function<bool(const std::string& answer)> is_lost;
    // Does the answer to an opening say that it is ready? The default takes any answer.
    std::function<bool(const std::string& answer)> is_ready;
};

struct Answer {
    enum class Kind : std::uint8_t { answered, crashed, timed_out, no_worker } kind = Kind::no_worker;
    std::string line;           // answered
    std::string explanation;    // otherwise: signal or exit status and the end of its standard error; or why none starts
    double waited_seconds = 0;  // for a free worker
    double seconds = 0;         // with it
};

enum class Turn : std::uint8_t { in_line, first };  // first: before all that wait in line

class WorkerPool {
public:
    explicit WorkerPool(PoolSettings settings);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // Waits until one worker is ready. Error: what the first that failed said (environment), or its refused opening answer.
    Status wait_until_ready(double limit_seconds);
    // The last opening answer of the first worker that got ready.
    std::string opening_answer() const;
    // Hands the line to a free worker and waits for its answer; thread-safe. A worker that crashes or overruns is replaced while others
    // go on; its line is not repeated.
    Answer ask(const std::string& line, double limit_seconds, Turn turn = Turn::in_line);
    // Lines that are with a worker or wait for one.
    std::size_t load() const;
    // Ends all workers that are idle, and returns once they are gone; the next ask() starts one again.
    void rest();
    std::uint64_t restarts() const;

private:
    struct Worker {
        process::LineChild child;
    };

    void keep_filled();               // each of the threads that start and end workers
    bool is_wanted() const;           // one more worker
    bool can_take(Turn turn) const;
    void reap(Worker worker, std::unique_lock<std::mutex>& lock);
    void start(std::unique_lock<std::mutex>& lock);
    Result<Worker> start_one(const std::string& first_answer, std::string& last_answer) const;
    void give_back(Worker worker, bool usable);
    void wake_fillers();              // if there is something for them; with the lock held

    const PoolSettings settings_;
    mutable std::mutex mutex_;
    std::condition_variable changed_; // for askers
    std::condition_variable to_fill_; // for fillers
    std::deque<Worker> idle_;         // the last one works next: as few as possible are kept busy
    std::vector<Worker> dying_;       // ending a process that holds a GPU can take a while
    std::size_t alive_ = 0;           // idle, busy or starting
    std::size_t busy_ = 0;
    std::size_t waiting_ = 0;         // askers without a worker
    std::size_t waiting_first_ = 0;   // of them, those with Turn::first
    std::size_t reaping_ = 0;
    std::uint64_t restarts_ = 0;
    SteadyClock clock_;
    double next_start_ = 0;           // not before, after a failure
    std::uint32_t failed_starts_ = 0; // in a row
    std::string last_failure_;
    std::string opening_answer_;
    bool opened_ = false;             // one worker got ready
    bool resting_ = false;
    bool stopping_ = false;
    std::vector<std::thread> fillers_;
};

}  // namespace optiml::workers
