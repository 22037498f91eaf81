// How long PTX takes to parse and to normalise; each candidate of a run is parsed once.

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include <benchmark/benchmark.h>

#include "ptx/normalize.h"
#include "ptx/parser.h"

namespace {

// A module of about `lines` lines: the kernels of a fixture over and over, under other names.
std::string module_text(int lines) {
    std::ifstream file(OPTIML_SOURCE_DIR "/src/ptx/fixtures/kernels_sm_90.ptx");
    const std::string fixture((std::istreambuf_iterator<char>(file)), {});
    const std::size_t first = fixture.find(".visible .entry");
    const std::size_t last = fixture.rfind("\t.file\t1 ");
    const std::string name = fixture.substr(first + 16, fixture.find('(', first) - first - 16);
    const std::string kernel = fixture.substr(first, fixture.find("\n}\n", first) + 3 - first);
    std::string text = fixture.substr(0, first);
    auto count = std::count(text.begin(), text.end(), '\n');
    for (int copy = 0; count < lines; ++copy) {
        std::string next = kernel;
        next.replace(16, name.size(), "kernel_" + std::to_string(copy));
        text += next;
        count += std::count(next.begin(), next.end(), '\n');
    }
    return text + fixture.substr(last);
}

void parse(benchmark::State& state) {
    const std::string text = module_text(static_cast<int>(state.range(0)));
    if (!optiml::ptx::parse(text)) return state.SkipWithError("does not parse");
    for (auto _ : state) benchmark::DoNotOptimize(optiml::ptx::parse(text));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void normalize(benchmark::State& state) {
    const auto module = optiml::ptx::parse(module_text(static_cast<int>(state.range(0))));
    if (!module) return state.SkipWithError("does not parse");
    for (auto _ : state) benchmark::DoNotOptimize(optiml::ptx::normalized_text(*module));
}

BENCHMARK(parse)->Arg(200)->Arg(2000)->Arg(20000)->Unit(benchmark::kMillisecond);
BENCHMARK(normalize)->Arg(2000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
