#pragma once
// The driver's functions by name. Private to src/gpu: it needs CUDA's headers.

#include <cuda.h>
#include <cudaProfiler.h>

#include "gpu/device.h"
#include "gpu/dynamic_library.h"

namespace optiml::gpu {

class Driver {
public:
    // Loads libcuda once and initialises it. Error (environment): no driver, or it does not start.
    static Result<const Driver*> get();

    DeviceFailure failure(const char* call, CUresult code) const;
    DeviceStatus check(const char* call, CUresult code) const {
        if (code == CUDA_SUCCESS) return {};
        return tl::make_unexpected(failure(call, code));
    }

    // Members are named as the functions are; the versioned symbols stand in driver.cpp.
    decltype(&::cuInit) Init = nullptr;
    decltype(&::cuDriverGetVersion) DriverGetVersion = nullptr;
    decltype(&::cuDeviceGetCount) DeviceGetCount = nullptr;
    decltype(&::cuDeviceGet) DeviceGet = nullptr;
    decltype(&::cuDeviceGetName) DeviceGetName = nullptr;
    decltype(&::cuDeviceGetUuid) DeviceGetUuid = nullptr;
    decltype(&::cuDeviceGetAttribute) DeviceGetAttribute = nullptr;
    decltype(&::cuDeviceTotalMem) DeviceTotalMem = nullptr;
    decltype(&::cuDevicePrimaryCtxRetain) DevicePrimaryCtxRetain = nullptr;
    decltype(&::cuDevicePrimaryCtxRelease) DevicePrimaryCtxRelease = nullptr;
    decltype(&::cuCtxSetCurrent) CtxSetCurrent = nullptr;
    decltype(&::cuCtxSynchronize) CtxSynchronize = nullptr;
    decltype(&::cuCtxResetPersistingL2Cache) CtxResetPersistingL2Cache = nullptr;
    decltype(&::cuMemGetInfo) MemGetInfo = nullptr;
    decltype(&::cuMemAlloc) MemAlloc = nullptr;
    decltype(&::cuMemFree) MemFree = nullptr;
    decltype(&::cuMemHostAlloc) MemHostAlloc = nullptr;
    decltype(&::cuMemFreeHost) MemFreeHost = nullptr;
    decltype(&::cuMemHostGetDevicePointer) MemHostGetDevicePointer = nullptr;
    decltype(&::cuMemcpyHtoDAsync) MemcpyHtoDAsync = nullptr;
    decltype(&::cuMemcpyDtoHAsync) MemcpyDtoHAsync = nullptr;
    decltype(&::cuMemcpyDtoDAsync) MemcpyDtoDAsync = nullptr;
    decltype(&::cuMemsetD8Async) MemsetD8Async = nullptr;
    decltype(&::cuArray3DCreate) Array3DCreate = nullptr;
    decltype(&::cuArrayDestroy) ArrayDestroy = nullptr;
    decltype(&::cuMipmappedArrayCreate) MipmappedArrayCreate = nullptr;
    decltype(&::cuMipmappedArrayGetLevel) MipmappedArrayGetLevel = nullptr;
    decltype(&::cuMipmappedArrayDestroy) MipmappedArrayDestroy = nullptr;
    decltype(&::cuMemcpy3DAsync) Memcpy3DAsync = nullptr;
    decltype(&::cuTexObjectCreate) TexObjectCreate = nullptr;
    decltype(&::cuTexObjectDestroy) TexObjectDestroy = nullptr;
    decltype(&::cuSurfObjectCreate) SurfObjectCreate = nullptr;
    decltype(&::cuSurfObjectDestroy) SurfObjectDestroy = nullptr;
    decltype(&::cuStreamCreate) StreamCreate = nullptr;
    decltype(&::cuStreamDestroy) StreamDestroy = nullptr;
    decltype(&::cuStreamSynchronize) StreamSynchronize = nullptr;
    decltype(&::cuEventCreate) EventCreate = nullptr;
    decltype(&::cuEventDestroy) EventDestroy = nullptr;
    decltype(&::cuEventRecord) EventRecord = nullptr;
    decltype(&::cuEventQuery) EventQuery = nullptr;
    decltype(&::cuEventSynchronize) EventSynchronize = nullptr;
    decltype(&::cuEventElapsedTime) EventElapsedTime = nullptr;
    decltype(&::cuModuleLoadData) ModuleLoadData = nullptr;
    decltype(&::cuModuleUnload) ModuleUnload = nullptr;
    decltype(&::cuModuleGetFunction) ModuleGetFunction = nullptr;
    decltype(&::cuFuncGetAttribute) FuncGetAttribute = nullptr;
    decltype(&::cuFuncSetAttribute) FuncSetAttribute = nullptr;
    decltype(&::cuOccupancyMaxActiveBlocksPerMultiprocessor) OccupancyMaxActiveBlocksPerMultiprocessor = nullptr;
    decltype(&::cuLaunchKernel) LaunchKernel = nullptr;
    decltype(&::cuProfilerStart) ProfilerStart = nullptr;
    decltype(&::cuProfilerStop) ProfilerStop = nullptr;
    decltype(&::cuGetErrorName) GetErrorName = nullptr;
    decltype(&::cuGetErrorString) GetErrorString = nullptr;

private:
    static Result<const Driver*> load();
    std::string find_all();  // the first name that is missing; empty if all are there

    DynamicLibrary library_;
};

}  // namespace optiml::gpu
