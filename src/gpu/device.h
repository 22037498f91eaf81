#pragma once
// One NVIDIA GPU through the driver API, loaded at run time. Plain allocations only. What a candidate does wrong here (a launch that
// is refused, a fault while it runs) is a DeviceFailure, an outcome; that there is no GPU at all is an Error of the environment.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace optiml::gpu {

struct DeviceFailure {
    std::string call;      // "cuLaunchKernel"
    std::string name;      // "CUDA_ERROR_ILLEGAL_ADDRESS"
    std::string message;   // "an illegal memory access was encountered"
    bool sticky = false;   // the context is lost: only a new process helps

    std::string text() const { return call + ": " + name + " (" + message + ")"; }
};

template <class T>
using DeviceResult = tl::expected<T, DeviceFailure>;
using DeviceStatus = DeviceResult<void>;

struct DeviceProperties {
    int ordinal = 0;
    std::string name;                     // "NVIDIA H200"
    std::string uuid;                     // "GPU-..."
    std::uint32_t compute_capability = 0; // 90
    std::uint32_t sm_count = 0;
    std::uint32_t threads_per_sm = 0;     // at most resident
    std::uint64_t memory_bytes = 0;
    std::uint64_t l2_bytes = 0;
    std::uint64_t persisting_l2_bytes = 0;
    std::uint32_t shared_per_block = 0;   // with the opt-in attribute, bytes
    std::uint32_t memory_clock_khz = 0;
    std::uint32_t memory_bus_bits = 0;
    std::uint32_t core_clock_khz = 0;
    int driver_version = 0;               // 13000: CUDA 13.0
};

using DeviceAddress = std::uint64_t;

struct FunctionAttributes {
    std::uint32_t registers = 0;
    std::uint32_t static_shared = 0;
    std::uint32_t local_bytes = 0;
    std::uint32_t max_threads = 0;
    std::uint32_t blocks_per_sm = 0;      // for the block size and dynamic shared memory asked about
};

struct LaunchShape {
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    std::array<std::uint32_t, 3> block{1, 1, 1};
    std::uint32_t dynamic_shared = 0;
};

class Driver;

// A word of host memory that the device sees too; frees itself.
class SharedWord {
public:
    SharedWord(const Driver& driver, volatile std::uint32_t* host, DeviceAddress device) : driver_(&driver), host_(host), device_(device) {}
    SharedWord(SharedWord&& other) noexcept;
    SharedWord& operator=(SharedWord&& other) noexcept;
    ~SharedWord();
    volatile std::uint32_t& value() const { return *host_; }
    DeviceAddress address() const { return device_; }

private:
    const Driver* driver_;
    volatile std::uint32_t* host_;
    DeviceAddress device_;
};

// A loaded cubin; unloads itself. Function handles stay valid while it lives.
class DeviceModule {
public:
    DeviceModule(const Driver& driver, void* handle) : driver_(&driver), handle_(handle) {}
    DeviceModule(DeviceModule&& other) noexcept;
    DeviceModule& operator=(DeviceModule&& other) noexcept;
    ~DeviceModule();
    DeviceResult<void*> function(const std::string& lowered_name) const;

private:
    const Driver* driver_;
    void* handle_;
};

// A CUDA event; times in milliseconds between two recorded ones.
class DeviceEvent {
public:
    DeviceEvent(const Driver& driver, void* handle) : driver_(&driver), handle_(handle) {}
    DeviceEvent(DeviceEvent&& other) noexcept;
    DeviceEvent& operator=(DeviceEvent&& other) noexcept;
    ~DeviceEvent();
    void* handle() const { return handle_; }

private:
    const Driver* driver_;
    void* handle_;
};

class Device {
public:
    // Errors (environment): no driver, no such device, no context.
    static Result<int> count();
    static Result<std::unique_ptr<Device>> open(int ordinal);
    // What a device is, without opening it. Errors as open().
    static Result<DeviceProperties> describe(int ordinal);
    ~Device();

    const DeviceProperties& properties() const { return properties_; }
    DeviceResult<std::uint64_t> free_memory() const;

    DeviceResult<DeviceAddress> allocate(std::uint64_t bytes);
    void release(DeviceAddress address);
    DeviceStatus write(DeviceAddress address, const void* bytes, std::uint64_t count);
    DeviceStatus read(DeviceAddress address, void* bytes, std::uint64_t count) const;
    DeviceStatus copy(DeviceAddress to, DeviceAddress from, std::uint64_t count);  // in the stream's order
    DeviceStatus fill(DeviceAddress address, std::uint8_t value, std::uint64_t count);

    DeviceResult<DeviceModule> load(const std::vector<std::uint8_t>& cubin);
    DeviceResult<FunctionAttributes> attributes(void* function, std::uint32_t threads, std::uint32_t dynamic_shared) const;
    // Raises the function's dynamic shared memory limit where the launch needs it. Parameters: pointers to each argument's bytes.
    DeviceStatus launch(void* function, const LaunchShape& shape, void** parameters);
    // Waits for all streams of the device, so that work hidden on another one is seen too. Returns faults of what ran. With a hang limit:
    // work that runs for longer is a sticky failure of name CUDA_ERROR_LAUNCH_TIMEOUT. It cannot be ended but with the process, and
    // every call that waits for the device (freeing memory, unloading) would wait for it.
    DeviceStatus synchronize();
    void set_hang_limit(double seconds) { hang_limit_seconds_ = seconds; }
    double hang_limit() const { return hang_limit_seconds_; }  // seconds; 0: none
    bool is_hung() const { return hung_.has_value(); }

    DeviceResult<SharedWord> make_shared_word();
    DeviceResult<DeviceEvent> make_event();
    DeviceStatus record(const DeviceEvent& event);
    DeviceStatus wait(const DeviceEvent& event);
    // False while work before the event is still running.
    DeviceResult<bool> has_passed(const DeviceEvent& event) const;
    DeviceResult<float> milliseconds(const DeviceEvent& begin, const DeviceEvent& end) const;
    // Gives persisting L2 lines back to normal use and takes any access-policy window off our stream.
    DeviceStatus reset_persisting_l2();

    // Bounds the kernels that a profiler watching this process takes notice of; without one nothing happens.
    DeviceStatus start_profiling();
    DeviceStatus stop_profiling();

    void* context() const { return context_; }
    void* stream() const { return stream_; }

private:
    DeviceStatus wait_for_stream();

    Device(const Driver& driver, DeviceProperties properties) : driver_(&driver), properties_(std::move(properties)) {}

    const Driver* driver_;
    DeviceProperties properties_;
    int handle_ = 0;
    void* context_ = nullptr;
    void* stream_ = nullptr;
    void* last_work_ = nullptr;          // event behind all that is on the stream
    double hang_limit_seconds_ = 0;      // 0: none
    std::optional<DeviceFailure> hung_;
};

}  // namespace optiml::gpu
