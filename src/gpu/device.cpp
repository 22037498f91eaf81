#include "gpu/device.h"

#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "gpu/driver.h"
#include "gpu/shared_limit.h"

namespace optiml::gpu {
namespace {


CUmodule as_module(void* handle) { return static_cast<CUmodule>(handle); }
CUevent as_event(void* handle) { return static_cast<CUevent>(handle); }
CUstream as_stream(void* handle) { return static_cast<CUstream>(handle); }
CUfunction as_function(void* handle) { return static_cast<CUfunction>(handle); }

std::uint32_t attribute(const Driver& driver, CUdevice device, CUdevice_attribute which) {
    int value = 0;
    return driver.DeviceGetAttribute(&value, which, device) == CUDA_SUCCESS && value > 0 ? static_cast<std::uint32_t>(value) : 0;
}

std::string uuid_text(const CUuuid& uuid) {
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
    }
    return text;
}

DeviceProperties properties_of(const Driver& driver, CUdevice device, int ordinal) {
    DeviceProperties properties;
    properties.ordinal = ordinal;
    char name[256] = "";
    driver.DeviceGetName(name, sizeof name, device);
    properties.name = name;
    CUuuid uuid{};
    if (driver.DeviceGetUuid(&uuid, device) == CUDA_SUCCESS) properties.uuid = uuid_text(uuid);
    const auto get = [&](CUdevice_attribute which) { return attribute(driver, device, which); };
    properties.compute_capability =
        10 * get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) + get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    properties.sm_count = get(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    properties.threads_per_sm = get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    properties.l2_bytes = get(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    properties.persisting_l2_bytes = get(CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE);
    properties.shared_per_block = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    properties.memory_clock_khz = get(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    properties.memory_bus_bits = get(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    properties.core_clock_khz = get(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    std::size_t bytes = 0;
    driver.DeviceTotalMem(&bytes, device);
    properties.memory_bytes = bytes;
    driver.DriverGetVersion(&properties.driver_version);
    return properties;
}

}  // namespace

SharedWord::SharedWord(SharedWord&& other) noexcept
    : driver_(other.driver_), host_(std::exchange(other.host_, nullptr)), device_(other.device_) {}

SharedWord& SharedWord::operator=(SharedWord&& other) noexcept {
    std::swap(driver_, other.driver_);
    std::swap(host_, other.host_);
    std::swap(device_, other.device_);
    return *this;
}

SharedWord::~SharedWord() {
    if (host_ != nullptr) driver_->MemFreeHost(const_cast<std::uint32_t*>(host_));
}

DeviceModule::DeviceModule(DeviceModule&& other) noexcept
    : driver_(other.driver_), handle_(std::exchange(other.handle_, nullptr)) {}

DeviceModule& DeviceModule::operator=(DeviceModule&& other) noexcept {
    std::swap(driver_, other.driver_);
    std::swap(handle_, other.handle_);
    return *this;
}

DeviceModule::~DeviceModule() {
    if (handle_ != nullptr) driver_->ModuleUnload(as_module(handle_));
}

DeviceResult<void*> DeviceModule::function(const std::string& lowered_name) const {
    CUfunction function = nullptr;
    const auto found = driver_->check("cuModuleGetFunction", driver_->ModuleGetFunction(&function, as_module(handle_), lowered_name.c_str()));
    if (!found) return tl::make_unexpected(found.error());
    return function;
}

DeviceEvent::DeviceEvent(DeviceEvent&& other) noexcept : driver_(other.driver_), handle_(std::exchange(other.handle_, nullptr)) {}

DeviceEvent& DeviceEvent::operator=(DeviceEvent&& other) noexcept {
    std::swap(driver_, other.driver_);
    std::swap(handle_, other.handle_);
    return *this;
}

DeviceEvent::~DeviceEvent() {
    if (handle_ != nullptr) driver_->EventDestroy(as_event(handle_));
}

Result<int> Device::count() {
    const auto driver = Driver::get();
    if (!driver) return tl::make_unexpected(driver.error());
    int count = 0;
    if (const auto counted = (*driver)->check("cuDeviceGetCount", (*driver)->DeviceGetCount(&count)); !counted) {
        return environment_error(counted.error().text(), "See nvidia-smi.");
    }
    return count;
}

Result<DeviceProperties> Device::describe(int ordinal) {
    const auto devices = count();
    if (!devices) return tl::make_unexpected(devices.error());
    if (ordinal < 0 || ordinal >= *devices) {
        return environment_error(fmt::format("there is no device cuda:{}; this machine has {}", ordinal, *devices));
    }
    const Driver& driver = **Driver::get();
    CUdevice handle = 0;
    const auto found = driver.check("cuDeviceGet", driver.DeviceGet(&handle, ordinal));
    if (!found) return environment_error(found.error().text(), "See nvidia-smi.");
    return properties_of(driver, handle, ordinal);
}

Result<std::unique_ptr<Device>> Device::open(int ordinal) {
    auto properties = describe(ordinal);
    if (!properties) return tl::make_unexpected(properties.error());
    const Driver& driver = **Driver::get();
    std::unique_ptr<Device> device(new Device(driver, std::move(*properties)));
    CUcontext context = nullptr;
    CUstream stream = nullptr;
    auto opened = driver.check("cuDeviceGet", driver.DeviceGet(&device->handle_, ordinal));
    if (opened) opened = driver.check("cuDevicePrimaryCtxRetain", driver.DevicePrimaryCtxRetain(&context, device->handle_));
    device->context_ = context;
    if (opened) opened = driver.check("cuCtxSetCurrent", driver.CtxSetCurrent(context));
    if (opened) opened = driver.check("cuStreamCreate", driver.StreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    device->stream_ = stream;
    CUevent last_work = nullptr;
    if (opened) opened = driver.check("cuEventCreate", driver.EventCreate(&last_work, CU_EVENT_DISABLE_TIMING));
    device->last_work_ = last_work;
    if (!opened) return environment_error(opened.error().text(), "See nvidia-smi; another program may hold the card exclusively.");
    return device;
}

Device::~Device() {
    if (last_work_ != nullptr) driver_->EventDestroy(as_event(last_work_));
    if (stream_ != nullptr) driver_->StreamDestroy(as_stream(stream_));
    if (context_ != nullptr) driver_->DevicePrimaryCtxRelease(handle_);
}

DeviceResult<std::uint64_t> Device::free_memory() const {
    std::size_t free_bytes = 0, total = 0;
    const auto asked = driver_->check("cuMemGetInfo", driver_->MemGetInfo(&free_bytes, &total));
    if (!asked) return tl::make_unexpected(asked.error());
    return free_bytes;
}

DeviceResult<DeviceAddress> Device::allocate(std::uint64_t bytes) {
    CUdeviceptr address = 0;
    const auto allocated = driver_->check("cuMemAlloc", driver_->MemAlloc(&address, bytes == 0 ? 1 : bytes));
    if (!allocated) return tl::make_unexpected(allocated.error());
    return address;
}

void Device::release(DeviceAddress address) {
    if (address != 0) driver_->MemFree(address);
}

DeviceStatus Device::write(DeviceAddress address, const void* bytes, std::uint64_t count) {
    if (count == 0) return {};
    return driver_->check("cuMemcpyHtoDAsync", driver_->MemcpyHtoDAsync(address, bytes, count, as_stream(stream_)));
}

DeviceStatus Device::read(DeviceAddress address, void* bytes, std::uint64_t count) const {
    if (count == 0) return {};
    auto copied = driver_->check("cuMemcpyDtoHAsync", driver_->MemcpyDtoHAsync(bytes, address, count, as_stream(stream_)));
    if (!copied) return copied;
    return driver_->check("cuStreamSynchronize", driver_->StreamSynchronize(as_stream(stream_)));
}

DeviceStatus Device::copy(DeviceAddress to, DeviceAddress from, std::uint64_t count) {
    if (count == 0) return {};
    return driver_->check("cuMemcpyDtoDAsync", driver_->MemcpyDtoDAsync(to, from, count, as_stream(stream_)));
}

DeviceStatus Device::fill(DeviceAddress address, std::uint8_t value, std::uint64_t count) {
    if (count == 0) return {};
    return driver_->check("cuMemsetD8Async", driver_->MemsetD8Async(address, value, count, as_stream(stream_)));
}

DeviceResult<DeviceModule> Device::load(const std::vector<std::uint8_t>& cubin) {
    CUmodule module = nullptr;
    const auto loaded = driver_->check("cuModuleLoadData", driver_->ModuleLoadData(&module, cubin.data()));
    if (!loaded) return tl::make_unexpected(loaded.error());
    return DeviceModule(*driver_, module);
}

DeviceResult<FunctionAttributes> Device::attributes(void* function, std::uint32_t threads, std::uint32_t dynamic_shared) const {
    FunctionAttributes attributes;
    const auto get = [&](CUfunction_attribute which, std::uint32_t& value) {
        int number = 0;
        const auto asked = driver_->check("cuFuncGetAttribute", driver_->FuncGetAttribute(&number, which, as_function(function)));
        value = static_cast<std::uint32_t>(number);
        return asked;
    };
    auto asked = get(CU_FUNC_ATTRIBUTE_NUM_REGS, attributes.registers);
    if (asked) asked = get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, attributes.static_shared);
    if (asked) asked = get(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, attributes.local_bytes);
    if (asked) asked = get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, attributes.max_threads);
    if (!asked) return tl::make_unexpected(asked.error());
    int blocks = 0;
    driver_->OccupancyMaxActiveBlocksPerMultiprocessor(&blocks, as_function(function), static_cast<int>(threads), dynamic_shared);
    attributes.blocks_per_sm = static_cast<std::uint32_t>(blocks);
    return attributes;
}

DeviceStatus Device::launch(void* function, const LaunchShape& shape, void** parameters) {
    if (const auto allowed = allow_shared(*driver_, as_function(function), shape.dynamic_shared); !allowed) return allowed;
    return driver_->check("cuLaunchKernel",
                          driver_->LaunchKernel(as_function(function), shape.grid[0], shape.grid[1], shape.grid[2], shape.block[0], shape.block[1],
                                                shape.block[2], shape.dynamic_shared, as_stream(stream_), parameters, nullptr));
}

DeviceStatus Device::synchronize() {
    if (hang_limit_seconds_ > 0) {
        if (const auto waited = wait_for_stream(); !waited) return waited;
    }
    return driver_->check("cuCtxSynchronize", driver_->CtxSynchronize());
}

// Asks again and again, as cuCtxSynchronize itself does, so that the wait can end.
DeviceStatus Device::wait_for_stream() {
    if (hung_) return tl::make_unexpected(*hung_);
    auto recorded = driver_->check("cuEventRecord", driver_->EventRecord(as_event(last_work_), as_stream(stream_)));
    if (!recorded) return recorded;
    const SteadyClock clock;
    const Deadline deadline(clock, hang_limit_seconds_);
    while (true) {
        const CUresult code = driver_->EventQuery(as_event(last_work_));
        if (code != CUDA_ERROR_NOT_READY) return driver_->check("cuEventQuery", code);
        if (!deadline.passed()) continue;
        hung_ = DeviceFailure{"cuEventQuery", "CUDA_ERROR_LAUNCH_TIMEOUT", fmt::format("still running after {:.2f} s", hang_limit_seconds_), true};
        return tl::make_unexpected(*hung_);
    }
}

DeviceResult<SharedWord> Device::make_shared_word() {
    void* host = nullptr;
    CUdeviceptr device = 0;
    auto made = driver_->check("cuMemHostAlloc", driver_->MemHostAlloc(&host, sizeof(std::uint32_t), CU_MEMHOSTALLOC_DEVICEMAP));
    if (!made) return tl::make_unexpected(made.error());
    made = driver_->check("cuMemHostGetDevicePointer", driver_->MemHostGetDevicePointer(&device, host, 0));
    SharedWord word(*driver_, static_cast<std::uint32_t*>(host), device);
    if (!made) return tl::make_unexpected(made.error());
    word.value() = 0;
    return word;
}

DeviceResult<DeviceEvent> Device::make_event() {
    CUevent event = nullptr;
    const auto made = driver_->check("cuEventCreate", driver_->EventCreate(&event, CU_EVENT_DEFAULT));
    if (!made) return tl::make_unexpected(made.error());
    return DeviceEvent(*driver_, event);
}

DeviceStatus Device::record(const DeviceEvent& event) {
    return driver_->check("cuEventRecord", driver_->EventRecord(as_event(event.handle()), as_stream(stream_)));
}

DeviceStatus Device::wait(const DeviceEvent& event) {
    return driver_->check("cuEventSynchronize", driver_->EventSynchronize(as_event(event.handle())));
}

DeviceResult<bool> Device::has_passed(const DeviceEvent& event) const {
    const CUresult code = driver_->EventQuery(as_event(event.handle()));
    if (code == CUDA_SUCCESS) return true;
    if (code == CUDA_ERROR_NOT_READY) return false;
    return tl::make_unexpected(driver_->failure("cuEventQuery", code));
}

DeviceResult<float> Device::milliseconds(const DeviceEvent& begin, const DeviceEvent& end) const {
    float elapsed = 0;
    const auto asked = driver_->check("cuEventElapsedTime", driver_->EventElapsedTime(&elapsed, as_event(begin.handle()), as_event(end.handle())));
    if (!asked) return tl::make_unexpected(asked.error());
    return elapsed;
}

DeviceStatus Device::start_profiling() { return driver_->check("cuProfilerStart", driver_->ProfilerStart()); }

DeviceStatus Device::stop_profiling() { return driver_->check("cuProfilerStop", driver_->ProfilerStop()); }

DeviceStatus Device::reset_persisting_l2() { return driver_->check("cuCtxResetPersistingL2Cache", driver_->CtxResetPersistingL2Cache()); }

}  // namespace optiml::gpu
