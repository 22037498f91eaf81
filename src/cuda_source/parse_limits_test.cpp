// Text that would keep clang busy without end, exhaust its stack or make it abort.

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "cuda_source/parse.h"

namespace optiml::cuda_source {
namespace {

constexpr std::string_view kKernel = "__global__ void k(int* a) { a[0] = 1; }\n";

std::string repeated(std::string_view text, std::size_t count) {
    std::string result;
    for (std::size_t i = 0; i < count; ++i) result += text;
    return result;
}

// Macros M0 to M9, each ten times the one before.
std::string multiplying_macros(std::string_view first) {
    std::string text = fmt::format("#define M0 {}\n", first);
    for (int i = 1; i < 10; ++i) text += fmt::format("#define M{} {}\n", i, repeated(fmt::format("M{} ", i - 1), 10));
    return text;
}

std::string problem_of(const std::string& text, const ParseOptions& options = {}) {
    const Result<SourceFile> source = parse(text, options);
    if (source) return first_error(*source) ? "" : "an outcome";
    EXPECT_EQ(source.error().kind, ErrorKind::user);
    EXPECT_EQ(source.error().where.file, options.file_name);
    return source.error().message;
}

TEST(ParseLimits, MacrosThatMultiplyAreTold) {
    EXPECT_NE(problem_of(multiplying_macros("\"text\"") + "__device__ const char* s = M9;\n" + std::string(kKernel)), "");
    EXPECT_NE(problem_of(multiplying_macros("+1") + "__device__ int s = M9;\n" + std::string(kKernel)), "");
    EXPECT_NE(problem_of(multiplying_macros("") + "__device__ int s M9;\n" + std::string(kKernel)), "");
}

TEST(ParseLimits, HeadersThatMultiplyAreTold) {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("optiml_headers_{}", ::getpid());
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "twice.h") << "#include \"twice.h\"\n#include \"twice.h\"\n" << repeated("// a comment\n", 1000);
    ParseOptions options;
    options.include_paths = {folder.string()};
    EXPECT_NE(problem_of("#include \"twice.h\"\n" + std::string(kKernel), options), "");
    std::filesystem::remove_all(folder);
}

TEST(ParseLimits, TemplatesThatMultiplyAreTold) {
    ParseOptions options;
    options.time_limit_seconds = 0.5;
    EXPECT_EQ(problem_of("template <class A, class B> struct Pair {};\n"
                         "template <class T, int N> struct Twice { Twice<Pair<T, int>, N - 1> a; Twice<Pair<int, T>, N - 1> b; };\n"
                         "template <class T> struct Twice<T, 0> {};\n"
                         "__device__ Twice<int, 60> all;\n" + std::string(kKernel), options),
              "the source takes more than 0.5 s to parse");
}

TEST(ParseLimits, StatementsOfMillionsOfOperatorsAreTold) {
    const std::string problem = "a statement has more than 100000 operators and names";
    EXPECT_EQ(problem_of("__global__ void k(int* a) { a[0] = " + repeated("- ", 1'000'000) + "1; }\n"), problem);
    EXPECT_EQ(problem_of("__global__ void k(int* a) { a[0] = a[0]" + repeated("+a[0]", 400'000) + "; }\n"), problem);
    EXPECT_EQ(problem_of("__global__ void k(int" + repeated("*", 1'000'000) + " a) {}\n"), problem);
}

TEST(ParseLimits, WhatIsBelowThemGivesATree) {
    EXPECT_EQ(problem_of("__constant__ int table[] = {" + repeated("1, ", 50'000) + "};\n" + std::string(kKernel)), "");
    EXPECT_EQ(problem_of("__global__ void k(int* a) { a[0] = a[1]" + repeated("+a[0]", 2000) + "; }\n"), "");
    EXPECT_EQ(problem_of(repeated("#define USED(x) x\n", 10) + repeated("USED(;)\n", 10'000) + std::string(kKernel)), "");
}

}  // namespace
}  // namespace optiml::cuda_source
