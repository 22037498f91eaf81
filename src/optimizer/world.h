#pragma once
// The services of the real world: disk, clock, run store, NVRTC, emulator, catalogue.

#include <memory>
#include <string>

#include "gpu/compiler.h"
#include "optimizer/services.h"
#include "optiml/optimize.h"

namespace optiml::optimizer {

class World {
public:
    // Errors: of the store; environment (no compiler).
    static Result<std::unique_ptr<World>> open(const RunOptions& options, Log& log);

    // The world must outlive what is made with them.
    Services services(const RunOptions& options);

private:
    World(std::unique_ptr<runs::Store> store, std::unique_ptr<gpu::Compiler> compiler, Log& log)
        : store_(std::move(store)), compiler_(std::move(compiler)), log_(log) {}

    RealDisk disk_;
    SteadyClock clock_;
    std::unique_ptr<runs::Store> store_;
    std::unique_ptr<gpu::Compiler> compiler_;
    Log& log_;
};

}  // namespace optiml::optimizer
