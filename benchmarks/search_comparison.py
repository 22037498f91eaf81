#!/usr/bin/env python3
"""Compares search algorithms over the suite at the same budget and seeds.

Usage: search_comparison.py [--optiml build/release/optiml] [--budget 200] [--seeds 1,2,3] [--searches mcts,greedy,random] [NAMES ...]

Each search has a run store of its own, so that none profits from another's evaluations. Prints, for each kernel, the speed-up (geometric
mean over the seeds) that each search found, and at the end the geometric means and on how many kernels each was the best.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile


def run_suite(options, search, seed, folder):
    command = [options.optiml, "suite", *options.names, "--search", search, "--seed", str(seed), "--budget", options.budget,
               "--store", os.path.join(folder, search + ".db"), "--out", os.path.join(folder, f"{search}-{seed}"), "--json"]
    outcome = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    if outcome.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} ended with {outcome.returncode}")
    return {kernel["name"]: kernel.get("speedup", math.nan) for kernel in json.loads(outcome.stdout)["kernels"]}


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--optiml", default="build/release/optiml")
    parser.add_argument("--budget", default="200")
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--searches", default="mcts,greedy,random")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    searches = options.searches.split(",")
    found = {}  # search -> kernel -> speed-ups by seed
    with tempfile.TemporaryDirectory() as folder:
        for search in searches:
            found[search] = {}
            for seed in map(int, options.seeds.split(",")):
                for kernel, speedup in run_suite(options, search, seed, folder).items():
                    found[search].setdefault(kernel, []).append(speedup)
    kernels = [k for k in found[searches[0]] if all(not math.isnan(x) for s in searches for x in found[s][k])]
    means = {search: {kernel: geometric_mean(found[search][kernel]) for kernel in kernels} for search in searches}
    print(f"budget {options.budget}, seeds {options.seeds}")
    print("| kernel | " + " | ".join(searches) + " |")
    print("|---|" + "---:|" * len(searches))
    for kernel in kernels:
        print(f"| {kernel} | " + " | ".join(f"{means[search][kernel]:.3f}" for search in searches) + " |")
    print("| geometric mean | " + " | ".join(f"{geometric_mean(means[s].values()):.3f}" for s in searches) + " |")
    best = {k: max(means[s][k] for s in searches) for k in kernels}
    print("| best or within 1 % | " + " | ".join(str(sum(means[s][k] > 0.99 * best[k] for k in kernels)) for s in searches) + " |")
    failed = set(found[searches[0]]) - set(kernels)
    if failed:
        print("without a result:", ", ".join(sorted(failed)))


if __name__ == "__main__":
    main()
