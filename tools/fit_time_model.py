#!/usr/bin/env python3
"""Fits the time model's parameters of devices/h200.toml to recorded kernels.

    calibrate DIR OUT --all-counters          (benchmarks/calibrate.cpp)
    tools/fit_time_model.py DIR/h200.jsonl OUT/calibration.csv [devices/h200.toml]

Fits on every second family (by name), with no parameter of any one kernel, prints the agreement on both halves, and rewrites the
parameters in the TOML file where one is given. Needs numpy and scipy. The formulas are those of src/emulator/time_model.cpp.
"""
import csv
import json
import re
import sys
from collections import defaultdict

import numpy as np
from scipy.optimize import least_squares
from scipy.stats import spearmanr

SMS, WARPS_PER_SM = 132, 64
WAITS = ["issue", "global", "shared", "constant", "special", "exchange", "barrier"]
START = {
    "issue_cycles": 0.25, "fma_cycles": 0.25, "fp64_cycles": 0.5, "lsu_cycles": 1.0, "tensor_cycles": 2.0, "tag_cycles": 1.0,
    "shared_wavefront_cycles": 1.0, "l2_read_gb_per_s": 7000.0, "l2_write_gb_per_s": 5000.0, "l2_partial_write_gb_per_s": 2000.0,
    "dram_gb_per_s": 4300.0, "dram_scatter_factor": 1.5, "atomic_sector_ns": 0.02, "atomic_integer_ns": 0.7, "atomic_float_ns": 1.75,
    "atomic_compare_and_swap_ns": 1.75, "block_cycles": 700.0, "blocks_per_cycle": 0.8, "term_norm": 3.0, "launch_us": 1.5,
    "first_launch_us": 1.0, **{f"latency_scale_{wait}": 1.0 for wait in WAITS},
}
CLOCK = 1.755e3  # cycles a microsecond, sustained_clock_ghz


class Recordings:
    def __init__(self, recorded_file, calibration_file):
        recorded = {entry["id"]: entry for entry in map(json.loads, open(recorded_file))}
        launches = defaultdict(lambda: defaultdict(dict))
        for row in csv.DictReader(open(calibration_file)):
            if row["launch"]:
                launches[row["id"]][int(row["launch"])][row["counter"]] = float(row["modelled"])
        self.ids = sorted(launches)
        self.counters, self.weights = [], []
        for entry_id in self.ids:
            indices = sorted(launches[entry_id])
            first = len(self.counters)
            self.counters += [launches[entry_id][index] for index in indices]
            self.weights.append((first, interpolation(indices, recorded[entry_id]["launch_count"])))
        self.measured = np.array([recorded[i]["cold_ms"] * 1e3 for i in self.ids])
        self.families = [recorded[i]["family"] for i in self.ids]

    def counter(self, name):
        return np.array([counters.get(name, 0.0) for counters in self.counters])

    def total(self, per_launch):
        return np.array([np.dot(weights, per_launch[first:first + len(weights)]) for first, weights in self.weights])


def interpolation(indices, count):
    """How often each recorded launch counts, when the others lie between their neighbours."""
    weights = np.zeros(len(indices))
    nearest = 0
    for index in range(count):
        while nearest + 1 < len(indices) and indices[nearest] < index:
            nearest += 1
        if indices[nearest] <= index or nearest == 0:
            weights[nearest] += 1
            continue
        share = (index - indices[nearest - 1]) / (indices[nearest] - indices[nearest - 1])
        weights[nearest - 1] += 1 - share
        weights[nearest] += share
    return weights


class Model:
    def __init__(self, recordings):
        self.recordings = recordings
        c = recordings.counter
        self.c = {name: c(name) for counters in recordings.counters for name in counters}
        blocks = np.maximum(1, self.get("launch__grid_size"))
        warps = np.maximum(1, np.ceil(self.get("launch__block_size") / 32))
        resident = np.maximum(1, np.round(self.get("sm__maximum_warps_per_active_cycle_pct") / 100 * WARPS_PER_SM / warps))
        busiest = np.ceil(blocks / SMS)
        self.blocks, self.share = blocks, busiest / blocks
        self.rounds = np.where(busiest > resident, busiest / resident + 0.5, 1)

    def get(self, name):
        return self.c.get(name, np.zeros(len(self.recordings.counters)))

    def microseconds(self, p):
        get, on_sm = self.get, lambda cycles: cycles * self.share / CLOCK
        lines = sum(get(f"model__global_lines_{op}") for op in ("ld", "st", "atom", "red")) * p["tag_cycles"]
        local = (get("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum") + get("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum")) / 4
        partial = get("model__partial_store_sectors")
        read, written = (get(f"lts__t_sectors_srcunit_tex_op_{op}.sum") for op in ("read", "write"))
        atomics = get("lts__t_sectors_srcunit_tex_op_atom.sum") + get("lts__t_sectors_srcunit_tex_op_red.sum")
        path = sum(get(f"model__warp_cycles_{wait}") * p[f"latency_scale_{wait}"] for wait in WAITS)
        pipe = lambda name: get(f"sm__inst_executed_pipe_{name}.sum")
        terms = np.array([
            on_sm(get("smsp__inst_executed.sum") * p["issue_cycles"]), on_sm(pipe("alu") * 0.5), on_sm(pipe("fma") * p["fma_cycles"]),
            on_sm(pipe("xu") * 2), on_sm(pipe("fp64") * p["fp64_cycles"]), on_sm(pipe("lsu") * p["lsu_cycles"]),
            on_sm(pipe("tensor") * p["tensor_cycles"]),
            on_sm(lines + local + get("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum") * p["shared_wavefront_cycles"]),
            0.032 * (read / p["l2_read_gb_per_s"] + np.maximum(0, written - partial) / p["l2_write_gb_per_s"]
                     + partial / p["l2_partial_write_gb_per_s"]),
            1e-3 * (get("model__dram_moved_bytes") + get("model__dram_scattered_bytes") * p["dram_scatter_factor"]) / p["dram_gb_per_s"],
            1e-3 * atomics * p["atomic_sector_ns"],
            1e-3 * sum(get(f"model__atomic_rounds_{kind}") * p[f"atomic_{kind}_ns"] for kind in ("integer", "float", "compare_and_swap")),
            self.blocks / p["blocks_per_cycle"] / CLOCK,
            self.rounds * (path * np.maximum(1, get("model__block_imbalance")) + p["block_cycles"]) / CLOCK,
        ])
        joined = (terms ** p["term_norm"]).sum(0) ** (1 / p["term_norm"])
        return self.recordings.total(joined + p["launch_us"]) + p["first_launch_us"]


def report(name, modelled, measured):
    error = np.median(np.abs(modelled / measured - 1))
    print(f"{name:24s} {len(measured):4d} entries  Spearman {spearmanr(modelled, measured)[0]:.3f}  median error {100 * error:.0f} %")


def main():
    recordings = Recordings(sys.argv[1], sys.argv[2])
    model = Model(recordings)
    names = sorted(START)
    start = np.log([START[name] for name in names])
    fitted = set(sorted(set(recordings.families))[::2])
    chosen = np.array([family in fitted for family in recordings.families])

    def residuals(logs):
        modelled = model.microseconds(dict(zip(names, np.exp(logs))))
        return np.concatenate([np.log(modelled / recordings.measured)[chosen], 0.15 * (logs - start)])

    solution = least_squares(residuals, start, loss="soft_l1", f_scale=0.3)
    parameters = dict(zip(names, np.exp(solution.x)))
    modelled = model.microseconds(parameters)
    report("all", modelled, recordings.measured)
    report("fitted families", modelled[chosen], recordings.measured[chosen])
    report("held-out families", modelled[~chosen], recordings.measured[~chosen])
    if len(sys.argv) > 3:
        text = open(sys.argv[3]).read()
        for name, value in parameters.items():
            text = re.sub(rf"^{name} = \S+", f"{name} = {value:.4g}", text, flags=re.MULTILINE)
        open(sys.argv[3], "w").write(text)


if __name__ == "__main__":
    main()
