#!/usr/bin/env python3
"""Five hundred candidates of which every fifth hangs, faults or traps: the others must all be evaluated, and nothing may leak.

Usage: faults.py [--count 500] [--device cuda:0]
"""
import argparse
import subprocess
import time

import common

KERNEL = "examples/suite/relu.cu"
GOOD = """__global__ void relu(const float* x, float* y, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {{
        y[i] = fmaxf(x[i], {tiny}f);
    }}
}}
"""
FAULTS = {
    "hang": "while (*(volatile float*)x < 1e30f) {}",
    "illegal address": "y[(1ull << 40) + threadIdx.x] = 1.0f;",
    "trap": '__trap();',
    "misaligned": "*(double*)((char*)y + 4) = 1.0;",
    "null": "*(volatile int*)nullptr = 1;",
}
BAD = """__global__ void relu(const float* x, float* y, int n) {{
    {fault}
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {{
        y[i] = fmaxf(x[i], 0.0f);
    }}
}}
"""


def memory_used(device):
    text = subprocess.run(["nvidia-smi", "-i", device.removeprefix("cuda:"), "--query-gpu=memory.used", "--format=csv,noheader,nounits"], capture_output=True, text=True).stdout
    return [int(line) for line in text.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--device", default="cuda:0")
    options = parser.parse_args()
    kinds = list(FAULTS)
    before = memory_used(options.device)

    def candidates():
        for i in range(options.count):
            if i % 5 == 4:
                kind = kinds[i // 5 % len(kinds)]
                yield {"id": f"{i} {kind}", "source": BAD.format(fault=FAULTS[kind])}
            else:
                yield {"id": f"{i} good", "source": GOOD.format(tiny=f"{i * 1e-30:.6e}")}

    begin = time.monotonic()
    answers, _ = common.evaluate(KERNEL, candidates(), "--set", "n=4194304", "--device", options.device, "--jobs", "8", "--no-emulator")
    seconds = time.monotonic() - begin
    time.sleep(2)
    good = [answer for key, answer in answers.items() if key.endswith("good")]
    bad = [answer for key, answer in answers.items() if not key.endswith("good")]
    wanted = options.count - options.count // 5
    common.write_result("faults", {
        "candidates": options.count, "lost": wanted - sum(answer["verdict"] == "accepted" for answer in good),
        "faulty": len(bad), "faulty_accepted": sum(answer["verdict"] == "accepted" for answer in bad), "seconds": round(seconds, 1),
        "memory_used_mb_before": before, "memory_used_mb_after": memory_used(options.device), "workers_left": common.processes_left(),
        "kinds": sorted({f"{answer['id'].split(' ', 1)[1]}: {answer['findings'][0]['kind']}" for answer in bad if answer["findings"]}),
        "lost_because": sorted({answer["findings"][0]["message"][:150] for answer in good if answer["findings"]})[:5]})


if __name__ == "__main__":
    main()
