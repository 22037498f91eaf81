#include "process/sandbox.h"

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "process/process.h"

namespace optiml::process {
namespace {

constexpr double kTrialSeconds = 5;

std::vector<std::string> options_of(const SandboxRequest& request) {
    std::vector<std::string> options = {"--ro-bind", "/", "/", "--dev", "/dev", "--unshare-net", "--unshare-ipc", "--die-with-parent", "--setenv", "TMPDIR", "/dev/shm"};
    const auto add = [&](const char* option, const std::string& first, const std::string& second) { options.insert(options.end(), {option, first, second}); };
    for (const auto& device : request.devices) add("--dev-bind-try", device.string(), device.string());
    for (const auto& folder : request.writable) add("--bind-try", folder.string(), folder.string());
    for (const auto& [name, value] : request.environment) add("--setenv", name, value);
    return options;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

const Sandbox& Sandbox::get() {
    static const Sandbox sandbox(is_wanted() ? find_program("bwrap") : "");
    return sandbox;
}

bool Sandbox::is_wanted() {
    const char* choice = std::getenv("OPTIML_SANDBOX");
    return choice == nullptr || std::string_view(choice) != "off";
}

Sandbox::Sandbox(const std::string& bubblewrap) : bubblewrap_(bubblewrap) {
    if (bubblewrap_.empty()) {
        why_not_ = is_wanted() ? "bubblewrap (bwrap) is not there" : "OPTIML_SANDBOX=off";
        return;
    }
    const auto trial = run({wrap({find_program("true")}), "", kTrialSeconds});
    if (!trial) {
        why_not_ = trial.error().message;
    } else if (trial->timed_out || trial->exit_status != 0) {
        why_not_ = fmt::format("bubblewrap does not work here: {}", trial->timed_out ? "it hangs" : first_line(trial->standard_error));
    }
}

std::vector<std::string> Sandbox::wrap(const std::vector<std::string>& command, const SandboxRequest& request) const {
    if (!works()) return command;
    std::vector<std::string> wrapped = {bubblewrap_};
    const std::vector<std::string> options = options_of(request);
    wrapped.insert(wrapped.end(), options.begin(), options.end());
    wrapped.emplace_back("--");
    wrapped.insert(wrapped.end(), command.begin(), command.end());
    return wrapped;
}

}  // namespace optiml::process
