#!/usr/bin/env python3
"""A/A test: the original against itself, again and again. How often is it called improved?

Usage: same_kernel.py [--count 200] [--kernels relu softmax ...] [--device cuda:0]
"""
import argparse

import common


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--kernels", nargs="+", default=["matmul", "relu", "softmax", "reduction"])
    parser.add_argument("--device", default="cuda:0")
    options = parser.parse_args()
    figures = {"comparisons": 0, "called_improved": 0, "rejected": 0, "rejected_because": {}, "ratios": {}}
    sizes = {"matmul": ["m=1024", "n=1024", "k=1024"], "relu": ["n=16777216"], "softmax": ["rows=2048", "cols=2048"], "reduction": ["n=4194304"]}
    for kernel in options.kernels:
        path = f"examples/suite/{kernel}.cu"
        source = common.source_of(path)
        count = -(-options.count // len(options.kernels))
        flags = [flag for size in sizes.get(kernel, []) for flag in ("--set", size)]
        answers, _ = common.evaluate(path, ({"id": str(i), "source": source} for i in range(count)), *flags,
                                     "--device", options.device, "--jobs", "4", "--no-emulator")
        figures["comparisons"] += len(answers)
        figures["called_improved"] += sum(answer.get("improved", False) for answer in answers.values())
        figures["rejected"] += sum(answer["verdict"] != "accepted" for answer in answers.values())
        for answer in answers.values():
            for finding in answer["findings"][:1]:
                reason = f"{kernel}: {finding['kind']}: {finding['message'][:160]}"
                figures["rejected_because"][reason] = figures["rejected_because"].get(reason, 0) + 1
        ratios = sorted(answer["speedup"] for answer in answers.values() if "speedup" in answer)
        if ratios:
            figures["ratios"][kernel] = {"least": ratios[0], "median": ratios[len(ratios) // 2], "most": ratios[-1]}
    common.write_result("same_kernel", figures)


if __name__ == "__main__":
    main()
