#include "process/sandbox.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "process/process.h"
#include "process/restrictions.h"
#include "process/scratch_folder.h"

namespace optiml::process {
namespace {

using testing::HasSubstr;

std::string output_of(const std::string& script, const SandboxRequest& request) {
    const auto outcome = run({Sandbox::get().wrap({"/bin/sh", "-c", script}, request), "", 30});
    return outcome ? outcome->standard_output : outcome.error().text();
}

TEST(Sandbox, FilesCanBeReadAndOnlyTheGivenFolderWritten) {
    if (!Sandbox::get().works()) GTEST_SKIP() << Sandbox::get().why_not();
    const auto allowed = ScratchFolder::make(), forbidden = ScratchFolder::make();
    std::ofstream(forbidden->path() / "present") << "kept";
    const std::string script = "cat " + (forbidden->path() / "present").string() + "; for f in " + allowed->path().string() + " " + forbidden->path().string() +
                               " $TMPDIR; do (echo x > $f/written) 2>/dev/null && echo \" wrote $f\"; done; echo $COLOUR";
    const std::string output = output_of(script, {{allowed->path()}, {}, {{"COLOUR", "green"}}});
    EXPECT_EQ(output, "kept wrote " + allowed->path().string() + "\n wrote /dev/shm\ngreen\n");
    EXPECT_TRUE(std::filesystem::exists(allowed->path() / "written"));
    EXPECT_FALSE(std::filesystem::exists(forbidden->path() / "written"));
}

TEST(Sandbox, ThereIsNoNetworkAndNoDeviceThatWasNotAskedFor) {
    if (!Sandbox::get().works()) GTEST_SKIP() << Sandbox::get().why_not();
    EXPECT_EQ(output_of("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '", {}), "lo\n");
    const SandboxRequest request{{}, {"/dev/null", "/dev/absent"}, {}};
    EXPECT_THAT(output_of("ls /dev", request), testing::AllOf(HasSubstr("null"), testing::Not(HasSubstr("absent"))));
}

TEST(Sandbox, WhereItDoesNotWorkTheCommandRunsAsItIs) {
    const std::vector<std::string> command = {"echo", "hello"};
    const Sandbox none("");
    EXPECT_FALSE(none.works());
    EXPECT_THAT(none.why_not(), HasSubstr("not there"));
    EXPECT_EQ(none.wrap(command), command);

    const auto folder = ScratchFolder::make();
    const auto broken = folder->path() / "bwrap";
    std::ofstream(broken) << "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n";
    std::filesystem::permissions(broken, std::filesystem::perms::owner_all);
    const Sandbox refused(broken.string());
    EXPECT_THAT(refused.why_not(), HasSubstr("No permissions to create new namespace"));
    EXPECT_EQ(refused.wrap(command), command);
}

// Runs the check in a child of its own, for good reasons; its value is the child's exit status.
template <class Check>
int in_restricted_child(Check check) {
    const pid_t child = ::fork();
    if (child == 0) {
        const Restrictions restrictions = restrict_this_process();
        ::_exit(restrictions.all() ? check() : 99);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Restrictions, OtherProgramsAndTheNetworkAreRefused) {
    EXPECT_EQ(in_restricted_child([] { return ::socket(AF_INET, SOCK_STREAM, 0) == -1 && errno == EPERM ? 0 : 1; }), 0);
    EXPECT_EQ(in_restricted_child([] { return ::socket(AF_INET6, SOCK_DGRAM, 0) == -1 && errno == EPERM ? 0 : 1; }), 0);
    EXPECT_EQ(in_restricted_child([] {
                  ::execl("/bin/true", "true", nullptr);
                  return errno == EPERM ? 0 : 1;
              }), 0);
}

TEST(Restrictions, WorkGoesOn) {
    EXPECT_EQ(in_restricted_child([] {
                  int value = 1;
                  std::thread([&] { value = 0; }).join();
                  return value;
              }), 0);
    EXPECT_EQ(in_restricted_child([] { return ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ? 0 : 1; }), 0);
    EXPECT_EQ(in_restricted_child([] { return std::ifstream("/proc/self/status").good() ? 0 : 1; }), 0);
}

}  // namespace
}  // namespace optiml::process
