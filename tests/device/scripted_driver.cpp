// A libcuda.so.1 without a card: memory is the host's, each kernel runs when it is launched, and time is what kernels say they take. Ends
// the process where the real one would wait for ever.
// A module's "code" is a text that says what its kernel, y = 2 x on n floats, does (the evaluator's own kernels go by their names): first
// how many microseconds it takes, then one of
//   right, wrong, fault, endless, endless_when_counted, refused (by the launch), nothing (writes nothing)
//   wrong_from_timing_sizes, wrong_when_large
//   coarse (rounds to seven bits at the timing sizes)
//   outside (writes a byte behind y), before (a byte before it), outside_once (behind y, in its first timed run only), outside_elsewhere
//   (behind y, by work on another stream: it is done when the whole device is waited for), changes_input, zeroes (all there is of buffers,
//   as long as it is verified), zeroes_from_timing_sizes (in every run),
//   zeroes_copies_of_input (there, in every run: what holds x, wherever it lies in memory)
//   replay (in the end it repeats what it wrote last), recall (in the end it is right only for values that it has seen), lapse (wrong in
//   its first three timed runs), tires (wrong from its fifth timed run on), unsteady (the last bits differ from run to run)
//   finds (takes the results from where they lie in memory), finds_from_timing_sizes (there; it computes them elsewhere), finds_later
//   (computes them first, as long as it is verified)
//   adds (y += x, and faults on a y that was added to before)
//   adds_scratch (takes its scratch, n floats, to hold zeros), outside_scratch (writes a byte behind it)
//   likes_l2 (takes a tenth of its time if L2 was not flushed since its last run), pins (if persisting lines were not reset)
// A module that a compiler made is the same kernel on doubles and does what scripted_wider() says.

#include "scripted_driver.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <cuda.h>
#include <cudaProfiler.h>

namespace {

// Of replay and recall: as long as they are verified, at two odd sizes and twice at the timing sizes.
constexpr int kHonestRuns = 4;
constexpr int kVerifiedRuns = kHonestRuns + 1;  // once more on the last values
constexpr int kLeastTimedRuns = 5;
constexpr int kLarge = 4096;  // elements

struct Module {
    std::string code;
    int runs = 0;
    bool is_in_l2 = false, is_pinned = false;  // what it read
    std::vector<float> last;
    std::set<float> known;  // first elements of x
    bool is_wider = false;
};
struct Function {
    Module* module;
    std::string name;
};
// As the evaluator's own kernels write it.
struct Result {
    unsigned long long mismatches, last_index_first, largest_difference_bits, largest_truth_bits;
    double difference_sum_of_squares, truth_sum_of_squares;
    unsigned long long candidate_zeros, non_finite_mismatches;
};

struct State {
    std::map<char*, std::size_t> buffers;
    std::set<Module*> modules;
    std::size_t most_modules = SIZE_MAX;
    std::string wider = "10 right";
    std::map<std::string, std::size_t> launches;
    std::uint64_t all_launches = 0;
    double milliseconds = 0;
    CUresult fault = CUDA_SUCCESS;
    bool is_endless = false;
    int memory_clock_khz = 0, memory_bus_bits = 0;
    std::vector<std::function<void()>> elsewhere;  // work on other streams
    std::size_t throttled_readings = 0;            // so many more say that the card throttles; kernels take three times as long meanwhile
    bool is_counted = false;           // a session is open
    std::size_t sessions = 0;
    std::vector<double> counted;       // microseconds of the session's kernels
};

State& state() {
    static State state;
    return state;
}

std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    return z ^ (z >> 31);
}

template <class T>
T argument(void** arguments, int index) {
    T value;
    std::memcpy(&value, arguments[index], sizeof value);
    return value;
}

void compare(void** arguments) {
    const auto* candidate = argument<const float*>(arguments, 0);
    const auto* truth = argument<const float*>(arguments, 1);
    const double absolute = argument<double>(arguments, 3), relative = argument<double>(arguments, 4);
    Result& result = *argument<Result*>(arguments, 5);
    for (unsigned long long i = 0, count = argument<unsigned long long>(arguments, 2); i < count; ++i) {
        const double difference = std::fabs(double(candidate[i]) - truth[i]);
        if (!(difference <= absolute + relative * std::fabs(truth[i]))) {
            if (result.mismatches++ == 0) result.last_index_first = ~i;
            if (!std::isfinite(difference)) ++result.non_finite_mismatches;
        }
        if (std::isfinite(difference)) {
            result.largest_difference_bits = std::max(result.largest_difference_bits, std::bit_cast<unsigned long long>(difference));
            result.difference_sum_of_squares += difference * difference;
        }
        result.truth_sum_of_squares += double(truth[i]) * truth[i];
    }
}

template <class From, class To>
void convert(void** arguments) {
    const auto* from = argument<const From*>(arguments, 0);
    std::transform(from, from + argument<unsigned long long>(arguments, 2), argument<To*>(arguments, 1), [](From value) { return static_cast<To>(value); });
}

void run_helper(const std::string& name, void** arguments) {
    if (name == "optiml_compare_f32") compare(arguments);
    if (name == "optiml_widen") convert<float, double>(arguments);
    if (name == "optiml_narrow") convert<double, float>(arguments);
    if (name == "optiml_flush") {
        for (Module* module : state().modules) module->is_in_l2 = false;
    }
    if (name == "optiml_mask") {
        auto* bytes = argument<unsigned char*>(arguments, 0);
        const auto count = argument<unsigned long long>(arguments, 1), key = argument<unsigned long long>(arguments, 2);
        for (std::uint64_t i = 0; i < count; ++i) bytes[i] ^= static_cast<unsigned char>(mixed(key + i));
    }
    if (name == "optiml_digest") {
        const auto* bytes = argument<const unsigned char*>(arguments, 0);
        const auto count = argument<unsigned long long>(arguments, 1), key = argument<unsigned long long>(arguments, 2);
        auto& sum = argument<Result*>(arguments, 4)->mismatches;
        sum -= argument<unsigned long long>(arguments, 3);
        for (std::uint64_t i = 0; i < count; ++i) sum += mixed(mixed(key + i) ^ bytes[i]);
    }
    if (name == "optiml_fill_f32") {
        auto* elements = argument<float*>(arguments, 0);
        const auto count = argument<unsigned long long>(arguments, 1), stream = argument<unsigned long long>(arguments, 5);
        for (std::uint64_t i = 0; i < count; ++i) elements[i] = static_cast<float>(mixed(stream * 0x9E3779B97F4A7C15ull + i) >> 40) / 16777216.0f;
    }
    if (name == "optiml_other_bytes") {
        const auto* bytes = argument<const unsigned char*>(arguments, 0);
        const unsigned value = argument<unsigned>(arguments, 1);
        const auto count = argument<unsigned long long>(arguments, 2);
        for (std::uint64_t i = 0; i < count; ++i) argument<Result*>(arguments, 3)->mismatches += bytes[i] != value;
    }
    if (name == "optiml_differing_bytes") {
        const auto *a = argument<const unsigned char*>(arguments, 0), *b = argument<const unsigned char*>(arguments, 1);
        const auto count = argument<unsigned long long>(arguments, 2);
        for (std::uint64_t i = 0; i < count; ++i) argument<Result*>(arguments, 3)->mismatches += a[i] != b[i];
    }
}

float coarse(float value) {
    int exponent = 0;
    const float mantissa = std::frexp(value, &exponent);
    return std::ldexp(std::round(mantissa * 128) / 128, exponent);
}

void run_wider_scale(const Module& module, void** arguments) {
    const auto* x = argument<const double*>(arguments, 0);
    auto* y = argument<double*>(arguments, 1);
    if (module.code.ends_with(" fault")) state().fault = CUDA_ERROR_ILLEGAL_ADDRESS;
    if (module.code.ends_with(" endless")) state().is_endless = true;
    const double factor = module.code.ends_with(" wrong") ? 2.01 : 2;
    for (int i = 0, n = argument<int>(arguments, 2); i < n; ++i) y[i] = factor * x[i];
}

// Wherever they lie in the card's memory: the address, or null.
const float* found_in_memory(const std::vector<float>& results) {
    for (const auto& [buffer, bytes] : state().buffers) {
        const void* const found = memmem(buffer, bytes, results.data(), results.size() * sizeof(float));
        if (found != nullptr) return static_cast<const float*>(found);
    }
    return nullptr;
}

// Each buffer's inside, from guard to guard.
void zero_buffers() {
    constexpr std::size_t kGuard = 64 * 1024;
    for (const auto& [buffer, bytes] : state().buffers) {
        if (bytes > 2 * kGuard) std::memset(buffer + kGuard, 0, bytes - 2 * kGuard);
    }
}

void zero_copies_of(const float* x, int n) {
    const std::vector<float> sought(x, x + n);
    for (const float* found = found_in_memory(sought); found != nullptr; found = found_in_memory(sought)) {
        std::memset(const_cast<float*>(found), 0, sought.size() * sizeof(float));
        if (std::all_of(sought.begin(), sought.end(), [](float value) { return value == 0; })) return;
    }
}

bool is_wrong(const std::string& kind, const Module& module, int n) {
    const int timed_runs = module.runs - kVerifiedRuns;
    if (kind == "lapse") return timed_runs > 0 && timed_runs <= 3;
    if (kind == "tires") return timed_runs >= kLeastTimedRuns;
    return kind == "wrong" || (kind == "wrong_when_large" && n > kLarge) || (kind == "wrong_from_timing_sizes" && n >= kLarge);
}

void write_results(const std::string& kind, Module& module, const float* x, float* y, int n, const float* scratch) {
    const auto count = static_cast<std::size_t>(n);
    const float factor = is_wrong(kind, module, n) ? 2.01f : 2.0f;
    std::vector<float> results(x, x + n);
    for (float& result : results) result *= factor;
    const bool is_over = module.runs > kHonestRuns;
    if (kind == "nothing") return;
    if (kind == "replay" && is_over && module.last.size() == count) results = module.last;
    if (kind == "recall" && is_over && module.known.count(x[0]) == 0) results.assign(count, 0);
    if (kind == "finds" || (kind == "finds_later" && is_over) || (kind == "finds_from_timing_sizes" && n >= kLarge)) {
        const float* const found = found_in_memory(results);
        if (found == nullptr) return;
        results.assign(found, found + n);
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (kind == "adds" && !(y[i] >= 0 && y[i] < 1)) state().fault = CUDA_ERROR_ILLEGAL_ADDRESS;
        if (kind == "adds") results[i] = y[i] + 2 + x[i];
        if (kind == "adds_scratch") results[i] += scratch[i];
        if (kind == "coarse" && n >= kLarge) results[i] = coarse(results[i]);
        if (kind == "unsteady" && module.runs % 2 == 0) results[i] = std::nextafter(results[i], 4.0f);
        y[i] = results[i];
    }
}

void write_elsewhere(const std::string& kind, const Module& module, float* x, float* y, int n, float* scratch) {
    const auto spoil = [](float* where, int byte) { reinterpret_cast<char*>(where)[byte] ^= 1; };
    if (kind == "outside" || (kind == "outside_once" && module.runs == kVerifiedRuns + 1)) spoil(y + n, 0);
    if (kind == "outside_elsewhere") state().elsewhere.push_back([=] { spoil(y + n, 0); });
    if (kind == "outside_scratch") spoil(scratch + n, 0);
    if (kind == "before") spoil(y, -1);
    if (kind == "changes_input") x[n - 1] += 1;
    if (kind == "zeroes" && module.runs <= kHonestRuns) zero_buffers();
    if (kind == "zeroes_from_timing_sizes" && n >= kLarge) zero_buffers();
    if (kind == "zeroes_copies_of_input" && n >= kLarge) zero_copies_of(x, n);
}

void spend(Module& module, const std::string& kind, double microseconds) {
    if ((kind == "likes_l2" && module.is_in_l2) || (kind == "pins" && module.is_pinned)) microseconds /= 10;
    module.is_in_l2 = module.is_pinned = true;
    if (state().throttled_readings > 0) microseconds *= 3;
    // A run that takes long does so on the host's clock, too.
    if (microseconds >= 1000) std::this_thread::sleep_for(std::chrono::microseconds(static_cast<int>(microseconds)));
    const double noise = 1 + 0.002 * static_cast<double>(mixed(state().all_launches) % 100) / 100;
    state().milliseconds += microseconds / 1000 * noise;
}

void run_scale(Module& module, void** arguments) {
    auto* x = argument<float*>(arguments, 0);
    auto* y = argument<float*>(arguments, 1);
    const int n = argument<int>(arguments, 2);
    const std::string kind = module.code.substr(module.code.find(' ') + 1);
    const double said = std::atof(module.code.c_str()), microseconds = said > 0 ? said : 10;
    ++module.runs;
    if (kind == "fault") state().fault = CUDA_ERROR_ILLEGAL_ADDRESS;
    // Those that are named so fail only where they are counted.
    if (state().is_counted) state().counted.push_back(microseconds);
    if (kind == "endless" || (kind == "endless_when_counted" && state().is_counted)) state().is_endless = true;
    auto* const scratch = kind.ends_with("_scratch") ? argument<float*>(arguments, 3) : nullptr;
    if (module.runs <= kHonestRuns) module.known.insert(x[0]);
    write_results(kind, module, x, y, n, scratch);
    write_elsewhere(kind, module, x, y, n, scratch);
    module.last.assign(y, y + n);
    spend(module, kind, microseconds);
}

CUresult wait_for_all() {
    if (state().is_endless) {
        std::fputs("scripted driver: waits for a kernel that never ends\n", stderr);
        std::_Exit(66);
    }
    return state().fault;
}

template <class T>
CUresult give(T* where, T value) {
    *where = value;
    return state().fault;
}

CUdeviceptr address_of(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }
char* pointer_to(CUdeviceptr address) { return reinterpret_cast<char*>(address); }

}  // namespace

extern "C" {

std::size_t scripted_launches(const char* code) { return state().launches[code]; }
void scripted_reset() { state() = State(); }
void scripted_module_limit(std::size_t most) { state().most_modules = most; }
void scripted_wider(const char* code) { state().wider = code; }
void scripted_memory(int clock_khz, int bus_bits) { state().memory_clock_khz = clock_khz, state().memory_bus_bits = bus_bits; }
void scripted_open_session() { state().is_counted = true, ++state().sessions, state().counted.clear(); }
std::size_t scripted_close_session() { return state().is_counted = false, state().counted.size(); }
std::size_t scripted_session_kernels() { return state().counted.size(); }
void scripted_throttle(std::size_t readings) { state().throttled_readings = readings; }
bool scripted_read_throttling() {
    if (state().throttled_readings == 0) return false;
    --state().throttled_readings;
    return true;
}
double scripted_session_kernel(std::size_t number) { return state().counted.at(number); }
std::size_t scripted_sessions() { return state().sessions; }
bool scripted_is_endless() { return state().is_endless; }
void scripted_stray_writes() {
    for (const auto& [buffer, bytes] : state().buffers) {
        for (std::size_t i = 0; i < bytes; ++i) buffer[i] = static_cast<char>(buffer[i] ^ 0x5A);
    }
}

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int* version) { return give(version, 13000); }
CUresult cuDeviceGetCount(int* count) { return give(count, 2); }
CUresult cuDeviceGet(CUdevice* device, int ordinal) { return give(device, ordinal); }
CUresult cuDeviceGetName(char* name, int, CUdevice) {
    std::strcpy(name, "Scripted");
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) { return give(uuid, CUuuid{{static_cast<char>(device)}}); }
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice) {
    const std::map<CUdevice_attribute, int> known = {{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
                                                     {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 4},
                                                     {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
                                                     {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 4096},
                                                     {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, state().memory_clock_khz},
                                                     {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, state().memory_bus_bits}};
    const auto found = known.find(which);
    return give(value, found == known.end() ? 0 : found->second);
}
CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice) { return give(bytes, std::size_t{1} << 30); }
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) { return give(context, static_cast<CUcontext>(nullptr)); }
CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxSynchronize() {
    for (const auto& work : state().elsewhere) work();
    state().elsewhere.clear();
    return wait_for_all();
}
CUresult cuCtxResetPersistingL2Cache() {
    for (Module* module : state().modules) module->is_pinned = false;
    return state().fault;
}
CUresult cuMemGetInfo(std::size_t* available, std::size_t* total) { return *total = std::size_t{1} << 30, give(available, std::size_t{1} << 30); }
CUresult cuMemAlloc(CUdeviceptr* address, std::size_t bytes) {
    const std::size_t whole = (bytes + 255) / 256 * 256;
    char* const buffer = static_cast<char*>(std::aligned_alloc(256, whole));
    std::memset(buffer, 0, whole);  // as a card's memory is for a new process
    state().buffers[buffer] = bytes;
    return give(address, address_of(buffer));
}
CUresult cuMemFree(CUdeviceptr address) {
    state().buffers.erase(pointer_to(address));
    std::free(pointer_to(address));
    return wait_for_all();
}
CUresult cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned) { return give(pointer, std::malloc(bytes)); }
CUresult cuMemFreeHost(void* pointer) { return std::free(pointer), CUDA_SUCCESS; }
CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* pointer, unsigned) { return give(address, address_of(pointer)); }
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream) { return std::memcpy(pointer_to(to), from, bytes), state().fault; }
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream) { return std::memcpy(to, pointer_to(from), bytes), state().fault; }
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
    return std::memcpy(pointer_to(to), pointer_to(from), bytes), state().fault;
}
CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, std::size_t bytes, CUstream) { return std::memset(pointer_to(address), value, bytes), state().fault; }
CUresult cuArray3DCreate(CUarray*, const CUDA_ARRAY3D_DESCRIPTOR*) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuArrayDestroy(CUarray) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuMipmappedArrayCreate(CUmipmappedArray*, const CUDA_ARRAY3D_DESCRIPTOR*, unsigned) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuMipmappedArrayGetLevel(CUarray*, CUmipmappedArray, unsigned) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuMipmappedArrayDestroy(CUmipmappedArray) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D*, CUstream) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuTexObjectCreate(CUtexObject*, const CUDA_RESOURCE_DESC*, const CUDA_TEXTURE_DESC*, const CUDA_RESOURCE_VIEW_DESC*) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuTexObjectDestroy(CUtexObject) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuSurfObjectCreate(CUsurfObject*, const CUDA_RESOURCE_DESC*) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuSurfObjectDestroy(CUsurfObject) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuStreamCreate(CUstream* stream, unsigned) { return give(stream, static_cast<CUstream>(nullptr)); }
CUresult cuStreamDestroy(CUstream) { return CUDA_SUCCESS; }
CUresult cuStreamSynchronize(CUstream) { return wait_for_all(); }
CUresult cuEventCreate(CUevent* event, unsigned) { return give(event, reinterpret_cast<CUevent>(new double(0))); }
CUresult cuEventDestroy(CUevent event) { return delete reinterpret_cast<double*>(event), CUDA_SUCCESS; }
CUresult cuEventRecord(CUevent event, CUstream) { return give(reinterpret_cast<double*>(event), state().milliseconds); }
CUresult cuEventQuery(CUevent) { return state().is_endless ? CUDA_ERROR_NOT_READY : state().fault; }
CUresult cuEventSynchronize(CUevent) { return wait_for_all(); }
CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {
    return give(milliseconds, static_cast<float>(*reinterpret_cast<double*>(end) - *reinterpret_cast<double*>(begin)));
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
    if (state().modules.size() >= state().most_modules) return CUDA_ERROR_OUT_OF_MEMORY;
    const std::string code = static_cast<const char*>(image);
    const bool is_compiled = code.starts_with("\x7f" "ELF");
    auto* const loaded = new Module{is_compiled ? state().wider : code, 0, false, false, {}, {}, is_compiled};
    state().modules.insert(loaded);
    return give(module, reinterpret_cast<CUmodule>(loaded));
}
CUresult cuModuleUnload(CUmodule module) {
    state().modules.erase(reinterpret_cast<Module*>(module));
    return state().fault;  // its functions may still be asked about
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
    if (std::string(name) == "absent") return CUDA_ERROR_NOT_FOUND;
    return give(function, reinterpret_cast<CUfunction>(new Function{reinterpret_cast<Module*>(module), name}));
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute, CUfunction) { return give(value, 16); }
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { return state().fault; }
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int, std::size_t) { return give(blocks, 8); }
CUresult cuLaunchKernel(CUfunction function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void** arguments, void**) {
    if (state().fault != CUDA_SUCCESS) return state().fault;
    const Function& launched = *reinterpret_cast<Function*>(function);
    if (launched.module->code.ends_with(" refused")) return CUDA_ERROR_INVALID_VALUE;
    ++state().all_launches;
    ++state().launches[launched.module->code];
    if (launched.name.starts_with("optiml_")) {
        if (state().is_counted) state().counted.push_back(0);
        run_helper(launched.name, arguments);
    } else if (launched.module->is_wider) {
        run_wider_scale(*launched.module, arguments);
    } else {
        run_scale(*launched.module, arguments);
    }
    return CUDA_SUCCESS;  // faults show when the device is waited for
}
// NVRTC looks here for the driver's cache of compiled code, and crashes where nothing is found: a table that says it is too short for that.
CUresult cuGetExportTable(const void** table, const CUuuid*) {
    static const std::size_t bytes = sizeof bytes;
    return *table = &bytes, CUDA_SUCCESS;
}
CUresult cuProfilerStart() { return CUDA_SUCCESS; }
CUresult cuProfilerStop() { return CUDA_SUCCESS; }
CUresult cuGetErrorName(CUresult code, const char** name) {
    *name = code == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR";
    return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult, const char** text) { return *text = "scripted", CUDA_SUCCESS; }
}
