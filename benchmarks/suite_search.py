#!/usr/bin/env python3
"""Optimizes every kernel of the suite and tells what was gained, how long it took and by which edits.

Usage: suite_search.py [--jobs N] [--budget 200,105s] [--search mcts] [--seed 1] [--optiml PROGRAM] [--results FOLDER] [NAMES ...]

Each kernel runs on two cores of its own, with a run store of its own. Writes suite.json and suite.md into the results folder. A call
that ends before all is done says so (exit code 1); the next one goes on.
"""
import argparse
import sys

import suite_runs

REQUIRED = 1.3  # a speed-up above it counts


def step_text(step):
    values = ", ".join(f"{name} {value}" for name, value in step["parameters"].items())
    return step["transformation"] + (f" ({values})" if values else "")


def row(run):
    if "error" in run:
        return f"| {run['kernel']} | | | | | | | {run['error'].splitlines()[0]} |"
    return (f"| {run['kernel']} | {run['original_ms']:.4g} | {run['best_ms']:.4g} | {run['speedup']:.2f} | {run['evaluations']} "
            f"({run['rejected']}) | {run['wall_seconds']:.0f} | {run['processor_seconds']:.0f} | {', '.join(map(step_text, run['path'])) or 'the original'} |")


def report(runs, options):
    done = [run for run in runs if "speedup" in run]
    above = sum(run["speedup"] > REQUIRED for run in done)
    below = sum(run["speedup"] < 1 for run in done)
    slowest = max((run["wall_seconds"] for run in done), default=0)
    lines = [f"# The suite on {options.device}: {options.search}, seed {options.seed}, budget {options.budget}", "",
             f"Modelled speed-up above {REQUIRED} on {above} of {len(runs)} kernels, below 1 on {below}; geometric mean "
             f"{suite_runs.geometric_mean(run['speedup'] for run in done):.2f}; the longest run took {slowest:.0f} s on "
             f"{suite_runs.CORES_A_RUN} cores, the wider verification of the winner included.", "",
             "| kernel | original ms | best ms | speed-up | evaluations (rejected) | seconds | processor seconds | winning path |",
             "|---|---:|---:|---:|---:|---:|---:|---|", *map(row, runs)]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    suite_runs.add_options(parser)
    parser.add_argument("--budget", default="200,105s")
    parser.add_argument("--search", default="mcts")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wanted = [{"kernel": kernel, "search": options.search, "seed": options.seed, "budget": options.budget}
              for kernel in suite_runs.chosen_kernels(options)]
    folder = suite_runs.results_folder(options)
    runs = suite_runs.Runs(folder / "suite.json", options)
    left = runs.carry_out(wanted)
    text = report(runs.of(wanted), options)
    (folder / "suite.md").write_text(text)
    print(text)
    if left:
        print(f"{left} kernels are still to do: call again", file=sys.stderr)
    sys.exit(1 if left else 0)


if __name__ == "__main__":
    main()
