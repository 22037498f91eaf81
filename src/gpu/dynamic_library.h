#pragma once
// A shared library loaded at run time, so that one program serves machines with and without it.

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace optiml::gpu {

class DynamicLibrary {
public:
    DynamicLibrary() = default;
    DynamicLibrary(DynamicLibrary&& other) noexcept;
    DynamicLibrary& operator=(DynamicLibrary&& other) noexcept;
    DynamicLibrary(const DynamicLibrary&) = delete;
    DynamicLibrary& operator=(const DynamicLibrary&) = delete;
    ~DynamicLibrary();

    // The first of the candidates (full paths, or names for the loader's own path) that loads.
    // Error (environment): what was tried and what the loader said last.
    static Result<DynamicLibrary> open(const std::vector<std::string>& candidates);

    // Fills a function pointer; false if the library lacks the symbol.
    template <class Function>
    bool find(const char* name, Function*& function) const {
        function = reinterpret_cast<Function*>(symbol(name));
        return function != nullptr;
    }
    const std::string& path() const { return path_; }

private:
    void* symbol(const char* name) const;

    void* handle_ = nullptr;
    std::string path_;
};

}  // namespace optiml::gpu
