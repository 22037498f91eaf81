#pragma once
// Which runs a living process works on. Held by the operating system's kernel, and so free again when that process dies, however it does.

#include <memory>
#include <set>
#include <string>

#include "base/result.h"

namespace optiml::runs {

class RunLocks {
public:
    // store_file: the lock file lies beside it; ":memory:" has none and belongs to this process alone. Error (user): it cannot be made.
    static Result<RunLocks> open(const std::string& store_file);
    RunLocks(RunLocks&& other) noexcept;
    RunLocks& operator=(RunLocks&&) = delete;
    ~RunLocks();

    // False: another process, or another of these, holds it.
    bool acquire(std::int64_t run);
    void release(std::int64_t run);
    bool is_held(std::int64_t run) const;  // by whomever

private:
    explicit RunLocks(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;            // -1: no file
    std::set<std::int64_t> own_;
};

}  // namespace optiml::runs
