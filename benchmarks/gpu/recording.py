#!/usr/bin/env python3
"""calibrate --record on three kernels of the suite, and the emulator's comparison with what was recorded.

Usage: recording.py [--device cuda:0]   Exit status 1: an entry failed, or what was recorded cannot be read back.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import common

N = 1 << 20
# name: grid, block, buffers (in the order of the arguments), scalars
ENTRIES = {
    "relu": ([N // 256, 1, 1], [256, 1, 1], {"x": (N, "uniform"), "y": (N, "poison")}, [N]),
    "matmul": ([16, 16, 1], [16, 16, 1], {"a": (256 * 256, "uniform"), "b": (256 * 256, "uniform"), "c": (256 * 256, "poison")}, [256] * 3),
    "transpose": ([32, 32, 1], [32, 32, 1], {"x": (N, "uniform"), "y": (N, "poison")}, [1024, 1024]),
}


def entry(name):
    grid, block, buffers, scalars = ENTRIES[name]
    launch = {"index": 0, "kernel": name, "grid": grid, "block": block, "shared": 0,
              "args": [["b", buffer] for buffer in buffers] + [["i32", scalar] for scalar in scalars]}
    return {"id": f"{name}/naive@medium", "family": name, "file": f"{name}.cu", "size": "medium",
            "buffers": {buffer: {"type": "f32", "count": count, "fill": fill} for buffer, (count, fill) in buffers.items()},
            "output": list(buffers)[-1], "affine": True, "launch_count": 1, "launches": [launch]}


def calibrate(folder, *options):
    run = subprocess.run([common.program(), "calibrate", str(folder), "--json", *options], capture_output=True, text=True, timeout=300)
    try:
        return json.loads(run.stdout)
    except json.JSONDecodeError:
        return {"error": f"exit status {run.returncode}: {(run.stdout + run.stderr)[-300:]}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda:0")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "kernels").mkdir()
        for kernel in ENTRIES:
            source = common.source_of(f"examples/suite/{kernel}.cu").replace("__global__", 'extern "C" __global__')
            (folder / "kernels" / f"{kernel}.cu").write_text(source)
        (folder / "entries.jsonl").write_text("".join(json.dumps(entry(kernel)) + "\n" for kernel in ENTRIES))
        recorded = calibrate(folder, "--record", "--device", options.device)
        lines = [json.loads(line) for line in pathlib.Path(recorded["file"]).read_text().splitlines()] if "file" in recorded else []
        model = pathlib.Path(recorded.get("file", "h200")).stem
        compared = calibrate(folder, "--device", f"emulated:{model}", "-o", str(folder / "compared"))
        rows = list(csv.DictReader(open(compared["csv"]))) if "csv" in compared else []
    common.write_result("recording", {
        **{key: recorded.get(key) for key in ("recorded", "failed", "error")}, "compared": compared.get("entries"), "compared_rows": len(rows),
        "entries": {line["id"]: {"cold_ms": line.get("cold_ms"), "counters": len(line["launches"][0].get("counters", {}))} for line in lines}})
    sys.exit(recorded.get("recorded") != len(ENTRIES) or compared.get("entries") != len(ENTRIES))


if __name__ == "__main__":
    main()
