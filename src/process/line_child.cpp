#include "process/line_child.h"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace optiml::process {
namespace {

constexpr std::size_t kKeptErrors = 65536;
constexpr int kMostErrorReads = 16;

int wait_milliseconds(const Deadline& deadline) { return static_cast<int>(std::clamp(deadline.seconds_left(), 0.0, 1.0) * 1000) + 1; }

}  // namespace

Result<LineChild> LineChild::start(const std::vector<std::string>& arguments, std::uint64_t memory_limit_bytes) {
    const IgnoreBrokenPipes ignore;
    auto child = spawn(arguments, memory_limit_bytes, true);
    if (!child) return tl::make_unexpected(child.error());
    ::fcntl(child->output.get(), F_SETFL, O_NONBLOCK);
    ::fcntl(child->errors.get(), F_SETFL, O_NONBLOCK);
    return LineChild(std::move(*child));
}

LineChild::LineChild(LineChild&& other) noexcept
    : child_(std::move(other.child_)), received_(std::move(other.received_)), standard_error_(std::move(other.standard_error_)),
      exit_status_(other.exit_status_) {
    other.child_.process = -1;
}

LineChild& LineChild::operator=(LineChild&& other) noexcept {
    std::swap(child_, other.child_);
    std::swap(received_, other.received_);
    std::swap(standard_error_, other.standard_error_);
    std::swap(exit_status_, other.exit_status_);
    return *this;
}

LineChild::~LineChild() {
    if (child_.process > 0 && !exit_status_) kill_and_wait(child_.process);
}

bool LineChild::send(const std::string& text, const Deadline& deadline) {
    std::size_t sent = 0;
    while (sent < text.size()) {
        const ssize_t count = ::write(child_.input.get(), text.data() + sent, text.size() - sent);
        if (count > 0) {
            sent += static_cast<std::size_t>(count);
        } else if ((errno != EAGAIN && errno != EINTR) || deadline.passed()) {
            return false;
        } else {
            pollfd watched[3] = {{child_.input.get(), POLLOUT, 0}, {child_.output.get(), POLLIN, 0}, {child_.errors.get(), POLLIN, 0}};
            ::poll(watched, 3, wait_milliseconds(deadline));
            read_errors();  // a child that blocks on a full stream of its own would never read on
            read_output();
        }
    }
    return true;
}

bool LineChild::read_output() {
    char buffer[65536];
    const ssize_t count = ::read(child_.output.get(), buffer, sizeof buffer);
    if (count > 0) received_.append(buffer, static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

// At most a few at once: a child that never stops writing must not keep us from looking at the clock.
void LineChild::read_errors() {
    char buffer[65536];
    for (int i = 0; i < kMostErrorReads; ++i) {
        const ssize_t count = ::read(child_.errors.get(), buffer, sizeof buffer);
        if (count <= 0) return;
        standard_error_.append(buffer, static_cast<std::size_t>(count));
        if (standard_error_.size() > kKeptErrors) standard_error_.erase(0, standard_error_.size() - kKeptErrors);
    }
}

tl::expected<std::string, LineChild::Failure> LineChild::ask(const std::string& line, double time_limit_seconds) {
    const SteadyClock clock;
    const Deadline deadline(clock, time_limit_seconds);
    if (!send(line + "\n", deadline)) return tl::make_unexpected(deadline.passed() ? Failure::timed_out : notice_end());
    while (true) {
        const std::size_t newline = received_.find('\n');
        if (newline != std::string::npos) {
            std::string answer = received_.substr(0, newline);
            received_.erase(0, newline + 1);
            return answer;
        }
        if (deadline.passed()) return tl::make_unexpected(Failure::timed_out);
        pollfd watched[2] = {{child_.output.get(), POLLIN, 0}, {child_.errors.get(), POLLIN, 0}};
        ::poll(watched, 2, wait_milliseconds(deadline));
        read_errors();
        if (!read_output()) return tl::make_unexpected(notice_end());
    }
}

// What it said last is why it ended.
LineChild::Failure LineChild::notice_end() {
    const SteadyClock clock;
    int status = 0;
    if (!exit_status_ && wait_until(child_.process, Deadline(clock, 0.2), status)) exit_status_ = status;
    read_errors();
    return Failure::ended;
}

void LineChild::kill() {
    if (child_.process > 0 && !exit_status_) ::kill(-child_.process, SIGKILL);
}

bool LineChild::is_running() { return !exit_status(); }

std::optional<int> LineChild::exit_status() {
    if (exit_status_ || child_.process <= 0) return exit_status_;
    const SteadyClock clock;
    int status = 0;
    if (wait_until(child_.process, Deadline(clock, 0), status)) exit_status_ = status;
    return exit_status_;
}

}  // namespace optiml::process
