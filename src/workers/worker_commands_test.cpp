#include "workers/worker_commands.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "process/sandbox.h"
#include "process/scratch_folder.h"
#include "workers/worker_pool.h"

namespace optiml::workers {
namespace {

TEST(WorkerCommands, EndInTheWorkersOwnCommand) {
    const std::vector<std::string> wrapped = build_worker_command("/opt/optiml"), plain = plain_build_worker_command("/opt/optiml");
    EXPECT_EQ(plain, (std::vector<std::string>{"/opt/optiml", "worker", "--build"}));
    ASSERT_GE(wrapped.size(), plain.size());
    EXPECT_TRUE(std::equal(plain.rbegin(), plain.rend(), wrapped.rbegin()));
    EXPECT_EQ(wrapped.size() > plain.size(), process::Sandbox::get().works());
    EXPECT_THAT(device_worker_command("optiml", 2), testing::Contains("cuda:2"));
}

// The pool knows nothing of the sandbox: lines go in and out, a crash is told, and killing the pool ends what is inside.
TEST(WorkerCommands, APoolWorksThroughTheSandbox) {
    if (!process::Sandbox::get().works()) GTEST_SKIP() << process::Sandbox::get().why_not();
    const auto folder = process::ScratchFolder::make();
    const std::string script = "while read line; do [ \"$line\" = crash ] && exit 3; (echo x > " + folder->path().string() +
                               "/file) 2>/dev/null && echo written || echo \"refused $line\"; done";
    PoolSettings settings;
    settings.command = process::Sandbox::get().wrap({"/bin/sh", "-c", script});
    WorkerPool pool(settings);
    ASSERT_TRUE(pool.wait_until_ready(30));
    EXPECT_EQ(pool.ask("one", 30).line, "refused one");
    const Answer crash = pool.ask("crash", 30);
    EXPECT_EQ(crash.kind, Answer::Kind::crashed);
    EXPECT_THAT(crash.explanation, testing::HasSubstr("exit status 3"));
    EXPECT_EQ(pool.ask("two", 30).line, "refused two");
    EXPECT_EQ(pool.restarts(), 1u);
}

}  // namespace
}  // namespace optiml::workers
