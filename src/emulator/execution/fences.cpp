// membar and fence.

#include "emulator/checks/publications.h"
#include "emulator/execution/executor.h"
#include "emulator/execution/handlers.h"

namespace optiml::emulator::handlers {

Flow fence(Executor& executor, const Operation& operation, LaneMask) {
    executor.path().has_polled = true;
    if (Publications* publications = executor.state().publications.get())
        publications->fence(executor.block(), executor.warp(), operation.instruction->modifiers.scope == ptx::Scope::cta);
    return Flow::next;
}

}  // namespace optiml::emulator::handlers
