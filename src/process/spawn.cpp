#include "process/spawn.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <fmt/format.h>

#include "process/process.h"

namespace optiml::process {
namespace {

struct Pipe {
    FileDescriptor read_end;
    FileDescriptor write_end;

    bool open() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return false;
        read_end = FileDescriptor(ends[0]);
        write_end = FileDescriptor(ends[1]);
        return true;
    }
};

// Between fork and exec only async-signal-safe calls are allowed: another thread may hold the allocator's lock.
struct ChildPlan {
    const char* program;
    char* const* arguments;
    int input, output, errors;
    std::uint64_t memory_limit_bytes;
    bool die_with_parent;
    pid_t parent;
};

[[noreturn]] void become(const ChildPlan& plan) {
    ::setpgid(0, 0);
    if (plan.die_with_parent) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != plan.parent) ::_exit(127);  // it died before the call
    }
    ::dup2(plan.input, 0);
    ::dup2(plan.output, 1);
    ::dup2(plan.errors, 2);
    if (plan.memory_limit_bytes != 0) {
        const rlimit limit{plan.memory_limit_bytes, plan.memory_limit_bytes};
        ::setrlimit(RLIMIT_AS, &limit);
    }
    ::signal(SIGPIPE, SIG_DFL);
    ::execv(plan.program, plan.arguments);
    ::_exit(127);
}

int exit_status_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

IgnoreBrokenPipes::IgnoreBrokenPipes() {
    // Once for the process: putting it back would race with other threads that write to children.
    static const auto previous = ::signal(SIGPIPE, SIG_IGN);
    (void)previous;
}

Result<Spawned> spawn(const std::vector<std::string>& arguments, std::uint64_t memory_limit_bytes, bool die_with_parent) {
    if (arguments.empty()) return internal_error("a command without a program");
    const std::string program = find_program(arguments[0]);
    if (program.empty()) return environment_error(fmt::format("the program '{}' is not there", arguments[0]));
    Pipe input, output, errors;
    if (!input.open() || !output.open() || !errors.open()) return environment_error(fmt::format("no pipe: {}", std::strerror(errno)));
    ::fcntl(input.write_end.get(), F_SETFL, O_NONBLOCK);

    std::vector<char*> raw;
    for (const std::string& argument : arguments) raw.push_back(const_cast<char*>(argument.c_str()));
    raw.push_back(nullptr);
    const ChildPlan plan{program.c_str(),           raw.data(),         input.read_end.get(), output.write_end.get(),
                         errors.write_end.get(), memory_limit_bytes, die_with_parent,    ::getpid()};
    const pid_t child = ::fork();
    if (child == 0) become(plan);
    if (child < 0) return environment_error(fmt::format("no new process: {}", std::strerror(errno)));
    ::setpgid(child, child);  // also here: whoever comes first, the group exists before we may have to kill it
    return Spawned{child, std::move(input.write_end), std::move(output.read_end), std::move(errors.read_end)};
}

int kill_and_wait(pid_t process) {
    int status = 0;
    ::kill(-process, SIGKILL);
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return exit_status_of(status);
}

bool wait_until(pid_t process, const Deadline& deadline, int& exit_status) {
    while (true) {
        int status = 0;
        const pid_t ended = ::waitpid(process, &status, WNOHANG);
        if (ended == process) exit_status = exit_status_of(status);
        if (ended == process || (ended < 0 && errno != EINTR)) return true;
        if (deadline.passed()) return false;
        ::usleep(500);
    }
}

}  // namespace optiml::process
