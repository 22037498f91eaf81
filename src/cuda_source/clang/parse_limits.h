#pragma once
// Ends clang's work on text that would keep it busy without end, exhaust its stack or make it abort: macros, includes and templates that
// multiply, statements of millions of operators.

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "clang/Frontend/CompilerInstance.h"

namespace optiml::cuda_source {

class ParseLimits {
public:
    ParseLimits(clang::CompilerInstance& compiler, double seconds) : compiler_(compiler), seconds_(seconds), deadline_(clock_, seconds) {}
    ParseLimits(const ParseLimits&) = delete;
    ParseLimits& operator=(const ParseLimits&) = delete;

    // Each once clang has made the part; this must outlive them.
    void watch_preprocessor();
    void watch_templates(clang::Sema& sema);

    // What was too much; empty: nothing, and clang saw the whole text.
    const std::string& exceeded() const { return exceeded_; }

private:
    friend class PreprocessorWatch;
    friend class TemplateWatch;

    static constexpr std::uint64_t kMostTokens = 10'000'000;          // fifty times those of the largest CUDA headers
    static constexpr std::uint64_t kMostStatementTokens = 100'000;    // each may nest once more: see large_stack.h
    static constexpr std::uint32_t kMostLocations = 1u << 30;         // clang aborts at 2^31: bytes of files and expanded macros

    bool is_exceeded() const { return !exceeded_.empty(); }
    void count(clang::Token& token);
    void check_expansion();
    void check_time();
    void stop(std::string why);

    clang::CompilerInstance& compiler_;
    const double seconds_;
    SteadyClock clock_;
    Deadline deadline_;
    std::uint64_t tokens_ = 0;
    std::uint64_t statement_tokens_ = 0;
    std::uint64_t events_ = 0;
    std::string exceeded_;
};

}  // namespace optiml::cuda_source
