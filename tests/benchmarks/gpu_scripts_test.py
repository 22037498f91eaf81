"""The GPU benchmarks' own logic, against a program that answers as optiml does on a card: no GPU is needed.

Usage: gpu_scripts_test.py PROJECT
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(sys.argv.pop(1)).resolve()

# Accepts a candidate that holds the kernel it is given, rejects what the exploits' and faults' sources show, and loses every 50th.
SCRIPTED = """#!/usr/bin/env python3
import json, sys
if sys.argv[1] != "evaluate":
    sys.exit(3)
for number, line in enumerate(sys.stdin):
    item = json.loads(line)
    bad = "exploit" in item["source"] or "__trap" in item["source"] or "1e30f" in item["source"] or "nullptr" in item["source"] or "<< 40" in item["source"] or "(char*)y" in item["source"]
    answer = {"id": item["id"], "verdict": "rejected" if bad else "accepted", "level": "L3", "findings": [], "stage_seconds": {"build": 0.05, "time": 0.01}}
    if bad:
        answer["findings"] = [{"kind": "launch", "message": "scripted"}]
    else:
        answer.update({"samples": 5, "speedup": 1.01, "improved": False, "counters": {} if number % 50 == 49 else {"smsp__inst_executed.sum": 7}})
        if number % 50 == 49:
            answer["no_counters_because"] = "scripted loss"
    print(json.dumps(answer), flush=True)
"""


class GpuScripts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        program = pathlib.Path(self.folder.name) / "optiml"
        program.write_text(SCRIPTED)
        program.chmod(0o755)
        # A card that always has the same memory in use.
        card = pathlib.Path(self.folder.name) / "nvidia-smi"
        card.write_text('#!/bin/sh\ncase "$*" in *memory.used*) echo 100;; *) echo "Scripted, 1.0";; esac\n')
        card.chmod(0o755)
        self.environment = {**os.environ, "OPTIML": str(program), "RESULTS": self.folder.name, "PATH": self.folder.name + ":" + os.environ["PATH"]}

    def run_script(self, name, *arguments):
        run = subprocess.run([sys.executable, "-B", str(PROJECT / "benchmarks/gpu" / f"{name}.py"), *arguments], env=self.environment,
                             capture_output=True, text=True, timeout=100)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return json.loads((pathlib.Path(self.folder.name) / f"{name}.json").read_text())

    def test_evaluations(self):
        result = self.run_script("evaluations", "--count", "200", "--jobs", "3")
        self.assertEqual((result["evaluated"], result["accepted"], result["with_counters"]), (200, 200, 196))
        self.assertEqual(result["no_counters"], {"scripted loss": 4})
        self.assertEqual(result["stages_ms"]["build"]["mean"], 50)
        self.assertGreater(result["evaluations_per_minute"], 0)
        self.assertGreater(result["seconds_to_first"], 0)
        self.assertEqual((result["card"], result["driver"]), ("Scripted", "1.0"))

    def test_same_kernel(self):
        result = self.run_script("same_kernel", "--count", "8")
        self.assertEqual((result["comparisons"], result["called_improved"], result["rejected"]), (8, 0, 0))
        self.assertEqual(result["ratios"]["relu"]["median"], 1.01)

    def test_faults(self):
        result = self.run_script("faults", "--count", "50")
        self.assertEqual((result["candidates"], result["lost"], result["faulty"], result["faulty_accepted"]), (50, 0, 10, 0))
        self.assertEqual(result["memory_used_mb_before"], result["memory_used_mb_after"])

    def run_all(self, *arguments):
        return subprocess.run([sys.executable, "-B", str(PROJECT / "benchmarks/gpu/all.py"), *arguments], env=self.environment,
                              capture_output=True, text=True, timeout=100)

    def test_all_goes_on_where_it_stopped(self):
        parts = ["--parts", "same_kernel", "exploits"]
        short = self.run_all("--minutes", "0.01", *parts)
        self.assertEqual((short.returncode, "left: same_kernel, exploits" in short.stdout), (75, True), short.stdout + short.stderr)
        whole = self.run_all(*parts)
        self.assertEqual(whole.returncode, 0, whole.stdout + whole.stderr)
        self.assertIn("comparisons 200, called_improved 0, rejected 0", whole.stdout)
        again = self.run_all(*parts)
        self.assertEqual((again.returncode, again.stdout), (0, "nothing is left\n"))
        self.assertIn("== exploits", self.run_all("--again", "--parts", "exploits").stdout)

    def test_all_tells_of_parts_that_fail(self):
        for status in (75, 1, 1):  # it is tried twice
            run = self.run_all("--parts", "recording")
            self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        self.assertIn("failed: recording", run.stdout)

    def test_all_leaves_out_what_needs_two_cards(self):
        run = self.run_all("--parts", "two_gpus")
        self.assertEqual((run.returncode, run.stdout), (0, "nothing is left\n"))

    def test_exploits_reads_both_manifests(self):
        result = self.run_script("exploits")
        self.assertEqual(result["honest"], 20)
        self.assertEqual(result["honest_flagged"], {})
        self.assertEqual(result["expressible"], len(json.loads((PROJECT / "tests/correctness/exploits/manifest.json").read_text())["exploits"]))


if __name__ == "__main__":
    unittest.main()
