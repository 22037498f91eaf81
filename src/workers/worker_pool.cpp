#include "workers/worker_pool.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "base/clock.h"

namespace optiml::workers {
namespace {

constexpr std::uint32_t kMostFailedStarts = 3;
constexpr std::size_t kMostFillers = 32;
constexpr double kIdleSeconds = 3600, kRetrySeconds = 0.5, kMostRetrySeconds = 20;

std::string end_of(const std::string& text, std::size_t count) { return text.size() <= count ? text : text.substr(text.size() - count); }

std::string explain(process::LineChild& child) {
    const auto status = child.exit_status();
    std::string how = "it closed its output";
    if (status) how = *status >= 128 ? fmt::format("signal {}", *status - 128) : fmt::format("exit status {}", *status);
    const std::string said = end_of(child.standard_error(), 500);
    return said.empty() ? how : how + "; it said: " + said;
}

std::chrono::duration<double> seconds(double count) { return std::chrono::duration<double>(count); }

}  // namespace

WorkerPool::WorkerPool(PoolSettings settings) : settings_(std::move(settings)) {
    const std::size_t fillers = std::clamp<std::size_t>(settings_.workers + settings_.spares, 1, kMostFillers);
    for (std::size_t i = 0; i < fillers; ++i) fillers_.emplace_back([this] { keep_filled(); });
}

WorkerPool::~WorkerPool() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    to_fill_.notify_all();
    for (std::thread& filler : fillers_) filler.join();
}

bool WorkerPool::is_wanted() const {
    if (resting_ && waiting_ == 0) return false;
    // Before the first is ready a few failures tell that none will be. Later ones may pass (a card full of another run's memory).
    if (!opened_ && failed_starts_ >= kMostFailedStarts) return false;
    if (failed_starts_ > 0 && opened_ && clock_.now() < next_start_) return false;
    const std::size_t needed = std::min(settings_.workers, std::max(settings_.eager, busy_ + waiting_));
    return alive_ < needed + (opened_ ? settings_.spares : 0);
}

void WorkerPool::keep_filled() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        if (!dying_.empty()) {
            Worker worker = std::move(dying_.back());
            dying_.pop_back();
            reap(std::move(worker), lock);
        } else if (is_wanted()) {
            start(lock);
        } else {
            to_fill_.wait_for(lock, seconds(failed_starts_ == 0 ? kIdleSeconds : kRetrySeconds));
        }
    }
}

void WorkerPool::wake_fillers() {
    if (!dying_.empty() || is_wanted()) to_fill_.notify_all();
}

void WorkerPool::reap(Worker worker, std::unique_lock<std::mutex>& lock) {
    ++reaping_;
    lock.unlock();
    { const Worker ended = std::move(worker); }  // kills and waits
    lock.lock();
    --reaping_;
    changed_.notify_all();
}

void WorkerPool::start(std::unique_lock<std::mutex>& lock) {
    ++alive_;
    const std::string first_answer = opening_answer_;
    lock.unlock();
    std::string last_answer;
    Result<Worker> started = start_one(first_answer, last_answer);
    lock.lock();
    if (started) {
        idle_.push_front(std::move(*started));
        if (!opened_) opening_answer_ = std::move(last_answer);
        opened_ = true;
        failed_starts_ = 0;
    } else {
        --alive_;
        ++failed_starts_;
        next_start_ = clock_.now() + std::min(kRetrySeconds * failed_starts_, kMostRetrySeconds);
        last_failure_ = started.error().text();
    }
    wake_fillers();
    changed_.notify_all();
}

Result<WorkerPool::Worker> WorkerPool::start_one(const std::string& first_answer, std::string& last_answer) const {
    auto child = process::LineChild::start(settings_.command, settings_.memory_limit_bytes);
    if (!child) return tl::make_unexpected(child.error());
    for (const Opening& opening : settings_.openings) {
        const std::string line = opening(first_answer);
        if (line.empty()) return environment_error("nothing to open a worker with");
        const auto answer = child->ask(line, settings_.opening_limit_seconds);
        if (!answer && answer.error() == process::LineChild::Failure::timed_out) {
            return environment_error(fmt::format("a worker was not ready after {:.0f} s", settings_.opening_limit_seconds));
        }
        if (!answer) return environment_error("a worker ended while it started: " + explain(*child));
        if (settings_.is_ready && !settings_.is_ready(*answer)) return environment_error(*answer);
        last_answer = *answer;
    }
    return Worker{std::move(*child)};
}

Status WorkerPool::wait_until_ready(double limit_seconds) {
    std::unique_lock lock(mutex_);
    const bool settled = changed_.wait_for(lock, seconds(limit_seconds), [&] { return opened_ || failed_starts_ >= kMostFailedStarts; });
    if (opened_) return {};
    return environment_error(settled ? last_failure_ : fmt::format("no worker was ready after {:.0f} s", limit_seconds));
}

std::string WorkerPool::opening_answer() const {
    const std::lock_guard lock(mutex_);
    return opening_answer_;
}

// Spares do not work beside the others: only `workers` are busy at once.
bool WorkerPool::can_take(Turn turn) const {
    return !idle_.empty() && busy_ < settings_.workers && (turn == Turn::first || waiting_first_ == 0);
}

Answer WorkerPool::ask(const std::string& line, double limit_seconds, Turn turn) {
    const SteadyClock clock;
    const double asked = clock.now();
    std::unique_lock lock(mutex_);
    ++waiting_;
    if (turn == Turn::first) ++waiting_first_;
    resting_ = false;
    wake_fillers();
    const double start_limit = settings_.opening_limit_seconds * kMostFailedStarts + limit_seconds;
    changed_.wait_for(lock, seconds(start_limit), [&] { return can_take(turn) || (failed_starts_ >= kMostFailedStarts && alive_ == 0); });
    const bool taken = can_take(turn);
    --waiting_;
    if (turn == Turn::first) --waiting_first_;
    if (!taken) return {Answer::Kind::no_worker, "", last_failure_, clock.now() - asked, 0};
    Worker worker = std::move(idle_.back());
    idle_.pop_back();
    ++busy_;
    lock.unlock();

    const double began = clock.now();
    auto answered = worker.child.ask(line, limit_seconds);
    Answer answer{.waited_seconds = began - asked, .seconds = clock.now() - began};
    bool usable = answered.has_value();
    if (answered) {
        answer.kind = Answer::Kind::answered;
        answer.line = std::move(*answered);
        usable = !(settings_.is_lost && settings_.is_lost(answer.line));
    } else if (answered.error() == process::LineChild::Failure::timed_out) {
        answer.kind = Answer::Kind::timed_out;
        answer.explanation = fmt::format("no answer within {:.1f} s", limit_seconds);
    } else {
        answer.kind = Answer::Kind::crashed;
        answer.explanation = explain(worker.child);
    }
    if (!usable) worker.child.kill();  // a kernel that never ends blocks the card until its process is gone
    give_back(std::move(worker), usable);
    return answer;
}

void WorkerPool::give_back(Worker worker, bool usable) {
    {
        const std::lock_guard lock(mutex_);
        --busy_;
        if (usable) {
            idle_.push_back(std::move(worker));
        } else {
            --alive_;
            ++restarts_;
            dying_.push_back(std::move(worker));
        }
        wake_fillers();
    }
    changed_.notify_all();
}

std::size_t WorkerPool::load() const {
    const std::lock_guard lock(mutex_);
    return busy_ + waiting_;
}

void WorkerPool::rest() {
    std::unique_lock lock(mutex_);
    resting_ = true;
    alive_ -= idle_.size();
    for (Worker& worker : idle_) dying_.push_back(std::move(worker));
    idle_.clear();
    wake_fillers();
    changed_.wait_for(lock, seconds(settings_.opening_limit_seconds), [&] { return dying_.empty() && reaping_ == 0; });
}

std::uint64_t WorkerPool::restarts() const {
    const std::lock_guard lock(mutex_);
    return restarts_;
}

}  // namespace optiml::workers
