#pragma once
// A long-lived child that speaks lines: one request line in, one answer line out. What it writes to its standard error is kept (the
// last 64 KiB) for the report of a crash.

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "process/spawn.h"

namespace optiml::process {

class LineChild {
public:
    // The child dies with the thread that starts it: a worker must not outlive its program, however that ends.
    static Result<LineChild> start(const std::vector<std::string>& arguments, std::uint64_t memory_limit_bytes = 0);
    LineChild(LineChild&& other) noexcept;
    LineChild& operator=(LineChild&& other) noexcept;
    ~LineChild();  // kills it and its children

    enum class Failure : std::uint8_t { ended, timed_out };
    // Sends a line (without its newline) and waits for one. After a failure the child is of no more use: destroy it.
    tl::expected<std::string, Failure> ask(const std::string& line, double time_limit_seconds);

    // At once, without waiting until it is gone (the destructor does that).
    void kill();
    bool is_running();
    // After it ended: as a shell tells it. std::nullopt while it runs.
    std::optional<int> exit_status();
    const std::string& standard_error() const { return standard_error_; }
    pid_t process() const { return child_.process; }

private:
    explicit LineChild(Spawned child) : child_(std::move(child)) {}
    bool send(const std::string& text, const Deadline& deadline);
    Failure notice_end();
    void read_errors();
    bool read_output();  // false: the stream has ended

    Spawned child_;
    std::string received_;
    std::string standard_error_;
    std::optional<int> exit_status_;
};

}  // namespace optiml::process
