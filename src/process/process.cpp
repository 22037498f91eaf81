#include "process/process.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include <poll.h>
#include <unistd.h>

#include "process/spawn.h"

namespace optiml::process {
namespace {

// Reads what is there and closes at the end of the stream.
void drain(FileDescriptor& descriptor, std::string& text) {
    char buffer[65536];
    const ssize_t count = ::read(descriptor.get(), buffer, sizeof buffer);
    if (count > 0) {
        text.append(buffer, static_cast<std::size_t>(count));
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
        descriptor.close();
    }
}

void feed(FileDescriptor& descriptor, const std::string& text, std::size_t& sent) {
    const ssize_t count = ::write(descriptor.get(), text.data() + sent, std::min<std::size_t>(text.size() - sent, 65536));
    if (count > 0) sent += static_cast<std::size_t>(count);
    if ((count < 0 && errno != EINTR && errno != EAGAIN) || sent == text.size()) descriptor.close();
}

// Moves bytes between us and the child until both its outputs end or the deadline passes.
void exchange(const std::string& input, Spawned& child, const Deadline& deadline, Outcome& outcome) {
    std::size_t sent = 0;
    if (input.empty()) child.input.close();
    while ((child.output.is_open() || child.errors.is_open()) && !deadline.passed()) {
        pollfd watched[3] = {{child.output.get(), POLLIN, 0}, {child.errors.get(), POLLIN, 0}, {child.input.get(), POLLOUT, 0}};
        const int wait_ms = static_cast<int>(std::clamp(deadline.seconds_left(), 0.0, 1.0) * 1000) + 1;
        if (::poll(watched, 3, wait_ms) <= 0) continue;
        if (watched[0].revents != 0) drain(child.output, outcome.standard_output);
        if (watched[1].revents != 0) drain(child.errors, outcome.standard_error);
        if (watched[2].revents != 0) feed(child.input, input, sent);
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
    const IgnoreBrokenPipes ignore;
    const SteadyClock clock;
    const Deadline deadline(clock, command.time_limit_seconds);
    auto child = spawn(command.arguments, command.memory_limit_bytes, false);
    if (!child) return tl::make_unexpected(child.error());
    Outcome outcome;
    exchange(command.standard_input, *child, deadline, outcome);
    if (!wait_until(child->process, deadline, outcome.exit_status)) {
        outcome.timed_out = true;
        outcome.exit_status = kill_and_wait(child->process);
    }
    return outcome;
}

}  // namespace optiml::process
