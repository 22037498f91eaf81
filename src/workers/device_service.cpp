#include <optional>

#include <nlohmann/json.hpp>

#include "base/disk.h"
#include "evaluation/device/device_session.h"
#include "gpu/device_lock.h"
#include "workers/messages.h"
#include "workers/serve.h"

namespace optiml::workers {
namespace {

using evaluation::device::DeviceSession;
using nlohmann::json;

constexpr double kLockSeconds = 60;

class DeviceService final : public Service {
public:
    explicit DeviceService(int ordinal) : ordinal_(ordinal) {}

    Result<json> answer(const json& request) override {
        const std::string what = request.value("do", "");
        if (what == "open") return open(request);
        if (what == "evaluate") return evaluate(request);
        return internal_error("a device worker cannot do '" + what + "'");
    }

private:
    Result<json> open(const json& request) {
        auto task = task_from_json(request.value("task", json::object()));
        if (!task) return tl::make_unexpected(task.error());
        const auto original = compiled_from_json(request.value("original", json::object()));
        if (!original) return tl::make_unexpected(original.error());
        task_ = std::move(*task);
        // The lock needs the device's name, and that a device; its own start disturbs others little, the benches do.
        const auto device = gpu::Device::open(ordinal_);
        if (!device) return tl::make_unexpected(device.error());
        auto lock = gpu::DeviceLock::open((*device)->properties().uuid);
        if (!lock) return tl::make_unexpected(lock.error());
        lock_.emplace(std::move(*lock));
        if (!lock_->acquire(kLockSeconds)) return environment_error("the card is busy with another run");
        auto session = DeviceSession::open(ordinal_, *task_, *original, session_settings_from_json(request.value("settings", json::object())), disk_);
        lock_->release();
        if (!session) return tl::make_unexpected(session.error());
        session_ = std::move(*session);
        const gpu::DeviceProperties& properties = session_->properties();
        return json{{"device", properties.name}, {"uuid", properties.uuid}, {"compute_capability", properties.compute_capability},
                    {"driver_version", properties.driver_version}, {"no_counters_because", session_->no_counters_because()}};
    }

    Result<json> evaluate(const json& request) {
        if (session_ == nullptr) return internal_error("evaluate before open");
        const auto compiled = compiled_from_json(request.value("candidate", json::object()));
        if (!compiled) return tl::make_unexpected(compiled.error());
        if (!lock_->acquire(kLockSeconds)) return environment_error("the card is busy with another run");
        const evaluation::Evaluation evaluation = session_->evaluate(*compiled, tier_named(request.value("tier", "")));
        lock_->release();
        return json{{"evaluation", json::parse(evaluation::to_json(evaluation))}, {"lost", session_->is_lost()}};
    }

    const int ordinal_;
    RealDisk disk_;
    std::optional<task::Task> task_;
    std::optional<gpu::DeviceLock> lock_;
    std::unique_ptr<DeviceSession> session_;
};

}  // namespace

std::unique_ptr<Service> make_device_service(int ordinal) { return std::make_unique<DeviceService>(ordinal); }

}  // namespace optiml::workers
