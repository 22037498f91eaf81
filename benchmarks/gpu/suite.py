#!/usr/bin/env python3
"""optimize on the suite at the large sizes: naive, best found, library and floor, measured in one run.

Usage: suite.py [NAMES ...] [--budget 25s] [--device cuda:0] [--merge] [--limit 480]
--merge keeps the kernels that suite.json has already and measures those that it lacks; after --limit seconds no further kernel is begun.
Two calls of `suite.py --merge` so measure the whole suite, each in less than nine minutes.
"""
import argparse
import json
import os
import pathlib
import subprocess
import time

import common

# Kernels of several PyTorch operations or with a choice of loops, where torch.compile (Triton) may be faster than PyTorch's own. Its compile
# time is part of the nine minutes; elementwise kernels, products, scans and sorts it passes on to what PyTorch uses.
COMPILED = {"softmax", "layernorm", "cross_entropy", "maxpool3d", "mse", "reduction", "monte_carlo"}

DRAM_GB_PER_S, FP32_TFLOPS = 4275, 64.2  # measured ceilings of one H200


def library(device):
    """PyTorch calls on the device (cuda:N) by kernel at the large sizes, with bytes that must move and floating-point operations."""
    import torch
    import torch.nn.functional as functional

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.cuda.set_device(device)

    def randn(*shape):
        return torch.randn(*shape, device=device)

    n28, n26, n24 = 1 << 28, 1 << 26, 1 << 24
    return {
        "relu": lambda: (lambda x: (lambda: torch.relu(x), 8 * n28, n28))(randn(n28)),
        "sigmoid": lambda: (lambda x: (lambda: torch.sigmoid(x), 8 * n28, 4 * n28))(randn(n28)),
        "matrix_copy": lambda: (lambda x, y: (lambda: y.copy_(x), 8 * n28, 0))(randn(16384, 16384), randn(16384, 16384)),
        "reverse": lambda: (lambda x: (lambda: torch.flip(x, [0]), 8 * n28, 0))(randn(n28)),
        "transpose": lambda: (lambda x: (lambda: x.t().contiguous(), 8 * n26, 0))(randn(8192, 8192)),
        "matmul": lambda: (lambda a, b: (lambda: a @ b, 12 * 4096**2, 2 * 4096**3))(randn(4096, 4096), randn(4096, 4096)),
        "batched_matmul": lambda: (lambda a, b: (lambda: a @ b, 12 * 64 * 1024**2, 2 * 64 * 1024**3))(randn(64, 1024, 1024), randn(64, 1024, 1024)),
        "conv2d": lambda: (lambda x, w: (lambda: functional.conv2d(x, w, padding=1), 8 * 16 * 64 * 112 * 112, 2 * 16 * 64 * 112 * 112 * 64 * 9))(
            randn(16, 64, 112, 112), randn(64, 64, 3, 3)),
        "maxpool3d": lambda: (lambda x: (lambda: functional.max_pool3d(x, 3, 2, 1), 4 * 16 * 32 * 64**3 * 9 // 8, 0))(randn(16, 32, 64, 64, 64)),
        "layernorm": lambda: (lambda x, g, b: (lambda: functional.layer_norm(x, (8192,), g, b), 8 * n26, 8 * n26))(
            randn(8192, 8192), randn(8192), randn(8192)),
        "softmax": lambda: (lambda x: (lambda: torch.softmax(x, 1), 8 * n26, 4 * n26))(randn(8192, 8192)),
        "cross_entropy": lambda: (lambda x, t: (lambda: functional.cross_entropy(x, t, reduction="none"), 4 * n26, 3 * n26))(
            randn(8192, 8192), torch.randint(0, 8192, (8192,), device=device)),
        "mse": lambda: (lambda x, y: (lambda: functional.mse_loss(x, y), 8 * n26, 3 * n26))(randn(n26), randn(n26)),
        "reduction": lambda: (lambda x: (lambda: x.sum(), 4 * n28, n28))(randn(n28)),
        "dot": lambda: (lambda x, y: (lambda: torch.dot(x, y), 8 * n26, 2 * n26))(randn(n26), randn(n26)),
        "prefix_sum": lambda: (lambda x: (lambda: torch.cumsum(x, 0), 8 * n26, n26))(randn(n26)),
        "histogram": lambda: (lambda x: (lambda: torch.bincount(x, minlength=256), n28, 0))(
            torch.randint(0, 256, (n28,), device=device, dtype=torch.uint8)),
        "sort": lambda: (lambda x: (lambda: torch.sort(x), 8 * n24, 0))(
            torch.randint(-2**31, 2**31 - 1, (n24,), device=device, dtype=torch.int32)),
        "attention": lambda: (lambda q, k, v: (lambda: functional.scaled_dot_product_attention(q, k, v), 16 * 32 * 2048 * 64, 4 * 32 * 2048**2 * 64))(
            randn(1, 32, 2048, 64), randn(1, 32, 2048, 64), randn(1, 32, 2048, 64)),
        "monte_carlo": lambda: (lambda: torch.sqrt(1 - torch.rand(n28, device=device) ** 2).mean(), 0, 60 * n28),
    }


def time_cold(call):
    """Median milliseconds of twenty calls, L2 flushed by a 256 MB memset before each."""
    import torch

    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    times = []
    for i in range(23):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        flush.zero_()
        begin.record()
        call()
        end.record()
        torch.cuda.synchronize()
        if i >= 3:
            times.append(begin.elapsed_time(end))
    return sorted(times)[len(times) // 2]


def library_ms(name, make):
    """The faster of PyTorch's own call and torch.compile's, at the same accuracy (fp32, no TF32)."""
    import torch

    call, moved, operations = make()
    best, used = time_cold(call), "PyTorch"
    try:
        if name in COMPILED and (milliseconds := time_cold(torch.compile(call))) < best:
            best, used = milliseconds, "torch.compile"
    except Exception as error:  # what torch.compile cannot do is no fault of ours
        print("torch.compile:", str(error)[:100])
    floor = max(moved / DRAM_GB_PER_S / 1e6, operations / FP32_TFLOPS / 1e9)
    torch.cuda.empty_cache()
    return best, used, floor


def kernels_of(results, wanted):
    if not wanted or not (results / "suite.json").exists():
        return {}
    return {entry["name"]: entry for entry in json.loads((results / "suite.json").read_text())["kernels"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--budget", default="25s")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--merge", action="store_true")
    parser.add_argument("--limit", type=float, default=480)
    options = parser.parse_args()
    names = options.names or sorted(path.stem for path in pathlib.Path(common.PROJECT / "examples/suite").glob("*.cu"))
    results = common.folder_of_results()
    kernels = kernels_of(results, options.merge)
    makers = library(options.device)
    begin = time.monotonic()
    for name in [name for name in names if not (options.merge and "best_ms" in kernels.get(name, {}))]:
        if time.monotonic() - begin > options.limit:
            print("to be continued with --merge:", name, flush=True)
            break
        run = subprocess.run([common.program(), "optimize", str(common.PROJECT / f"examples/suite/{name}.cu"), "--device", options.device,
                              "--budget", options.budget, "--size", "large", "--out", str(results / "kernels" / name),
                              "--store", f"/tmp/suite_{options.device.replace(':', '_')}.db", "--json"],
                             capture_output=True, text=True)
        try:
            best = json.loads(run.stdout)
            entry = {"name": name, "naive_ms": best["original_ms"], "best_ms": best["best_ms"], "interval": best["interval"],
                     "speedup": best["speedup"], "evaluations": best["evaluations"],
                     "path": [f"{step['transformation']} {step['parameters']}" for step in best["path"]]}
        except (json.JSONDecodeError, KeyError):
            entry = {"name": name, "error": (run.stdout + run.stderr)[-300:]}
        entry["library_ms"], entry["library"], entry["floor_ms"] = library_ms(name, makers[name])
        print(entry, flush=True)
        with common.alone_with("suite"):  # another card's half may write too
            kernels = {**kernels_of(results, options.merge or kernels), name: entry}
            common.write_result("suite", {"kernels": [kernels[key] for key in sorted(kernels)]})


if __name__ == "__main__":
    main()
