#include "process/process.h"

#include <cerrno>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/clock.h"

namespace optiml::process {
namespace {

// Closes itself; -1 is none.
class FileDescriptor {
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    ~FileDescriptor() { close(); }
    int get() const { return descriptor_; }
    bool is_open() const { return descriptor_ >= 0; }
    void reset(int descriptor) {
        close();
        descriptor_ = descriptor;
    }
    void close() {
        if (descriptor_ >= 0) ::close(descriptor_);
        descriptor_ = -1;
    }

private:
    int descriptor_ = -1;
};

struct Pipe {
    FileDescriptor read_end;
    FileDescriptor write_end;

    bool open() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return false;
        read_end.reset(ends[0]);
        write_end.reset(ends[1]);
        return true;
    }
};

[[noreturn]] void become(const Command& command, const std::string& program, int in, int out, int err) {
    ::setpgid(0, 0);  // a group of its own, so that the time limit ends its children too
    ::dup2(in, 0);
    ::dup2(out, 1);
    ::dup2(err, 2);
    if (command.memory_limit_bytes != 0) {
        const rlimit limit{command.memory_limit_bytes, command.memory_limit_bytes};
        ::setrlimit(RLIMIT_AS, &limit);
    }
    std::vector<char*> arguments;
    for (const std::string& argument : command.arguments) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    ::execv(program.c_str(), arguments.data());
    ::_exit(127);
}

// Reads what is there; false at the end of the stream.
bool drain(FileDescriptor& descriptor, std::string& text) {
    char buffer[65536];
    const ssize_t count = ::read(descriptor.get(), buffer, sizeof buffer);
    if (count > 0) {
        text.append(buffer, static_cast<std::size_t>(count));
        return true;
    }
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return true;
    descriptor.close();
    return false;
}

// Moves bytes between us and the child until both its outputs end or the deadline passes.
void exchange(const Command& command, Pipe& in, Pipe& out, Pipe& err, const Deadline& deadline, Outcome& outcome) {
    std::size_t sent = 0;
    if (command.standard_input.empty()) in.write_end.close();
    while (out.read_end.is_open() || err.read_end.is_open()) {
        if (deadline.passed()) return;
        pollfd watched[3] = {{out.read_end.get(), POLLIN, 0}, {err.read_end.get(), POLLIN, 0}, {in.write_end.get(), POLLOUT, 0}};
        const int wait_ms = static_cast<int>(std::min(deadline.seconds_left(), 1.0) * 1000) + 1;
        if (::poll(watched, 3, wait_ms) <= 0) continue;
        if (watched[0].revents != 0) drain(out.read_end, outcome.standard_output);
        if (watched[1].revents != 0) drain(err.read_end, outcome.standard_error);
        if (watched[2].revents != 0) {
            const std::string& text = command.standard_input;
            const ssize_t count = ::write(in.write_end.get(), text.data() + sent, std::min<std::size_t>(text.size() - sent, 65536));
            if (count > 0) sent += static_cast<std::size_t>(count);
            if ((count < 0 && errno != EINTR && errno != EAGAIN) || sent == text.size()) in.write_end.close();
        }
    }
}

int exit_status_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

// Waits for the child; true if it ended before the deadline.
bool wait_until(pid_t child, const Deadline& deadline, int& status) {
    while (true) {
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR)) return true;
        if (deadline.passed()) return false;
        ::usleep(500);
    }
}

}  // namespace

std::string find_program(const std::string& name) {
    if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : "";
    const char* path = std::getenv("PATH");
    std::string rest = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        const std::string candidate = rest.substr(0, colon) + "/" + name;
        if (::access(candidate.c_str(), X_OK) == 0 && !std::filesystem::is_directory(candidate)) return candidate;
        rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
    }
    return "";
}

Result<Outcome> run(const Command& command) {
    if (command.arguments.empty()) return internal_error("a command without a program");
    const std::string program = find_program(command.arguments[0]);
    if (program.empty()) return environment_error(fmt::format("the program '{}' is not there", command.arguments[0]));

    Pipe in, out, err;
    if (!in.open() || !out.open() || !err.open()) return environment_error(fmt::format("no pipe: {}", std::strerror(errno)));
    ::fcntl(in.write_end.get(), F_SETFL, O_NONBLOCK);
    const SteadyClock clock;
    const Deadline deadline(clock, command.time_limit_seconds);

    struct sigaction ignore {}, previous {};
    ignore.sa_handler = SIG_IGN;  // a child that ends early must not end us through its closed input
    ::sigaction(SIGPIPE, &ignore, &previous);
    const pid_t child = ::fork();
    if (child == 0) become(command, program, in.read_end.get(), out.write_end.get(), err.write_end.get());
    Outcome outcome;
    if (child < 0) {
        ::sigaction(SIGPIPE, &previous, nullptr);
        return environment_error(fmt::format("no new process: {}", std::strerror(errno)));
    }
    in.read_end.close();
    out.write_end.close();
    err.write_end.close();
    exchange(command, in, out, err, deadline, outcome);
    int status = 0;
    if (!wait_until(child, deadline, status)) {
        outcome.timed_out = true;
        ::kill(-child, SIGKILL);
        ::waitpid(child, &status, 0);
    }
    ::sigaction(SIGPIPE, &previous, nullptr);
    outcome.exit_status = exit_status_of(status);
    return outcome;
}

}  // namespace optiml::process
