#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/disk.h"
#include "evaluation/device/device_session.h"
#include "gpu/device_lock.h"
#include "workers/messages.h"
#include "workers/serve.h"

namespace optiml::workers {
namespace {

using evaluation::Evaluation;
using evaluation::device::CompiledCandidate;
using evaluation::device::DeviceSession;
using evaluation::device::DeviceTools;
using nlohmann::json;

constexpr double kLockSeconds = 60;
constexpr double kPatienceSeconds = 2;  // with a candidate at hand: the supervisor asks again

// Those whose values are made and compared on the card.
std::set<gpu::ElementType> types_of(const task::Task& task) {
    std::set<gpu::ElementType> types;
    for (const task::Argument& argument : task.arguments) types.insert(evaluation::device::element_type(argument.type));
    return types;
}

class DeviceService final : public Service {
public:
    explicit DeviceService(int ordinal) : ordinal_(ordinal) {}
    // Destroying a lost session would wait for the kernel that never ends.
    ~DeviceService() override {
        if (session_ != nullptr && session_->is_lost()) (void)session_.release();
    }
    DeviceService(const DeviceService&) = delete;
    DeviceService& operator=(const DeviceService&) = delete;

    Result<json> answer(const json& request) override {
        const std::string what = request.value("do", "");
        if (what == "prepare") return prepare(request);
        if (what == "open") return open(request);
        if (what == "evaluate") return evaluate(request);
        if (what == "profile") return profile(request);
        return internal_error("a device worker cannot do '" + what + "'");
    }

private:
    // Not under the lock: the card's own start disturbs others little.
    Result<json> prepare(const json& request) {
        const auto task = task_from_json(request.value("task", json::object()));
        if (!task) return tl::make_unexpected(task.error());
        const auto knowledge = knowledge_from_json(request.value("knowledge", json()));
        auto tools = DeviceTools::open(ordinal_, knowledge.helper_cubin, types_of(*task));
        if (!tools) return tl::make_unexpected(tools.error());
        tools_ = std::move(*tools);
        // The first worker will want the counters; opening them takes half a second, and the original is not there yet.
        const bool is_first = knowledge.terms_per_output.empty();
        if (is_first && session_settings_from_json(request.value("settings", json::object())).in_process_counters) (void)tools_->profiler();
        auto lock = gpu::DeviceLock::open(tools_->device->properties().uuid);
        if (!lock) return tl::make_unexpected(lock.error());
        lock_.emplace(std::move(*lock));
        return json::object();
    }

    Result<json> open(const json& request) {
        if (tools_ == nullptr) {
            if (const auto prepared = prepare(request); !prepared) return prepared;
        }
        auto task = task_from_json(request.value("task", json::object()));
        if (!task) return tl::make_unexpected(task.error());
        const auto original = compiled_from_json(request.value("original", json::object()));
        if (!original) return tl::make_unexpected(original.error());
        task_ = std::move(*task);
        if (!lock_->acquire(kLockSeconds)) return environment_error("the card is busy with another run");
        auto session = DeviceSession::open(std::move(tools_), *task_, *original, session_settings_from_json(request.value("settings", json::object())),
                                           knowledge_from_json(request.value("knowledge", json())), disk_);
        lock_->release();
        if (!session) return tl::make_unexpected(session.error());
        session_ = std::move(*session);
        const gpu::DeviceProperties& properties = session_->properties();
        return json{{"device", properties.name}, {"uuid", properties.uuid}, {"compute_capability", properties.compute_capability},
                    {"driver_version", properties.driver_version}, {"no_counters_because", session_->no_counters_because()},
                    {"original_seconds", session_->original_seconds()}, {"not_large_because", session_->not_large_because()},
                    {"knowledge", to_json(session_->knowledge())}};
    }

    Result<json> evaluate(const json& request) {
        if (session_ == nullptr) return internal_error("evaluate before open");
        const double began = clock_.now();
        std::vector<CompiledCandidate> candidates;
        for (const json& item : request.value("candidates", json::array())) {
            auto compiled = compiled_from_json(item);
            if (!compiled) return tl::make_unexpected(compiled.error());
            candidates.push_back(std::move(*compiled));
        }
        const double decoded = clock_.now();
        if (!lock_->acquire(kPatienceSeconds)) return json{{"busy", true}};
        const double locked = clock_.now();
        if (request.value("as_written", false)) session_->judge_as_written();
        std::vector<std::optional<Evaluation>> evaluations = session_->evaluate(candidates, tier_named(request.value("tier", "")));
        release_lock();
        json answers = json::array();
        for (std::optional<Evaluation>& evaluation : evaluations) {
            if (evaluation) {
                evaluation->stage_seconds["decode"] = (decoded - began) / static_cast<double>(candidates.size());
                evaluation->stage_seconds["lock"] = (locked - decoded) / static_cast<double>(candidates.size());
            }
            answers.push_back(evaluation ? json::parse(evaluation::to_json(*evaluation)) : json());
        }
        return json{{"evaluations", std::move(answers)}, {"lost", session_->is_lost()}, {"lost_in_f64", session_->is_lost_in_f64()}};
    }

    Result<json> profile(const json& request) {
        if (session_ == nullptr) return internal_error("profile before open");
        const auto compiled = compiled_from_json(request.value("candidate", json::object()));
        if (!compiled) return tl::make_unexpected(compiled.error());
        const auto tier = tier_named(request.value("tier", ""));
        if (!tier) return internal_error("a profile without a tier");
        if (!lock_->acquire(kPatienceSeconds)) return json{{"busy", true}};
        if (request.value("as_written", false)) session_->judge_as_written();
        const Evaluation evaluation = session_->profile(*compiled, *tier);
        release_lock();
        return json{{"evaluation", json::parse(evaluation::to_json(evaluation))}, {"lost", session_->is_lost()}, {"lost_in_f64", session_->is_lost_in_f64()}};
    }

    // A kernel that never ends runs on until this process is killed, and a lost context keeps the card's counters: nobody else could
    // measure anything before.
    void release_lock() {
        if (!session_->is_lost()) lock_->release();
    }

    const int ordinal_;
    SteadyClock clock_;
    RealDisk disk_;
    std::optional<task::Task> task_;
    std::unique_ptr<DeviceTools> tools_;  // until a session takes them
    std::optional<gpu::DeviceLock> lock_;
    std::unique_ptr<DeviceSession> session_;
};

}  // namespace

std::unique_ptr<Service> make_device_service(int ordinal) { return std::make_unique<DeviceService>(ordinal); }

}  // namespace optiml::workers
