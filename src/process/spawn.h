#pragma once
// Starting a child with its three streams as pipes. Shared by run() and LineChild.

#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/result.h"

namespace optiml::process {

// Closes itself; -1 is none.
class FileDescriptor {
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
    FileDescriptor(FileDescriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    ~FileDescriptor() { close(); }
    int get() const { return descriptor_; }
    bool is_open() const { return descriptor_ >= 0; }
    void close() {
        if (descriptor_ >= 0) ::close(descriptor_);
        descriptor_ = -1;
    }

private:
    int descriptor_ = -1;
};

struct Spawned {
    pid_t process = -1;
    FileDescriptor input;   // we write, the child reads; does not block
    FileDescriptor output;
    FileDescriptor errors;
};

// The child leads a process group of its own, so that ending it ends its children too; it dies with the thread that started it
// only if die_with_parent. memory_limit_bytes limits its address space; 0: none.
// Errors (environment): the program is not there, or no process can be started.
Result<Spawned> spawn(const std::vector<std::string>& arguments, std::uint64_t memory_limit_bytes, bool die_with_parent);

// Kills the group and waits for the child; its exit status as a shell tells it (128 + signal).
int kill_and_wait(pid_t process);
// Waits until the child has ended or the deadline has passed; true and its status if it ended.
bool wait_until(pid_t process, const Deadline& deadline, int& exit_status);

// While one lives, writing to a child that has closed its input is an error code and not the end of this process.
class IgnoreBrokenPipes {
public:
    IgnoreBrokenPipes();
};

}  // namespace optiml::process
