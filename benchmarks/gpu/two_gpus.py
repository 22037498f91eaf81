#!/usr/bin/env python3
"""Evaluations a minute with one and with two cards of one host.

Usage: two_gpus.py [--count 1000]
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

import common


def rate(device, count, jobs, name):
    script = pathlib.Path(__file__).with_name("evaluations.py")
    subprocess.run([sys.executable, str(script), "--device", device, "--count", str(count), "--jobs", str(jobs), "--name", name], check=True)
    folder = common.folder_of_results()
    return json.loads((folder / f"{name}.json").read_text())["evaluations_per_minute"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    options = parser.parse_args()
    jobs = max(2, (os.cpu_count() or 2) - 4)
    one = rate("cuda:0", options.count, jobs, "evaluations_one")
    two = rate("cuda:0,1", 2 * options.count, jobs, "evaluations_two")
    common.write_result("two_gpus", {"ratio": round(two / one, 3), "one_gpu_per_minute": one, "two_gpus_per_minute": two})


if __name__ == "__main__":
    main()
