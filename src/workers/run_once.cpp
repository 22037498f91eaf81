#include "workers/run_once.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "evaluation/device/single_run.h"
#include "gpu/device_lock.h"
#include "workers/messages.h"

namespace optiml::workers {
namespace {

using nlohmann::json;

constexpr double kRunLockSeconds = 60;

}  // namespace

Result<WatchedRun> WatchedRun::make(const std::string& program, int ordinal, const task::Task& task, const std::string& compiled, const task::Sizes& sizes) {
    auto folder = process::ScratchFolder::make();
    if (!folder) return tl::make_unexpected(folder.error());
    const std::string file = (folder->path() / "run.json").string();
    const json request{{"task", to_json(task)}, {"candidate", json::parse(compiled, nullptr, false)}, {"sizes", sizes}};
    RealDisk disk;
    if (const Status written = disk.write(file, request.dump(-1, ' ', false, json::error_handler_t::replace)); !written) return tl::make_unexpected(written.error());
    return WatchedRun(std::move(*folder), {program, "run-once", "--device", fmt::format("cuda:{}", ordinal), file});
}

Result<std::optional<evaluation::Finding>> run_once(int ordinal, const std::string& text, const Disk& disk) {
    const json request = json::parse(text, nullptr, false);
    if (!request.is_object()) return internal_error("a run is one JSON object");
    const auto task = task_from_json(request.value("task", json::object()));
    if (!task) return tl::make_unexpected(task.error());
    const auto candidate = compiled_from_json(request.value("candidate", json::object()));
    if (!candidate) return tl::make_unexpected(candidate.error());
    const auto device = gpu::Device::open(ordinal);
    if (!device) return tl::make_unexpected(device.error());
    auto lock = gpu::DeviceLock::open((*device)->properties().uuid);
    if (!lock) return tl::make_unexpected(lock.error());
    if (!lock->acquire(kRunLockSeconds)) return environment_error("the card is busy with another run");
    return evaluation::device::run_once(**device, *task, *candidate, request.value("sizes", task::Sizes{}), disk);
}

}  // namespace optiml::workers
