#!/usr/bin/env python3
"""Counters read in process (CUPTI) against Nsight Compute's, on the suite's kernels at their large sizes, first launch of each.

Usage: counters.py [NAMES ...] [--size large] [--device cuda:0] [--merge]   Time-independent counters must agree within 1 %;
--merge keeps the kernels that counters.json has already. Exit status 1: some differ, or one side lacks them.
"""
import argparse
import csv
import io
import json
import os
import pathlib
import subprocess
import sys

import common

# Those that no run's timing can change. DRAM and hit rates depend on what the caches held and are left out.
COUNTERS = ["smsp__inst_executed.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
            "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "smsp__thread_inst_executed_per_inst_executed.ratio",
            "smsp__inst_executed_op_local_ld.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"]


def by_cupti(kernel, options):
    answers, _ = common.evaluate(f"examples/suite/{kernel}.cu", [{"id": kernel, "source": common.source_of(f"examples/suite/{kernel}.cu")}],
                                 "--size", options.size, "--device", options.device, "--no-emulator", "--thorough", "--jobs", "1")
    answer = answers.get(kernel, {})
    launches = answer.get("launches", [])
    return launches[0]["counters"] if launches else {"error": json.dumps(answer.get("findings", []))[:200]}


def by_ncu(kernel, options):
    """The first launch of the kernel in a worker process; Nsight Compute replays it by itself."""
    task = (common.PROJECT / f"examples/suite/{kernel}.toml").read_text().split("\n", 1)[0]
    name = task.split('"')[1] if task.startswith("kernel") else kernel
    command = ["ncu", "--target-processes", "all", "--clock-control", "none", "--kernel-name", f"regex:^{name}", "--launch-count", "1",
               "--metrics", ",".join(COUNTERS), "--csv", "--print-units", "base", common.program(), "evaluate",
               str(common.PROJECT / f"examples/suite/{kernel}.cu"), "--size", options.size, "--device", options.device, "--no-emulator",
               "--jobs", "1"]
    run = subprocess.run(command, input="", capture_output=True, text=True, timeout=120, check=False)
    rows = [line for line in run.stdout.splitlines() if line.startswith('"')]
    values = {}
    for row in csv.DictReader(io.StringIO("\n".join(rows))):
        values[row["Metric Name"]] = float(row["Metric Value"].replace(",", ""))
    return values or {"error": (run.stdout + run.stderr)[-300:]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--size", default="large")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--merge", action="store_true")
    options = parser.parse_args()
    names = options.names or sorted(path.stem for path in pathlib.Path(common.PROJECT / "examples/suite").glob("*.cu"))
    results = common.folder_of_results() / "counters.json"
    kernels = [kernel for kernel in json.loads(results.read_text())["kernels"] if kernel["name"] not in names] if options.merge and results.exists() else []
    for name in names:
        ours, theirs = by_cupti(name, options), by_ncu(name, options)
        missing = [counter for counter in COUNTERS if counter not in ours or counter not in theirs]
        differences = {counter: abs(ours[counter] - theirs[counter]) / max(abs(theirs[counter]), 1)
                       for counter in COUNTERS if counter in ours and counter in theirs}
        kernels.append({"name": name, "worst_relative_difference": max(differences.values()) if differences else None,
                        "differences": differences, "missing": missing, "error": ours.get("error") or theirs.get("error")})
        print(kernels[-1], flush=True)
        common.write_result("counters", {"kernels": kernels})
    # A counter that one side lacks is no agreement.
    sys.exit(any(kernel["missing"] or kernel["worst_relative_difference"] > 0.01 for kernel in kernels))


if __name__ == "__main__":
    main()
