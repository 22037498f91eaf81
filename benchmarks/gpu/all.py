#!/usr/bin/env python3
"""Every figure of the GPU evaluator, in calls of at most nine minutes, the most valuable first.

Usage: all.py [--minutes 8.5] [--parts NAME ...] [--again] [--list]

Call it again and again until it says that nothing is left (exit status 0, or 1 if a part failed twice; 75 means that parts are left). Parts that are done, and how they
ended, stand in $RESULTS/all.json (default benchmarks/results/h200); --again forgets them. A part is begun only if it is expected to end in
time. With two cards those that need not be alone on the machine run in two lanes, the suite on the first card and the others on the second.
--list prints the parts with the minutes and figures that are expected; after a part its figures are printed beside those.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time

import common

RESULTS = common.folder_of_results()
UNFINISHED, FAILED = 75, 1
MOST_ATTEMPTS = 2
# Slow or unmeasured before; then all others, which have results of an earlier program.
FIRST = ["mse", "reduction", "histogram", "maxpool3d", "sigmoid", "monte_carlo"]
REST = ["dot", "attention", "prefix_sum", "sort", "matmul", "batched_matmul", "conv2d", "softmax", "layernorm", "cross_entropy", "transpose",
        "relu", "reverse", "matrix_copy"]


@dataclasses.dataclass
class Part:
    name: str
    minutes: float         # expected, on one H200 with 16 cores
    command: list          # {device} is filled in
    expected: str          # figures foretold
    result: str = ""       # file
    figures: tuple = ()    # keys of it that are printed
    cards: int = 1
    lane: int = -1         # -1: alone on the machine; else the card's place among two


def script(name, *options):
    return [sys.executable, str(common.PROJECT / f"benchmarks/gpu/{name}.py"), *options]


def suite(names):
    return script("suite", *names, "--merge", "--device", "{device}", "--limit", "{seconds}")


PARTS = [
    # The tests on the card: several works counted in one session, a hang in it, set switching; sessions with several candidates.
    Part("gpu_tests", 0.7, ["sh", "-c", f"cd {common.PROJECT}/build/{{build}} && ./gpu_gpu_test && ./evaluation_gpu_test"], "all tests pass"),
    # 33 ms of counters alone became some 5 in a session of eight: about 15 ms of the card's time a candidate.
    Part("evaluations", 2.0, script("evaluations", "--count", "1500", "--torch"), "2,500-4,000 a minute, profile 4-7 ms, first answer after less than 3 s, load_inline 50-60 s",
         "evaluations", ("evaluations_per_minute", "with_counters", "seconds_to_first", "torch_load_inline_seconds")),
    # A session's 27 ms do not overlap between two cards; of some 115 ms a batch they are a quarter.
    Part("two_gpus", 1.5, script("two_gpus", "--count", "1500"), "ratio 1.8-1.95", "two_gpus", ("ratio", "one_gpu_per_minute", "two_gpus_per_minute"), cards=2),
    # 48 of 200 before a speed-up had to exceed 1.005: all of them were reduction's 1.0001-1.0004.
    Part("same_kernel", 1.5, script("same_kernel", "--device", "{device}"), "0 of 200 called improved, 0 rejected", "same_kernel",
         ("comparisons", "called_improved", "rejected"), lane=1),
    # mse found nothing in 21 evaluations; with kept truths and known times it should find block_reduction as dot did: some 850 times.
    Part("suite_first", 5.5, suite(FIRST), "mse and reduction above 100 times in more than 60 evaluations, histogram 3-10, maxpool3d 1-3, sigmoid 1.6, monte_carlo above 1.5",
         "suite", ("kernels",), lane=0),
    Part("counters", 0.5, script("counters", "transpose", "--merge", "--device", "{device}"), "transpose within 1 % of ncu", "counters", lane=1),
    # Each fault costs a worker, and those that came with it are evaluated again: some 0.9 s for each of the hundred.
    Part("faults", 2.2, script("faults", "--device", "{device}"), "0 of 400 lost, 0 accepted, 90-130 s", "faults", ("lost", "faulty_accepted", "seconds"), lane=1),
    Part("recording", 0.5, script("recording", "--device", "{device}"), "3 recorded, 0 failed, read back", "recording", ("recorded", "failed", "compared", "error"), lane=1),
    Part("exploits", 1.5, script("exploits", "--device", "{device}"), "22 of 22 rejected for the right reason, 0 of 20 honest flagged", "exploits",
         ("rejected", "expressible", "honest", "honest_flagged"), lane=1),
    Part("suite_rest", 8.0, suite(REST[:8]), "no less than before; more evaluations (250 and more where the original takes under 1 ms)", "suite", ("kernels",), lane=0),
    Part("suite_last", 6.0, suite(REST[8:]), "as suite_rest", "suite", ("kernels",), lane=0),
]


def build():
    return "release" if (common.PROJECT / "build/release/gpu_gpu_test").exists() else "dev"


def run_within(command, seconds):
    """Status and output; with its time go all processes that it started."""
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    except FileNotFoundError as error:
        return "failed", str(error)
    try:
        said, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate()
        return "failed", f"{said}\nnot done after {seconds:.0f} s"
    return ("done" if process.returncode == 0 else "failed"), said


class Campaign:
    def __init__(self, options):
        self.end = time.monotonic() + 60 * options.minutes
        self.lock = threading.Lock()
        self.file = RESULTS / "all.json"
        RESULTS.mkdir(parents=True, exist_ok=True)
        for name in ("suite.json", "counters.json"):  # what is merged into
            if not (RESULTS / name).exists() and (common.PROJECT / "benchmarks/results/h200" / name).exists():
                shutil.copy(common.PROJECT / "benchmarks/results/h200" / name, RESULTS / name)
        self.state = {} if options.again or not self.file.exists() else json.loads(self.file.read_text())
        names, _ = common.card()
        self.cards = len(names.split(", ")) if names else 0
        self.parts = [part for part in PARTS if not options.parts or part.name in options.parts]

    def left(self):
        return [part for part in self.parts if part.cards <= self.cards and not self.is_over(self.state.get(part.name, {}))]

    @staticmethod
    def is_over(entry):
        return entry.get("status") == "done" or (entry.get("status") == "failed" and entry["attempts"] >= MOST_ATTEMPTS)

    def seconds_left(self):
        return self.end - time.monotonic()

    def save(self, part, **entry):
        with self.lock:
            self.state[part.name] = entry
            self.file.write_text(json.dumps(self.state, indent=1) + "\n")

    def has_begun(self, part):
        return self.state.get(part.name, {}).get("status") == "begun"

    def forget_kernels(self, part):
        """What an earlier program measured does not count as done; what this campaign measured does."""
        if part.result != "suite" or self.has_begun(part) or not (RESULTS / "suite.json").exists():
            return
        with common.alone_with("suite"):
            results = json.loads((RESULTS / "suite.json").read_text())
            results["kernels"] = [entry for entry in results["kernels"] if entry["name"] not in part.command]
            (RESULTS / "suite.json").write_text(json.dumps(results, indent=1) + "\n")

    def run(self, part, device):
        # A suite stops by itself and goes on in the next call; anything else must fit.
        if self.seconds_left() < (90 if part.result == "suite" else 60 * part.minutes):
            return
        self.forget_kernels(part)
        attempts = self.state.get(part.name, {}).get("attempts", 0) + 1
        self.save(part, status="begun", attempts=attempts)
        seconds = max(1, int(self.seconds_left() - 100))
        command = [word.format(device=device, build=build(), seconds=seconds) if "{" in word else word for word in part.command]
        print(f"== {part.name} on {device}: expected {part.minutes} min; {part.expected}", flush=True)
        began = time.monotonic()
        status, said = run_within(command, max(30, min(self.seconds_left(), 180 * part.minutes)))
        if status == "done" and "to be continued" in said:
            status = "begun"
        minutes = round((time.monotonic() - began) / 60, 2)
        self.save(part, status=status, attempts=attempts, minutes=minutes, **({"said": said[-600:]} if status == "failed" else {}))
        print(f"== {part.name}: {status} after {minutes} min; {self.measured(part)}{said[-600:] if status == 'failed' else ''}", flush=True)

    @staticmethod
    def measured(part):
        file = RESULTS / f"{part.result}.json"
        if not part.figures or not file.exists():
            return ""
        result = json.loads(file.read_text())
        if part.result == "suite":
            return ", ".join(f"{entry['name']} {entry.get('speedup', 0):.2f} ({entry.get('evaluations', 0)})" for entry in result["kernels"] if entry["name"] in part.command)
        return ", ".join(f"{key} {result.get(key)}" for key in part.figures)

    def run_all(self):
        for part in [part for part in self.left() if part.lane < 0]:
            self.run(part, "cuda:0")
        lanes = 2 if self.cards > 1 else 1
        rest = [part for part in self.left() if part.lane >= 0]
        threads = []
        for lane in range(lanes):
            parts = [part for part in rest if part.lane % lanes == lane]
            threads.append(threading.Thread(target=lambda parts=parts, lane=lane: [self.run(part, f"cuda:{lane}") for part in parts]))
            threads[-1].start()
        for thread in threads:
            thread.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=8.5)
    parser.add_argument("--parts", nargs="+", choices=[part.name for part in PARTS])
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        for part in PARTS:
            print(f"{part.name:12} {part.minutes:4.1f} min, {part.cards} card(s): {part.expected}")
        return
    campaign = Campaign(options)
    campaign.run_all()
    left = [part.name for part in campaign.left()]
    failed = [name for name, entry in campaign.state.items() if entry["status"] == "failed"]
    print("left: " + ", ".join(left) if left else "nothing is left" + (", failed: " + ", ".join(failed) if failed else ""), flush=True)
    sys.exit(UNFINISHED if left else FAILED if failed else 0)


if __name__ == "__main__":
    main()
