#!/usr/bin/env python3
"""Compares search algorithms over the suite at the same budget and seeds.

Usage: search_comparison.py [--jobs N] [--budget 60] [--seeds 1,2] [--searches mcts,greedy,random] [--optiml PROGRAM] [--results FOLDER]
                            [NAMES ...]

Each run has two cores and a run store of its own, so that none profits from another's evaluations. Writes comparison.json and
comparison.md into the results folder: for each kernel the speed-up (geometric mean over the seeds) that each search found, over all
kernels the geometric means after parts of the budget, and on how many kernels each was the best. A call that ends before all is done
says so (exit code 1); the next one goes on.
"""
import argparse
import sys

import suite_runs

TIE = 0.99  # as good as the best: within 1 %


def speedup_after(run, evaluations):
    """The best found within so many evaluations."""
    return max([1.0] + [speedup for number, speedup in run["improvements"] if number <= evaluations])


def report(runs, searches, options):
    complete = {}  # kernel -> search -> runs, where every search has all its seeds
    seeds = len(options.seeds.split(","))
    for run in runs:
        if "speedup" in run:
            complete.setdefault(run["kernel"], {}).setdefault(run["search"], []).append(run)
    complete = {kernel: of for kernel, of in complete.items() if all(len(of.get(search, [])) == seeds for search in searches)}
    means = {kernel: {search: suite_runs.geometric_mean(run["speedup"] for run in of[search]) for search in searches}
             for kernel, of in complete.items()}
    lines = [f"# Searches on {options.device}: {options.budget} evaluations, seeds {options.seeds}", "",
             f"Modelled speed-up, geometric mean over the seeds; {len(complete)} kernels on which every search has a result.", "",
             "| kernel | " + " | ".join(searches) + " |", "|---|" + "---:|" * len(searches)]
    for kernel, of in means.items():
        lines.append(f"| {kernel} | " + " | ".join(f"{of[search]:.3f}" for search in searches) + " |")
    overall = lambda figure: " | ".join(figure(search) for search in searches)
    lines.append("| geometric mean | " + overall(
        lambda search: f"{suite_runs.geometric_mean(of[search] for of in means.values()):.3f}") + " |")
    lines.append("| best or within 1 % | " + overall(
        lambda search: str(sum(of[search] >= TIE * max(of.values()) for of in means.values()))) + " |")
    lines.append("| above 1.3 | " + overall(lambda search: str(sum(of[search] > 1.3 for of in means.values()))) + " |")
    lines += ["", "Geometric mean over the kernels of the best after so many evaluations:", "",
              "| evaluations | " + " | ".join(searches) + " |", "|---:|" + "---:|" * len(searches)]
    for part in (8, 4, 2, 1):
        count = int(options.budget) // part
        lines.append(f"| {count} | " + overall(lambda search: "{:.3f}".format(suite_runs.geometric_mean(
            speedup_after(run, count) for of in complete.values() for run in of[search]))) + " |")
    failed = [f"{run['kernel']} by {run['search']}, seed {run['seed']}: {run['error'].splitlines()[0]}" for run in runs if "error" in run]
    return "\n".join(lines + ([""] + failed if failed else [])) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    suite_runs.add_options(parser)
    parser.add_argument("--budget", default="60", help="evaluations")
    parser.add_argument("--seeds", default="1,2")
    parser.add_argument("--searches", default="mcts,greedy,random")
    options = parser.parse_args()
    searches = options.searches.split(",")
    wanted = [{"kernel": kernel, "search": search, "seed": int(seed), "budget": options.budget}
              for seed in options.seeds.split(",") for kernel in suite_runs.chosen_kernels(options) for search in searches]
    folder = suite_runs.results_folder(options)
    runs = suite_runs.Runs(folder / "comparison.json", options)
    left = runs.carry_out(wanted)
    text = report(runs.of(wanted), searches, options)
    (folder / "comparison.md").write_text(text)
    print(text)
    if left:
        print(f"{left} runs are still to do: call again", file=sys.stderr)
    sys.exit(1 if left else 0)


if __name__ == "__main__":
    main()
