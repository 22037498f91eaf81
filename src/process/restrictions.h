#pragma once
// What a process gives up for good, and its later threads and children with it. Needs no permission and works in containers, too.

namespace optiml::process {

struct Restrictions {
    bool no_new_privileges = false;  // setuid programs give nothing any more
    bool system_calls = false;       // seccomp: no other programs, no network, no tracing, no mounting, no kernel modules
    bool no_core_dumps = false;
    bool all() const { return no_new_privileges && system_calls && no_core_dumps; }
};

// Takes a few microseconds. What this kernel or architecture does not know is left out and said so; never an error.
// A refused system call fails with EPERM.
Restrictions restrict_this_process();

}  // namespace optiml::process
