#include "gpu/driver.h"

#include <fmt/format.h>

// cuda.h maps plain names to versioned symbols by macros; turning the expanded name into text gives the symbol to look up.
#define OPTIML_TEXT(name) #name
#define OPTIML_SYMBOL(name) OPTIML_TEXT(name)
#define OPTIML_FIND(name) \
    if (!find_symbol(library_, OPTIML_SYMBOL(cu##name), name)) return OPTIML_SYMBOL(cu##name)

namespace optiml::gpu {
namespace {

template <class Function>
bool find_symbol(const DynamicLibrary& library, const char* symbol, Function*& function) {
    return library.find(symbol, function);
}

// Errors after which every later call of the process fails (CUDA driver API, CUresult: "leaves the process in an inconsistent state").
bool is_sticky(CUresult code) {
    switch (code) {
        case CUDA_ERROR_ILLEGAL_ADDRESS:
        case CUDA_ERROR_LAUNCH_TIMEOUT:
        case CUDA_ERROR_ASSERT:
        case CUDA_ERROR_HARDWARE_STACK_ERROR:
        case CUDA_ERROR_ILLEGAL_INSTRUCTION:
        case CUDA_ERROR_MISALIGNED_ADDRESS:
        case CUDA_ERROR_INVALID_ADDRESS_SPACE:
        case CUDA_ERROR_INVALID_PC:
        case CUDA_ERROR_LAUNCH_FAILED:
        case CUDA_ERROR_ECC_UNCORRECTABLE:
        case CUDA_ERROR_CONTEXT_IS_DESTROYED:
        case CUDA_ERROR_DEINITIALIZED: return true;
        default: return false;
    }
}

}  // namespace

Result<const Driver*> Driver::get() {
    static const Result<const Driver*> driver = load();
    return driver;
}

Result<const Driver*> Driver::load() {
    auto library = DynamicLibrary::open({"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1"});
    if (!library) {
        return environment_error("no NVIDIA driver on this machine (libcuda.so.1 does not load)",
                                 "Use --device emulated:h200, or install the driver of the card.");
    }
    static Driver driver;
    driver.library_ = std::move(*library);
    const std::string missing = driver.find_all();
    if (!missing.empty()) {
        return environment_error(fmt::format("the NVIDIA driver is too old: it lacks {}", missing), "Install driver 550 or newer.");
    }
    if (const auto started = driver.check("cuInit", driver.Init(0)); !started) {
        return environment_error("the NVIDIA driver does not start: " + started.error().text(), "See nvidia-smi.");
    }
    return &driver;
}

std::string Driver::find_all() {
    OPTIML_FIND(Init);
    OPTIML_FIND(DriverGetVersion);
    OPTIML_FIND(DeviceGetCount);
    OPTIML_FIND(DeviceGet);
    OPTIML_FIND(DeviceGetName);
    OPTIML_FIND(DeviceGetUuid);
    OPTIML_FIND(DeviceGetAttribute);
    OPTIML_FIND(DeviceTotalMem);
    OPTIML_FIND(DevicePrimaryCtxRetain);
    OPTIML_FIND(DevicePrimaryCtxRelease);
    OPTIML_FIND(CtxSetCurrent);
    OPTIML_FIND(CtxSynchronize);
    OPTIML_FIND(CtxResetPersistingL2Cache);
    OPTIML_FIND(MemGetInfo);
    OPTIML_FIND(MemAlloc);
    OPTIML_FIND(MemFree);
    OPTIML_FIND(MemHostAlloc);
    OPTIML_FIND(MemFreeHost);
    OPTIML_FIND(MemHostGetDevicePointer);
    OPTIML_FIND(MemcpyHtoDAsync);
    OPTIML_FIND(MemcpyDtoHAsync);
    OPTIML_FIND(MemcpyDtoDAsync);
    OPTIML_FIND(MemsetD8Async);
    OPTIML_FIND(Array3DCreate);
    OPTIML_FIND(ArrayDestroy);
    OPTIML_FIND(MipmappedArrayCreate);
    OPTIML_FIND(MipmappedArrayGetLevel);
    OPTIML_FIND(MipmappedArrayDestroy);
    OPTIML_FIND(Memcpy3DAsync);
    OPTIML_FIND(TexObjectCreate);
    OPTIML_FIND(TexObjectDestroy);
    OPTIML_FIND(SurfObjectCreate);
    OPTIML_FIND(SurfObjectDestroy);
    OPTIML_FIND(StreamCreate);
    OPTIML_FIND(StreamDestroy);
    OPTIML_FIND(StreamSynchronize);
    OPTIML_FIND(EventCreate);
    OPTIML_FIND(EventDestroy);
    OPTIML_FIND(EventRecord);
    OPTIML_FIND(EventQuery);
    OPTIML_FIND(EventSynchronize);
    OPTIML_FIND(EventElapsedTime);
    OPTIML_FIND(ModuleLoadData);
    OPTIML_FIND(ModuleUnload);
    OPTIML_FIND(ModuleGetFunction);
    OPTIML_FIND(FuncGetAttribute);
    OPTIML_FIND(FuncSetAttribute);
    OPTIML_FIND(OccupancyMaxActiveBlocksPerMultiprocessor);
    OPTIML_FIND(LaunchKernel);
    OPTIML_FIND(ProfilerStart);
    OPTIML_FIND(ProfilerStop);
    OPTIML_FIND(GetErrorName);
    OPTIML_FIND(GetErrorString);
    return "";
}

DeviceFailure Driver::failure(const char* call, CUresult code) const {
    const char* name = nullptr;
    const char* message = nullptr;
    GetErrorName(code, &name);
    GetErrorString(code, &message);
    return {call, name == nullptr ? fmt::format("error {}", static_cast<int>(code)) : name, message == nullptr ? "" : message,
            is_sticky(code)};
}

}  // namespace optiml::gpu
