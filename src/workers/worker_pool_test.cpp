#include "workers/worker_pool.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <set>

#include <unistd.h>

#include <gtest/gtest.h>

namespace optiml::workers {
namespace {

// A worker in shell: answers "PID LINE"; crash, hang and lose do what they say.
PoolSettings scripted(std::size_t workers, std::size_t spares = 0) {
    PoolSettings settings;
    settings.command = {"sh", "-c",
                        "while read -r line; do case \"$line\" in"
                        " crash) echo broken >&2; kill -SEGV $$;;"
                        " hang) sleep 100;;"
                        " slow) sleep 0.2; echo \"$$ slow\";;"
                        " lose) echo \"$$ lost\";;"
                        " *) echo \"$$ $line\";; esac; done"};
    settings.workers = settings.eager = workers;
    settings.spares = spares;
    settings.is_lost = [](const std::string& answer) { return answer.ends_with(" lost"); };
    return settings;
}

std::string process_of(const Answer& answer) { return answer.line.substr(0, answer.line.find(' ')); }

TEST(WorkerPool, ServesManyAskersWithFewWorkers) {
    WorkerPool pool(scripted(2));
    std::atomic<int> answered{0};
    std::vector<std::thread> askers;
    for (int i = 0; i < 8; ++i) {
        askers.emplace_back([&pool, &answered, i] {
            for (int k = 0; k < 10; ++k) {
                const std::string line = "line" + std::to_string(i * 10 + k);
                const Answer answer = pool.ask(line, 5);
                if (answer.kind == Answer::Kind::answered && answer.line.ends_with(" " + line)) ++answered;
            }
        });
    }
    for (std::thread& asker : askers) asker.join();
    EXPECT_EQ(answered, 80);
    EXPECT_EQ(pool.restarts(), 0u);
}

TEST(WorkerPool, AFailureCostsOneLineAndNoMore) {
    WorkerPool pool(scripted(1, 1));
    ASSERT_TRUE(pool.wait_until_ready(5));
    int lost = 0;
    for (int i = 0; i < 30; ++i) {
        const char* line = i % 5 != 4 ? "work" : i % 3 == 0 ? "crash" : i % 3 == 1 ? "hang" : "lose";
        const Answer answer = pool.ask(line, 0.3);
        if (std::string(line) == "crash") {
            EXPECT_EQ(answer.kind, Answer::Kind::crashed);
            EXPECT_NE(answer.explanation.find("signal 11"), std::string::npos) << answer.explanation;
            EXPECT_NE(answer.explanation.find("broken"), std::string::npos);
        } else if (std::string(line) == "hang") {
            EXPECT_EQ(answer.kind, Answer::Kind::timed_out);
        } else if (answer.kind != Answer::Kind::answered) {
            ++lost;
        }
    }
    EXPECT_EQ(lost, 0);
    EXPECT_EQ(pool.restarts(), 6u);
}

TEST(WorkerPool, ALostWorkerIsReplaced) {
    WorkerPool pool(scripted(1));
    const std::string first = process_of(pool.ask("one", 5));
    EXPECT_EQ(process_of(pool.ask("lose", 5)), first);
    const Answer after = pool.ask("two", 5);
    EXPECT_EQ(after.kind, Answer::Kind::answered);
    EXPECT_NE(process_of(after), first);
}

TEST(WorkerPool, SparesDoNotWorkBesideTheOthers) {
    WorkerPool pool(scripted(1, 2));
    ASSERT_TRUE(pool.wait_until_ready(5));
    std::vector<std::thread> askers;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 3; ++i) askers.emplace_back([&pool] { pool.ask("slow", 5); });
    for (std::thread& asker : askers) asker.join();
    // One after another: three sleeps of 0.2 s cannot fit into less.
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(590));
}

// A file that each worker adds a line to when it starts.
std::size_t lines_in(const std::string& path) {
    std::ifstream file(path);
    std::size_t count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
}

TEST(WorkerPool, StartsOnlyWhatIsNeeded) {
    const std::string started = testing::TempDir() + "optiml_pool_started." + std::to_string(::getpid());
    PoolSettings settings = scripted(8);
    settings.eager = 1;
    settings.command[2] = "echo >> " + started + "; " + settings.command[2];
    {
        WorkerPool pool(std::move(settings));
        for (int i = 0; i < 5; ++i) EXPECT_EQ(pool.ask("work", 5).kind, Answer::Kind::answered);
        EXPECT_EQ(lines_in(started), 1u);
        std::vector<std::thread> askers;
        for (int i = 0; i < 3; ++i) askers.emplace_back([&pool] { pool.ask("slow", 5); });
        for (std::thread& asker : askers) asker.join();
    }
    EXPECT_LE(lines_in(started), 4u);
    EXPECT_GE(lines_in(started), 2u);
    std::remove(started.c_str());
}

TEST(WorkerPool, LaterWorkersAreOpenedWithWhatTheFirstFoundOut) {
    PoolSettings settings = scripted(1, 1);
    settings.openings = {[](const std::string& first) { return "hello[" + first + "]"; }, [](const std::string&) { return "second"; }};
    WorkerPool pool(settings);
    ASSERT_TRUE(pool.wait_until_ready(5));
    const std::string first = pool.opening_answer();
    EXPECT_TRUE(first.ends_with(" second"));
    // The spare takes over; its own opening answer is not the first one's.
    pool.ask("lose", 5);
    EXPECT_EQ(pool.ask("work", 5).kind, Answer::Kind::answered);
    EXPECT_EQ(pool.opening_answer(), first);
}

TEST(WorkerPool, AnOpeningThatCannotBeMadeEndsTheStart) {
    PoolSettings settings = scripted(1);
    settings.openings = {[](const std::string&) { return std::string(); }};
    WorkerPool pool(settings);
    EXPECT_FALSE(pool.wait_until_ready(5));
}

TEST(WorkerPool, SparesThatFailAreTriedAgain) {
    const std::string broken = testing::TempDir() + "optiml_pool_broken." + std::to_string(::getpid());
    PoolSettings settings = scripted(1);
    settings.command[2] = "test -e " + broken + " && exit 1; " + settings.command[2];
    settings.openings = {[](const std::string&) { return "open"; }};
    WorkerPool pool(std::move(settings));
    ASSERT_TRUE(pool.wait_until_ready(5));
    std::ofstream(broken).put('x');
    pool.ask("lose", 5);
    EXPECT_EQ(pool.ask("work", 5).kind, Answer::Kind::no_worker) << "after some failures in a row askers are told";
    std::remove(broken.c_str());
    Answer answer;
    for (int i = 0; i < 100 && answer.kind != Answer::Kind::answered; ++i) {
        answer = pool.ask("work", 5);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    EXPECT_EQ(answer.kind, Answer::Kind::answered);
}

// The worker keeps a log of its lines, and is at the first one until all others wait.
TEST(WorkerPool, TheUrgentComeFirst) {
    const std::string base = testing::TempDir() + "optiml_pool_urgent." + std::to_string(::getpid()), go = base + ".go", log = base + ".log";
    PoolSettings settings = scripted(1);
    settings.command[2] = "while read -r line; do echo \"$line\" >> " + log + "; while [ ! -e " + go + " ]; do sleep 0.01; done; echo \"$line\"; done";
    WorkerPool pool(std::move(settings));
    std::vector<std::thread> askers;
    const auto ask = [&](const std::string& line, Turn turn) {
        const std::size_t before = pool.load();
        askers.emplace_back([&pool, line, turn] { pool.ask(line, 60, turn); });
        while (pool.load() == before) std::this_thread::yield();
    };
    ask("first", Turn::in_line);
    while (lines_in(log) == 0) std::this_thread::yield();
    for (int i = 0; i < 3; ++i) ask("patient", Turn::in_line);
    ask("urgent", Turn::first);
    std::ofstream(go).put('x');
    for (std::thread& asker : askers) asker.join();
    std::ifstream lines(log);
    std::string first, second;
    lines >> first >> second;
    EXPECT_EQ(first, "first");
    EXPECT_EQ(second, "urgent");
    std::remove(go.c_str());
    std::remove(log.c_str());
}

TEST(WorkerPool, RestsAndWakesAgain) {
    WorkerPool pool(scripted(1, 1));
    ASSERT_TRUE(pool.wait_until_ready(5));
    const std::string before = process_of(pool.ask("one", 5));
    pool.rest();
    EXPECT_NE(::kill(static_cast<pid_t>(std::stoi(before)), 0), 0) << "it still runs";
    const Answer after = pool.ask("two", 5);
    EXPECT_EQ(after.kind, Answer::Kind::answered);
    EXPECT_NE(process_of(after), before);
    EXPECT_EQ(pool.restarts(), 0u);
}

TEST(WorkerPool, SaysWhyNoneStarts) {
    PoolSettings settings;
    settings.command = {"sh", "-c", "echo no card here >&2; exit 3"};
    settings.openings = {[](const std::string&) { return "open"; }};
    WorkerPool pool(settings);
    const Status ready = pool.wait_until_ready(10);
    ASSERT_FALSE(ready);
    EXPECT_EQ(ready.error().kind, ErrorKind::environment);
    EXPECT_NE(ready.error().message.find("no card here"), std::string::npos) << ready.error().message;
    EXPECT_EQ(pool.ask("work", 1).kind, Answer::Kind::no_worker);
}

}  // namespace
}  // namespace optiml::workers
