#include "workers/worker_pool.h"

#include <chrono>

#include <fmt/format.h>

#include "base/clock.h"

namespace optiml::workers {
namespace {

constexpr std::uint32_t kMostFailedStarts = 3;

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

WorkerPool::WorkerPool(PoolSettings settings) : settings_(std::move(settings)), filler_([this] { keep_filled(); }) {}

WorkerPool::~WorkerPool() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    filler_.join();
}

void WorkerPool::keep_filled() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        std::vector<Worker> dying;
        std::swap(dying, dying_);
        const bool wanted = alive_ < settings_.workers + settings_.spares && failed_starts_ < kMostFailedStarts;
        if (dying.empty() && !wanted) {
            changed_.wait(lock);
            continue;
        }
        if (wanted) ++alive_;
        lock.unlock();
        dying.clear();  // kills and waits
        Result<Worker> started = wanted ? start_one() : internal_error("");
        lock.lock();
        if (!wanted) continue;
        if (started) {
            idle_.push_back(std::move(*started));
            failed_starts_ = 0;
        } else {
            --alive_;
            ++failed_starts_;
            last_failure_ = started.error().text();
        }
        changed_.notify_all();
    }
}

Result<WorkerPool::Worker> WorkerPool::start_one() {
    auto child = process::LineChild::start(settings_.command, settings_.memory_limit_bytes);
    if (!child) return tl::make_unexpected(child.error());
    if (settings_.opening.empty()) return Worker{std::move(*child)};
    const auto answer = child->ask(settings_.opening, settings_.opening_limit_seconds);
    if (!answer) {
        if (answer.error() == process::LineChild::Failure::timed_out) {
            return environment_error(fmt::format("a worker was not ready after {:.0f} s", settings_.opening_limit_seconds));
        }
        return environment_error("a worker ended while it started: " + explain(*child));
    }
    if (settings_.is_ready && !settings_.is_ready(*answer)) return environment_error(*answer);
    const std::lock_guard lock(mutex_);
    opening_answer_ = *answer;
    return Worker{std::move(*child)};
}

Status WorkerPool::wait_until_ready(double limit_seconds) {
    std::unique_lock lock(mutex_);
    const bool settled = changed_.wait_for(lock, seconds(limit_seconds),
                                           [&] { return !idle_.empty() || busy_ > 0 || failed_starts_ >= kMostFailedStarts; });
    if (!idle_.empty() || busy_ > 0) return {};
    return environment_error(settled ? last_failure_ : fmt::format("no worker was ready after {:.0f} s", limit_seconds));
}

std::string WorkerPool::opening_answer() const {
    const std::lock_guard lock(mutex_);
    return opening_answer_;
}

Answer WorkerPool::ask(const std::string& line, double limit_seconds) {
    std::unique_lock lock(mutex_);
    // Spares do not work beside the others: only `workers` are busy at once.
    const double start_limit = settings_.opening_limit_seconds * kMostFailedStarts + limit_seconds;
    changed_.wait_for(lock, seconds(start_limit), [&] {
        return (!idle_.empty() && busy_ < settings_.workers) || (failed_starts_ >= kMostFailedStarts && alive_ == 0);
    });
    if (idle_.empty() || busy_ >= settings_.workers) return {Answer::Kind::no_worker, "", last_failure_, 0};
    Worker worker = std::move(idle_.back());
    idle_.pop_back();
    ++busy_;
    lock.unlock();

    const SteadyClock clock;
    const double begin = clock.now();
    auto answered = worker.child.ask(line, limit_seconds);
    Answer answer{.seconds = clock.now() - begin};
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
    lock.lock();
    --busy_;
    if (usable) {
        idle_.push_back(std::move(worker));
    } else {
        --alive_;
        ++restarts_;
        dying_.push_back(std::move(worker));
    }
    changed_.notify_all();
    return answer;
}

std::uint64_t WorkerPool::restarts() const {
    const std::lock_guard lock(mutex_);
    return restarts_;
}

}  // namespace optiml::workers
