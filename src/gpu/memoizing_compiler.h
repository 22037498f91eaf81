#pragma once
// Remembers the last outcomes of a compiler, so that the stages of one evaluation that need the same code compile it once.

#include <list>
#include <mutex>

#include "base/hash.h"
#include "gpu/compiler.h"

namespace optiml::gpu {

class MemoizingCompiler final : public Compiler {
public:
    // compiler must outlive this. capacity: outcomes kept, least recently used go first.
    MemoizingCompiler(Compiler& compiler, std::size_t capacity) : compiler_(compiler), capacity_(capacity) {}

    CompileOutcome compile(const CompileRequest& request) override;
    std::string version() const override { return compiler_.version(); }
    std::string include_directory() const override { return compiler_.include_directory(); }

private:
    struct Entry {
        Digest key;
        CompileOutcome outcome;
    };
    Compiler& compiler_;
    const std::size_t capacity_;
    std::mutex mutex_;
    std::list<Entry> entries_;  // most recently used first
};

}  // namespace optiml::gpu
