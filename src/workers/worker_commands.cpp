#include "workers/worker_commands.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "gpu/counter_permission.h"
#include "gpu/device_lock.h"
#include "process/sandbox.h"

namespace optiml::workers {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> nvidia_devices() {
    std::vector<fs::path> devices;
    std::error_code code;
    for (const fs::directory_entry& entry : fs::directory_iterator("/dev", code)) {
        if (entry.path().filename().string().starts_with("nvidia")) devices.push_back(entry.path());
    }
    return devices;
}

bool counters_need_administrator() { return ::geteuid() == 0 && gpu::counter_permission() != gpu::CounterPermission::everybody; }

}  // namespace

std::vector<std::string> plain_build_worker_command(const std::string& program) { return {program, "worker", "--build"}; }

std::vector<std::string> plain_device_worker_command(const std::string& program, int ordinal) {
    return {program, "worker", "--device", fmt::format("cuda:{}", ordinal)};
}

std::vector<std::string> build_worker_command(const std::string& program) {
    return process::Sandbox::get().wrap(plain_build_worker_command(program));
}

std::vector<std::string> device_worker_command(const std::string& program, int ordinal) {
    std::vector<std::string> command = plain_device_worker_command(program, ordinal);
    if (counters_need_administrator()) return command;
    const fs::path locks = gpu::DeviceLock::folder();
    return process::Sandbox::get().wrap(command, {{locks}, nvidia_devices(), {{"OPTIML_LOCK_FOLDER", locks.string()}}});
}

}  // namespace optiml::workers
