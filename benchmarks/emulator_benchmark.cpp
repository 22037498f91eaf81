// Thread instructions a second with all checks and counters on, by host threads. To read: real time; CPU time is the first thread's.

#include <benchmark/benchmark.h>

#include "base/random.h"
#include "emulator/lanes.h"
#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;

std::vector<float> random_values(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(2 * random_unit(1, i) - 1);
    return values;
}

template <class Launch>
void measure(benchmark::State& state, LaunchKit& kit, Launch launch) {
    kit.device = *find_device_model("h200");
    kit.options.host_threads = static_cast<std::uint32_t>(state.range(0));
    double thread_instructions = 0;
    double warp_instructions = 0;
    for (auto _ : state) {
        const LaunchResult result = launch();
        if (!result.completed || !result.findings.empty()) state.SkipWithError("the kernel did not run clean");
        thread_instructions += static_cast<double>(result.thread_instructions);
        warp_instructions += static_cast<double>(result.thread_instructions) / kLanes;
    }
    state.counters["thread_instructions/s"] = benchmark::Counter(thread_instructions, benchmark::Counter::kIsRate);
    state.counters["s/warp_instruction"] =
        benchmark::Counter(warp_instructions, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void matmul(benchmark::State& state, const std::string& kernel) {
    constexpr int n = 256;
    LaunchKit kit = LaunchKit::from_file("basics");
    const BufferId a = kit.input("a", random_values(n * n));
    const BufferId b = kit.input("b", random_values(n * n));
    const BufferId c = kit.output<float>("c", n * n);
    measure(state, kit, [&] { return kit.run(kernel, {n / 16, n / 16}, {16, 16}, Buffer{a}, Buffer{b}, Buffer{c}, n); });
}

void naive_matmul(benchmark::State& state) { matmul(state, "matmul"); }
void tiled_matmul(benchmark::State& state) { matmul(state, "matmul_tiled"); }

void relu(benchmark::State& state) {
    constexpr int n = 1 << 20;
    LaunchKit kit = LaunchKit::from_file("basics");
    const BufferId x = kit.input("x", random_values(n));
    const BufferId y = kit.output<float>("y", n);
    measure(state, kit, [&] { return kit.run("relu", {n / 256}, {256}, Buffer{x}, Buffer{y}, n); });
}

void softmax_row(benchmark::State& state) {
    constexpr int rows = 1024;
    constexpr int columns = 256;
    LaunchKit kit = LaunchKit::from_file("basics");
    const BufferId x = kit.input("x", random_values(rows * columns));
    const BufferId y = kit.output<float>("y", rows * columns);
    measure(state, kit, [&] { return kit.run("softmax_row", {rows / 128}, {128}, Buffer{x}, Buffer{y}, rows, columns); });
}

void on_threads(benchmark::internal::Benchmark* benchmark) {
    benchmark->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
}

BENCHMARK(naive_matmul)->Apply(on_threads);
BENCHMARK(relu)->Apply(on_threads);
BENCHMARK(softmax_row)->Apply(on_threads);
BENCHMARK(tiled_matmul)->Apply(on_threads);

}  // namespace
}  // namespace optiml::emulator

BENCHMARK_MAIN();
