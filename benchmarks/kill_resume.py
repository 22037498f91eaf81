#!/usr/bin/env python3
"""Kills an optimisation at random moments, resumes it, and compares with a run that was left alone.

Usage: kill_resume.py [--optiml PROGRAM] [--kernel examples/suite/relu.cu] [--kills 20] [--budget 60] [--seed 1] [--results FOLDER]

Every run has a run store of its own. Passes (exit code 0) if each resumed run ends with the same kernel after the same number of
evaluations, and no evaluation was saved twice. Writes kill_resume.json into the results folder.
"""
import argparse
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time

import suite_runs


def optimize(options, folder, wait=None):
    """Runs optimize; with `wait`, kills it after so many seconds. None: it was killed."""
    command = [options.optiml, "optimize", options.kernel, "--budget", options.budget, "--seed", str(options.seed),
               "--device", options.device, "--store", os.path.join(folder, "runs.db"), "--out", os.path.join(folder, "out"), "--json"]
    return finish(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True), wait)


def resume(options, folder, wait=None):
    command = [options.optiml, "resume", "1", "--store", os.path.join(folder, "runs.db"), "--json"]
    return finish(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True), wait)


def finish(process, wait):
    try:
        out, _ = process.communicate(timeout=wait)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None
    if process.returncode != 0:
        sys.exit(f"ended with {process.returncode}: {out}")
    return json.loads(out)


def kernel_text(folder):
    names = [name for name in os.listdir(os.path.join(folder, "out")) if name.endswith(".cu")]
    with open(os.path.join(folder, "out", names[0]), encoding="utf-8") as file:
        return file.read()


def saved(folder):
    """Number of evaluations kept, and the most often that one was written."""
    with sqlite3.connect(os.path.join(folder, "runs.db")) as store:
        return store.execute("SELECT COUNT(*), COALESCE(MAX(writes), 0) FROM evaluations").fetchone()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--optiml", help="the program; default: $OPTIML, else the release or development build")
    parser.add_argument("--results", help="folder for the result; default: $RESULTS, else benchmarks/results/search")
    parser.add_argument("--device", default="emulated:h200")
    parser.add_argument("--kernel", default="examples/suite/relu.cu")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--budget", default="60")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.optiml = suite_runs.program(options)
    moments = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as whole:
        began = time.monotonic()
        expected = optimize(options, whole)
        seconds = time.monotonic() - began
        expected_kernel = kernel_text(whole)
        expected_saved, _ = saved(whole)
    print(f"left alone: {expected['evaluations']} evaluations, x {expected['speedup']:.3f}, {seconds:.1f} s")
    kills = []
    for kill in range(options.kills):
        with tempfile.TemporaryDirectory() as folder:
            moment = moments.uniform(0.05, 0.95) * seconds
            result = optimize(options, folder, moment)
            if result is None and not os.path.exists(os.path.join(folder, "runs.db")):
                result = optimize(options, folder)  # killed before there was a run
            elif result is None:
                runs = sqlite3.connect(os.path.join(folder, "runs.db")).execute("SELECT COUNT(*) FROM runs").fetchone()[0]
                result = resume(options, folder) if runs else optimize(options, folder)
            after, most = saved(folder)
            same = (kernel_text(folder) == expected_kernel and result["evaluations"] == expected["evaluations"]
                    and after == expected_saved and most == 1)
            kills.append({"after_seconds": moment, "evaluations_saved": after, "most_writes_of_one": most, "same": same})
            print(f"kill {kill + 1:2} after {moment:5.1f} s: {after} evaluations saved, each at most {most} times: "
                  f"{'same kernel' if same else 'DIFFERENT'}")
    good = all(kill["same"] for kill in kills)
    result = {"command": "python3 " + " ".join([os.path.relpath(sys.argv[0], suite_runs.PROJECT)] + sys.argv[1:]), "kernel": options.kernel,
              "device": options.device, "budget": options.budget, "seed": options.seed, "evaluations": expected["evaluations"],
              "seconds_left_alone": seconds, "kills": kills, "passed": good}
    (suite_runs.results_folder(options) / "kill_resume.json").write_text(json.dumps(result, indent=1) + "\n")
    print("passed" if good else "failed")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
