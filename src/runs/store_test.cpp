#include "runs/store.h"

#include <filesystem>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runs/database.h"

namespace optiml::runs {
namespace {

using testing::HasSubstr;

class StoreFile : public testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / ("optiml_store_" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_);
        path_ = (folder_ / "runs.db").string();
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::unique_ptr<Store> open() {
        auto store = open_store(path_);
        EXPECT_TRUE(store) << (store ? "" : store.error().text());
        return store ? std::move(*store) : nullptr;
    }

    std::filesystem::path folder_;
    std::string path_;
};

std::unique_ptr<Store> in_memory() { return std::move(*open_store(":memory:")); }

TEST(Store, NumbersRunsByName) {
    const auto store = in_memory();
    const auto first = store->create_run("softmax", "{\"seed\":1}");
    const auto other = store->create_run("relu", "{}");
    const auto second = store->create_run("softmax", "{\"seed\":2}");
    ASSERT_TRUE(first && other && second);
    EXPECT_EQ(store->find_run("softmax-2")->id, *second);
    EXPECT_EQ(store->find_run("relu-1")->id, *other);
    EXPECT_EQ(store->find_run(std::to_string(*first))->settings, "{\"seed\":1}");
    const auto runs = store->list_runs();
    ASSERT_EQ(runs->size(), 3u);
    EXPECT_EQ(runs->front().name, "softmax-2");
}

TEST(Store, AnUnknownRunNamesTheLatest) {
    const auto store = in_memory();
    EXPECT_THAT(store->find_run("relu-9").error().text(), HasSubstr("The run store is empty."));
    ASSERT_TRUE(store->create_run("relu", "{}"));
    const auto run = store->find_run("relu-9");
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().kind, ErrorKind::user);
    EXPECT_THAT(run.error().text(), HasSubstr("there is no run 'relu-9'"));
    EXPECT_THAT(run.error().text(), HasSubstr("The latest are: relu-1"));
}

TEST(Store, FollowsARunToItsEnd) {
    const auto store = in_memory();
    const RunId run = *store->create_run("relu", "{}");
    EXPECT_EQ(store->find_run("relu-1")->state, "running");
    EXPECT_THAT(store->find_run("relu-1")->created, testing::MatchesRegex("....-..-..T..:..:..Z"));
    ASSERT_TRUE(store->set_seconds(run, 1.5));
    ASSERT_TRUE(store->finish_run(run, "done", "{\"speedup\":2}"));
    const RunRecord record = *store->find_run("relu-1");
    EXPECT_EQ(record.state, "done");
    EXPECT_EQ(record.result, "{\"speedup\":2}");
    EXPECT_EQ(record.seconds, 1.5);
}

TEST(Store, KeepsNodesInOrderAndReplacesTheSame) {
    const auto store = in_memory();
    const RunId run = *store->create_run("relu", "{}");
    const NodeRecord root{0, -1, "", "{\"source\":\"\\u0000\"}", "{}", 0};
    const NodeRecord child{1, 0, "unroll", "b", "", 0.25};
    ASSERT_TRUE(store->add_node(run, child));
    ASSERT_TRUE(store->add_node(run, root));
    EXPECT_EQ(*store->nodes(run), (std::vector<NodeRecord>{root, child}));
    const NodeRecord again{1, 0, "unroll", "b", "{}", 0.5};
    ASSERT_TRUE(store->add_node(run, again));
    EXPECT_EQ(*store->nodes(run), (std::vector<NodeRecord>{root, again}));
    EXPECT_TRUE(store->nodes(run + 1)->empty());
}

TEST_F(StoreFile, IsThereWhenOpenedAgain) {
    const Digest key = digest_of("a");
    {
        const auto store = open();
        ASSERT_TRUE(store->cache_evaluation(key, "{\"level\":2}"));
        ASSERT_TRUE(store->create_run("relu", "{}"));
    }
    const auto store = open();
    EXPECT_EQ(*store->cached_evaluation(key), "{\"level\":2}");
    EXPECT_EQ(*store->cached_evaluation(digest_of("b")), std::nullopt);
    EXPECT_EQ(store->list_runs()->size(), 1u);
}

TEST_F(StoreFile, SurvivesAKilledWriter) {
    const pid_t child = ::fork();
    if (child == 0) {
        auto store = open_store(path_);
        for (int i = 0; store && i < 10; ++i) (void)(*store)->cache_evaluation(digest_of(std::to_string(i)), "{}");
        ::kill(::getpid(), SIGKILL);
    }
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    const auto store = open();
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(store->cached_evaluation(digest_of(std::to_string(i)))->has_value()) << i;
}

TEST_F(StoreFile, ARunIsRunningAsLongAsSomebodyWorksOnIt) {
    auto worker = open();
    const auto run = worker->create_run("relu", "{}");
    ASSERT_TRUE(run);
    const auto observer = open();
    EXPECT_EQ(worker->find_run("relu-1")->state, "running");
    EXPECT_EQ(observer->find_run("relu-1")->state, "running");
    const Status taken = observer->take_run(*observer->find_run("relu-1"));
    ASSERT_FALSE(taken);
    EXPECT_THAT(taken.error().message, HasSubstr("another process is at work on run relu-1"));
    worker = nullptr;  // as where it died
    EXPECT_EQ(observer->find_run("relu-1")->state, "interrupted");
    EXPECT_EQ(observer->list_runs()->front().state, "interrupted");
    ASSERT_TRUE(observer->take_run(*observer->find_run("relu-1")));
    EXPECT_EQ(open()->find_run("relu-1")->state, "running");
    ASSERT_TRUE(observer->finish_run(*run, "done", "{}"));
    EXPECT_EQ(open()->find_run("relu-1")->state, "done");
}

TEST_F(StoreFile, ServesSeveralProcessesAtOnce) {
    constexpr int kProcesses = 4;
    constexpr int kRuns = 10;
    std::vector<pid_t> children;
    for (int process = 0; process < kProcesses; ++process) {
        const pid_t child = ::fork();
        if (child == 0) {
            bool good = true;
            for (int i = 0; i < kRuns; ++i) {
                auto store = open_store(path_);
                good = good && store && (*store)->create_run("relu", "{}");
            }
            ::_exit(good ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 1;
        ::waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    const auto runs = open()->list_runs();
    ASSERT_EQ(runs->size(), static_cast<std::size_t>(kProcesses * kRuns));
    EXPECT_EQ(runs->front().name, "relu-" + std::to_string(kProcesses * kRuns));
}

TEST_F(StoreFile, ServesSeveralThreadsAtOnce) {
    const auto store = open();
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] {
            for (int i = 0; i < 20; ++i) EXPECT_TRUE(store->cache_evaluation(digest_of(std::to_string(thread * 100 + i)), "{}"));
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(store->cached_evaluation(digest_of("319"))->has_value());
}

TEST_F(StoreFile, RefusesANewerVersion) {
    {
        auto database = Database::open(path_);
        ASSERT_TRUE(database && database->execute("PRAGMA user_version = 99"));
    }
    const auto store = open_store(path_);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().kind, ErrorKind::user);
    EXPECT_THAT(store.error().message, HasSubstr("version 99, newer"));
}

TEST_F(StoreFile, RefusesAFileThatIsNoStore) {
    std::ofstream(path_) << std::string(4096, 'x');
    const auto store = open_store(path_);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().kind, ErrorKind::user);
    EXPECT_THAT(store.error().text(), HasSubstr("not a database"));
}

TEST(Store, AFolderThatCannotBeMadeIsTheUsersError) {
    const auto store = open_store("/dev/null/runs/store.db");
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().kind, ErrorKind::user);
    EXPECT_THAT(store.error().text(), HasSubstr("--store"));
}

TEST(Store, AFolderInsteadOfAFileIsTheUsersError) {
    const auto store = open_store("/tmp");
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().kind, ErrorKind::user);
}

TEST_F(StoreFile, AFullDiskIsAnEnvironmentErrorAndKeepsWhatWasSaved) {
    const auto store = open();
    ASSERT_TRUE(store->cache_evaluation(digest_of("kept"), "{}"));
    // A limit on the file's size stands in for the disk's end.
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit tight{64 * 1024, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &tight);
    const Status status = store->cache_evaluation(digest_of("lost"), std::string(1 << 20, 'x'));
    ::setrlimit(RLIMIT_FSIZE, &before);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, ErrorKind::environment);
    EXPECT_THAT(status.error().text(), HasSubstr("resume"));
    EXPECT_TRUE(store->cached_evaluation(digest_of("kept"))->has_value());
    EXPECT_FALSE(store->cached_evaluation(digest_of("lost"))->has_value());
    EXPECT_TRUE(store->cache_evaluation(digest_of("later"), "{}"));
}

}  // namespace
}  // namespace optiml::runs
