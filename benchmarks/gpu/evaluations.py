#!/usr/bin/env python3
"""Full evaluations a minute: distinct candidates of the 1024^3 matmul, each compiled, verified (L1, L3), timed to 1 % and counted.

Usage: evaluations.py [--count N] [--device cuda:0] [--jobs N] [--emulator] [--torch] [--name evaluations]
--emulator also runs the emulator's checks (L2) in front; --torch times the same check by a torch load_inline build beside it.
"""
import argparse
import os
import statistics
import time

import common

KERNEL = "examples/suite/matmul.cu"
SIZES = ["--set", "m=1024", "--set", "n=1024", "--set", "k=1024"]

NAIVE = """
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {{
        float sum = 0.0f;
        #pragma unroll {unroll}
        for (int i = 0; i < k; ++i) {{
            sum += a[row * k + i] * b[i * n + col];
        }}
        if (k < 0) sum = {number};
        c[row * n + col] = sum;
    }}
}}
"""
TILED = """
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {{
    __shared__ float left[{tile}][{tile} + {pad}];
    __shared__ float right[{tile}][{tile} + {pad}];
    int col = blockIdx.x * {tile} + threadIdx.x;
    int row = blockIdx.y * {tile} + threadIdx.y;
    float sum = 0.0f;
    for (int start = 0; start < k; start += {tile}) {{
        left[threadIdx.y][threadIdx.x] = row < m && start + threadIdx.x < k ? a[row * k + start + threadIdx.x] : 0.0f;
        right[threadIdx.y][threadIdx.x] = start + threadIdx.y < k && col < n ? b[(start + threadIdx.y) * n + col] : 0.0f;
        __syncthreads();
        #pragma unroll {unroll}
        for (int i = 0; i < {tile}; ++i) {{
            sum += left[threadIdx.y][i] * right[i][threadIdx.x];
        }}
        __syncthreads();
    }}
    if (row < m && col < n) {{
        if (k < 0) sum = {number};
        c[row * n + col] = sum;
    }}
}}
"""
PLAN = """kernel = "matmul"
source = "candidate.cu"
[launch]
grid = ["ceil_div(n, {x})", "ceil_div(m, {y})"]
block = [{x}, {y}]
"""


def candidates(count):
    """Distinct code each: shape, unrolling, padding, and a constant for sizes that never come."""
    shapes = [(16, 16), (32, 8), (8, 32), (32, 4), (64, 4), (32, 16), (16, 8), (8, 8), (32, 32), (128, 2)]
    for i in range(count):
        if i % 3 == 2:
            tile = [16, 32, 8][i // 3 % 3]
            source = TILED.format(tile=tile, pad=i // 9 % 2, unroll=[1, 2, 4, 8][i // 18 % 4], number=i)
            x = y = tile
        else:
            x, y = shapes[i % len(shapes)]
            source = NAIVE.format(unroll=[1, 2, 4, 8][i // 10 % 4], number=i)
        yield {"id": str(i), "source": source, "task_file": PLAN.format(x=x, y=y)}


def torch_seconds():
    """One build and check of the same kernel by torch.utils.cpp_extension.load_inline, as published harnesses do."""
    import torch
    from torch.utils.cpp_extension import load_inline

    cuda = common.source_of(KERNEL) + """
#include <torch/extension.h>
torch::Tensor run(torch::Tensor a, torch::Tensor b) {
    auto c = torch::empty({a.size(0), b.size(1)}, a.options());
    matmul<<<dim3((b.size(1) + 15) / 16, (a.size(0) + 15) / 16), dim3(16, 16)>>>(a.data_ptr<float>(), b.data_ptr<float>(),
        c.data_ptr<float>(), a.size(0), b.size(1), a.size(1));
    return c;
}
"""
    begin = time.monotonic()
    module = load_inline("matmul_check", cpp_sources="torch::Tensor run(torch::Tensor a, torch::Tensor b);", cuda_sources=cuda,
                         functions=["run"])
    a, b = torch.randn(1024, 1024, device="cuda"), torch.randn(1024, 1024, device="cuda")
    torch.testing.assert_close(module.run(a, b), a @ b, rtol=1e-3, atol=1e-3)
    return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1500)
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--jobs", type=int, default=max(2, (os.cpu_count() or 2) - 2))
    parser.add_argument("--emulator", action="store_true")
    parser.add_argument("--torch", action="store_true")
    parser.add_argument("--name", default="evaluations")
    options = parser.parse_args()
    flags = SIZES + ["--device", options.device, "--jobs", str(options.jobs)] + ([] if options.emulator else ["--no-emulator"])
    began = time.monotonic()
    answers, arrivals = common.evaluate(KERNEL, candidates(options.count), *flags)
    # Sustained: from the fiftieth answer on, when every worker has long been at work.
    first = min(50, len(arrivals) // 4)
    rate = (len(arrivals) - 1 - first) / (arrivals[-1] - arrivals[first]) * 60 if len(arrivals) > first + 1 else 0
    stages = {}
    for answer in answers.values():
        for stage, seconds in answer["stage_seconds"].items():
            stages.setdefault(stage, []).append(1000 * seconds)
    accepted = [answer for answer in answers.values() if answer["verdict"] == "accepted"]
    reasons = {}
    for answer in answers.values():
        for finding in answer["findings"][:1]:
            reasons[finding["kind"] + ": " + finding["message"][:120]] = reasons.get(finding["kind"] + ": " + finding["message"][:120], 0) + 1
    no_counters = {}
    for answer in accepted:
        if "no_counters_because" in answer:
            no_counters[answer["no_counters_because"][:160]] = no_counters.get(answer["no_counters_because"][:160], 0) + 1
    common.write_result(options.name, {
        "evaluations_per_minute": round(rate, 1), "evaluated": len(answers), "accepted": len(accepted),
        "with_counters": sum("smsp__inst_executed.sum" in answer.get("counters", {}) for answer in accepted), "no_counters": no_counters,
        "seconds_to_first": round(arrivals[0] - began, 2) if arrivals else None, "jobs": options.jobs, "emulator_checks": options.emulator,
        "stages_ms": {stage: {"mean": round(statistics.mean(values), 2), "median": round(statistics.median(values), 2)}
                      for stage, values in sorted(stages.items())},
        "median_samples": statistics.median([answer["samples"] for answer in accepted]) if accepted else 0,
        "rejections": reasons,
        **({"torch_load_inline_seconds": round(torch_seconds(), 1)} if options.torch else {})})


if __name__ == "__main__":
    main()
