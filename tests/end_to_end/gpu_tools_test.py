#!/usr/bin/env python3
"""The toolkit's programs around candidates on a card; each test is skipped where the card or its program is not there."""
import json
import os
import unittest

import program

COPY = """__global__ void copy(const float* x, float* y, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
"""
COPY_TASK = """kernel = "copy"
[sizes]
n = { small = 1000, large = 4194304 }
[arguments]
x = { type = "f32", extent = "n" }
y = { type = "f32", extent = "n", role = "output" }
n = "i64"
[launch]
grid = "ceil_div(n, 256)"
block = 256
"""
# Right below 2^31 elements, silent beyond: the index wraps and the guard turns the element away.
NARROW = COPY.replace("long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;", "int i = blockIdx.x * blockDim.x + threadIdx.x;").replace("if (i < n)", "if (i >= 0 && i < n)")
# Reads past the end where n is no multiple of 256; writes only what is right, so that results agree.
READS_OUTSIDE = COPY.replace("if (i < n) y[i] = x[i];", "float v = x[i];\n    if (i < n) y[i] = v;")
# Counters that do not depend on how long the kernel takes.
STEADY = ["smsp__inst_executed.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]


class GpuToolsTest(program.ProgramTest):
    def setUp(self):
        super().setUp()
        self.checks = {check["name"]: check for check in self.run_json("doctor")["checks"]}
        self.needs("cuda:0")
        for name, source in (("copy", COPY), ("narrow", NARROW), ("outside", READS_OUTSIDE)):
            self.write(name + ".cu", source)
        self.write("copy.toml", COPY_TASK)

    def needs(self, name):
        check = self.checks.get(name)
        if check is None or not check["good"]:
            self.skipTest(f"{name}: {check['finding'] if check else 'not there'}")

    def test_a_second_opinion_agrees_about_the_honest_and_the_faulty(self):
        self.needs("compute-sanitizer")
        arguments = ("--device", "cuda:0", "--second-opinion", "compute-sanitizer")
        self.assertEqual(self.run_json("verify", "copy.cu", "copy.cu", *arguments)["verdict"], "accepted")
        verdict = self.run_json("verify", "copy.cu", "outside.cu", *arguments, expect=1)
        told = [finding for finding in verdict["findings"] if "memcheck" in finding["message"]]
        self.assertTrue(told, verdict)
        self.assertEqual((told[0]["kind"], told[0]["kernel"], told[0]["line"]), ("out_of_bounds", "copy", 3))

    def test_ncu_counts_what_cupti_counts(self):
        self.needs("ncu")
        by_ncu = self.run_json("profile", "copy.cu", "--device", "cuda:0", "--profiler", "ncu")
        if by_ncu["collector"] == "driver":
            self.skipTest("no permission to read counters")
        self.assertIn(by_ncu["collector"], ("ncu", "sudo ncu"))
        by_cupti = self.run_json("profile", "copy.cu", "--device", "cuda:0", "--profiler", "cupti")
        if by_cupti["collector"] != "CUPTI":
            self.skipTest("CUPTI may not read counters")
        self.assertEqual(set(by_ncu["counters"]), set(by_cupti["counters"]))
        for name in STEADY:
            if name in by_cupti["counters"]:
                self.assertAlmostEqual(by_ncu["counters"][name] / by_cupti["counters"][name], 1, delta=0.01, msg=name)

    def test_a_higher_tier_counts_more(self):
        device = ("--device", "cuda:0", "--profiler", "cupti")
        counted = [self.run_json("profile", "copy.cu", *device, "--tier", tier) for tier in ("one_pass", "two_passes", "four_passes", "full")]
        if counted[0]["collector"] != "CUPTI":
            self.skipTest("CUPTI may not read counters")
        for fewer, more in zip(counted, counted[1:]):
            self.assertLess(set(fewer["counters"]), set(more["counters"]))
        self.assertGreater(counted[0]["warm_ms"], 0)

    def test_a_recording_ends_at_a_fault_and_keeps_what_came_before(self):
        os.makedirs(self.path("set", "kernels"))
        self.write("set/kernels/both.cu", 'extern "C" __global__ void set(float* y) { y[threadIdx.x] = 1; }\n'
                                          'extern "C" __global__ void fault(float* y) { *reinterpret_cast<float*>(16) = y[0]; }\n')
        lines = []
        for name, kernel in (("first", "set"), ("second", "fault"), ("third", "set")):
            lines.append(json.dumps({"id": f"both/{name}@medium", "family": "both", "file": "both.cu", "size": "medium", "output": "y",
                                     "buffers": {"y": {"type": "f32", "count": 32, "fill": "zero"}}, "affine": True, "launch_count": 1,
                                     "launches": [{"index": 0, "kernel": kernel, "grid": [1, 1, 1], "block": [32, 1, 1], "shared": 0,
                                                   "args": [["b", "y"]]}]}))
        self.write("set/entries.jsonl", "\n".join(lines) + "\n")
        _, told = self.run_program("calibrate", "set", "--record", "--device", "cuda:0", expect=3)
        self.assertIn("both/second@medium took the card", told)
        (recording,) = [name for name in os.listdir(self.path("set")) if name.endswith(".jsonl") and name != "entries.jsonl"]
        recorded = [json.loads(line) for line in self.read("set", recording).splitlines()]
        self.assertEqual([entry["id"] for entry in recorded], ["both/first@medium"])
        self.assertGreater(recorded[0]["cold_ms"], 0)

    def test_an_index_that_is_too_narrow_shows_beyond_2_to_31(self):
        out, err = self.run_program("verify", "copy.cu", "narrow.cu", "--device", "cuda:0", "--beyond-31-bit", "--json", expect=None)
        if "not verified beyond" in err:
            self.skipTest(err)
        self.assertIn('"rejected"', out)
        self.run_program("verify", "copy.cu", "copy.cu", "--device", "cuda:0", "--beyond-31-bit")


if __name__ == "__main__":
    unittest.main()
