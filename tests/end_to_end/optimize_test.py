"""The main job, end to end: a kernel in, a faster, verified and explained kernel out."""
import os
import unittest

from program import ProgramTest


# Divides by the size that its program runs with, and checks itself for that size alone.
SHARES = """#include <cuda_runtime.h>
#include <stdio.h>
__global__ void shares(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] / 1000.0f;
}
int main(int argc, char** argv) {
    float *x, *y, sum = 0.0f, host[1000];
    cudaMallocManaged(&x, 4000);
    cudaMallocManaged(&y, 4000);
    for (int i = 0; i < 1000; ++i) x[i] = 2.0f;
    shares<<<4, 256>>>(x, y, 1000);
    cudaMemcpy(host, y, 4000, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 1000; ++i) sum += host[i];
    puts(sum > 1.99f && sum < 2.01f ? "PASS" : "FAIL");
}
"""
SHARES_TASK = """kernel = "shares"
[sizes]
n = { small = 1000, large = 1000 }
[arguments]
x = { type = "f32", extent = "n" }
y = { type = "f32", extent = "n", role = "output" }
n = "i32"
[launch]
grid = "ceil_div(n, 256)"
block = 256
"""


class Optimize(ProgramTest):
    def test_a_faster_kernel_is_found_verified_explained_and_written(self):
        result = self.run_json("optimize", "transpose.cu", "--budget", "10", "--out", "best")
        self.assertEqual(set(result) & {"run", "original_ms", "best_ms", "speedup", "interval", "source", "evaluations", "path",
                                        "kernel_file"},
                         {"run", "original_ms", "best_ms", "speedup", "interval", "source", "evaluations", "path", "kernel_file"})
        self.assertGreater(result["speedup"], 1.3)
        self.assertAlmostEqual(result["speedup"], result["original_ms"] / result["best_ms"], places=9)
        self.assertEqual(result["source"], "modelled")
        self.assertEqual(result["evaluations"], 10)
        for step in result["path"]:
            self.assertEqual(set(step) & {"transformation", "parameters", "hypothesis", "speedup"},
                             {"transformation", "parameters", "hypothesis", "speedup"})
            self.assertTrue(step["hypothesis"])
        checks = {check["name"]: check["good"] for check in self.run_json("doctor")["checks"]}
        self.assertEqual(sorted(os.listdir(self.path("best"))),
                         ["changes.diff", "explanation.md", "result.json", "transpose.cu"]
                         + ["transpose.sass"] * checks["nvdisasm"] + ["transpose.toml", "transpose_launch.cuh"])
        self.assertNotEqual(self.read("best", "transpose.cu"), self.read("transpose.cu"))

        # The winner stands on its own: with the task file beside it, it is accepted in the original's place.
        verdict = self.run_json("verify", "transpose.cu", "best/transpose.cu")
        self.assertEqual((verdict["verdict"], verdict["level"], verdict["findings"]), ("accepted", "L2", []))

        # The diff turns one into the other.
        self.write("again.cu", self.read("transpose.cu"))
        self.assertEqual(os.system(f"patch -s {self.path('again.cu')} {self.path('best', 'changes.diff')}"), 0)
        self.assertEqual(self.read("again.cu"), self.read("best", "transpose.cu"))

        explanation, _ = self.run_program("explain", result["run"])
        self.assertIn(result["path"][0]["transformation"], explanation)
        self.assertIn("| speed-up", explanation)
        self.assertIn("```diff", explanation)
        self.assertIn("## What was tried, on all branches", explanation)
        told = self.run_json("explain", result["run"])
        self.assertEqual(sum(tried["candidates"] for tried in told["tried"]), 10)
        self.assertTrue(all(step["counters"] for step in told["path"]))
        runs = self.run_json("runs")["runs"]
        self.assertEqual([(run["run"], run["state"]) for run in runs], [(result["run"], "done")])

    def test_the_same_seed_gives_the_same_kernel_whatever_the_jobs(self):
        first = self.run_json("optimize", "transpose.cu", "--budget", "8", "--seed", "3", "--out", "a", "--store", "a.db", "--jobs", "1")
        second = self.run_json("optimize", "transpose.cu", "--budget", "8", "--seed", "3", "--out", "b", "--store", "b.db", "--jobs", "3")
        self.assertEqual(first["path"], second["path"])
        self.assertEqual(self.read("a", "transpose.cu"), self.read("b", "transpose.cu"))

    def test_a_second_run_is_answered_from_the_store(self):
        first = self.run_json("optimize", "transpose.cu", "--budget", "8", "--out", "a")
        second = self.run_json("optimize", "transpose.cu", "--budget", "8", "--out", "b")
        self.assertEqual(first["path"], second["path"])
        self.assertLess(second["seconds"], first["seconds"] / 2)

    def test_profile_counts_by_launch_and_line(self):
        profile = self.run_json("profile", "transpose.cu")
        self.assertEqual(profile["kernel"], "transpose")
        self.assertEqual(profile["source"], "modelled")
        self.assertGreater(profile["time_ms"], 0)
        self.assertGreater(profile["time_ms"], profile["warm_ms"])
        self.assertGreater(profile["warm_ms"], 0)
        # 1024 x 1024 elements: a request a warp, 4 sectors where neighbouring, 32 where not.
        counters = profile["counters"]
        self.assertEqual(counters["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"], 32768)
        self.assertEqual(counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 131072)
        self.assertEqual(counters["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"], 1048576)
        lines = {line["line"]: line for line in profile["lines"]}
        self.assertEqual(lines[6]["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"], 1048576)
        self.assertEqual(profile["launches"][0]["grid"], [32, 128, 1])

    def test_profile_tells_the_lines_that_cost_most(self):
        text, _ = self.run_program("profile", "transpose.cu")
        self.assertIn("The lines that cost most:", text)
        hottest = text.split("The lines that cost most:")[1].splitlines()
        self.assertIn("global sectors", hottest[2])
        self.assertTrue(hottest[4].startswith("| transpose.cu:6 "), hottest)

    def test_what_a_kernel_prints_is_shown(self):
        self.write("transpose.cu", self.read("transpose.cu").replace("if (row < rows", 'if (row == 3 && col == 5) printf("at %d, %d\\n", row, col);\n    if (row < rows'))
        self.assertEqual(self.run_json("verify", "transpose.cu", "transpose.cu")["printed"], "at 3, 5\n")
        self.assertEqual(self.run_json("profile", "transpose.cu")["printed"], "at 3, 5\n")
        for command in (["verify", "transpose.cu", "transpose.cu"], ["profile", "transpose.cu"]):
            text, _ = self.run_program(*command)
            self.assertTrue(text.endswith("Printed by the kernels at the small sizes:\n\nat 3, 5\n"), text)

    def test_the_original_judges_at_sizes_that_its_own_check_does_not_know(self):
        self.write("shares.cu", SHARES)
        self.write("shares.toml", SHARES_TASK)
        self.write("same.cu", SHARES.replace("if (i < n) y[i] = x[i] / 1000.0f", "if (i >= n) return;\n    y[i] = x[i] * 0.001f"))
        self.write("meant.cu", SHARES.replace("x[i] / 1000.0f", "x[i] / n"))  # what its author would say is right
        for size in (1000, 4321):
            where = ["--set", f"n={size}"]
            self.assertEqual(self.run_json("verify", "shares.cu", "same.cu", *where)["verdict"], "accepted")
            self.assertEqual(self.run_json("verify", "shares.cu", "meant.cu", *where, expect=1)["findings"][0]["kind"], "wrong_values")
        # Right at the size that the check knows, and not at the one that is asked for.
        self.write("late.cu", SHARES.replace("x[i] / 1000.0f", "x[i] / (i >> 14 ? n : 1000)"))
        self.assertEqual(self.run_json("verify", "shares.cu", "late.cu")["verdict"], "accepted")
        finding = self.run_json("verify", "shares.cu", "late.cu", "--set", "n=20001", expect=1)["findings"][0]
        self.assertEqual((finding["kind"], finding["sizes"]), ("wrong_values", {"n": 20001}))
        run = self.run_json("optimize", "shares.cu", "--budget", "2", "--set", "n=4321", "--out", "best")["run"]
        explanation, _ = self.run_program("explain", run)
        self.assertIn("a check in the original's own program plays no part", explanation)

    def test_sizes_are_set_and_kept(self):
        result = self.run_json("optimize", "transpose.cu", "--budget", "2", "--set", "rows=512", "--set", "cols=256")
        self.assertEqual(result["sizes"], {"rows": 512, "cols": 256})
        self.assertEqual(self.run_json("profile", "transpose.cu", "--size", "small")["sizes"], {"rows": 33, "cols": 65})


if __name__ == "__main__":
    unittest.main()
