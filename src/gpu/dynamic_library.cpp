#include "gpu/dynamic_library.h"

#include <utility>

#include <dlfcn.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace optiml::gpu {

DynamicLibrary::DynamicLibrary(DynamicLibrary&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), path_(std::move(other.path_)) {}

DynamicLibrary& DynamicLibrary::operator=(DynamicLibrary&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(path_, other.path_);
    return *this;
}

DynamicLibrary::~DynamicLibrary() {
    if (handle_ != nullptr) ::dlclose(handle_);
}

Result<DynamicLibrary> DynamicLibrary::open(const std::vector<std::string>& candidates) {
    std::string last_reason = "nothing was tried";
    for (const std::string& candidate : candidates) {
        if (void* handle = ::dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) {
            DynamicLibrary library;
            library.handle_ = handle;
            library.path_ = candidate;
            return library;
        }
        last_reason = ::dlerror();
    }
    return environment_error(fmt::format("none of these libraries loads: {}; the loader said: {}", fmt::join(candidates, ", "), last_reason));
}

void* DynamicLibrary::symbol(const char* name) const { return handle_ == nullptr ? nullptr : ::dlsym(handle_, name); }

}  // namespace optiml::gpu
