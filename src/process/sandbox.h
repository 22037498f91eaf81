#pragma once
// Programs kept from the machine by bubblewrap (bwrap), where it works: in many containers it does not, and nothing depends on it.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace optiml::process {

// What a sandboxed program may use beyond reading files.
struct SandboxRequest {
    std::vector<std::filesystem::path> writable;   // existing folders
    std::vector<std::filesystem::path> devices;    // existing nodes of /dev
    std::vector<std::pair<std::string, std::string>> environment;
};

class Sandbox {
public:
    // Tried once a process, some 20 ms: bubblewrap is there and a program runs in it. OPTIML_SANDBOX=off leaves it out.
    static const Sandbox& get();
    // False: OPTIML_SANDBOX=off asks that nothing is kept from workers.
    static bool is_wanted();
    // With this bubblewrap, tried now; empty: there is none.
    explicit Sandbox(const std::string& bubblewrap);

    bool works() const { return why_not_.empty(); }
    // One sentence; empty if it works.
    const std::string& why_not() const { return why_not_; }

    // The command in the sandbox: files can only be read but for the writable folders and a /dev/shm of its own, which is also its
    // TMPDIR; no network; no devices but those asked for; it ends when the thread that starts it does. The command itself where the
    // sandbox does not work.
    std::vector<std::string> wrap(const std::vector<std::string>& command, const SandboxRequest& request = {}) const;

private:
    std::string bubblewrap_;
    std::string why_not_;
};

}  // namespace optiml::process
