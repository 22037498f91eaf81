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
    explicit ParseLimits(clang::CompilerInstance& compiler) : compiler_(compiler), deadline_(clock_, kSeconds) {}
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

    static constexpr double kSeconds = 20;                            // some CUDA headers take one
    static constexpr std::uint64_t kMostTokens = 10'000'000;          // fifty times those of the largest CUDA headers
    static constexpr std::uint64_t kMostStatementTokens = 200'000;    // each may nest once more; with a stack of kStackBytes
    static constexpr std::uint32_t kMostLocations = 1u << 30;         // clang aborts at 2^31: bytes of files and expanded macros

    bool is_exceeded() const { return !exceeded_.empty(); }
    void count(clang::Token& token);
    void check_expansion();
    void check_time();
    void stop(std::string why);

    clang::CompilerInstance& compiler_;
    SteadyClock clock_;
    Deadline deadline_;
    std::uint64_t tokens_ = 0;
    std::uint64_t statement_tokens_ = 0;
    std::uint64_t events_ = 0;
    std::string exceeded_;
};

}  // namespace optiml::cuda_source
