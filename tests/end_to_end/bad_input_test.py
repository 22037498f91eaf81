"""Input that cannot be worked with: a clear message with the place, the right exit code, nothing on stdout but JSON where asked for."""
import subprocess
import unittest

from program import OPTIML, ProgramTest, TRANSPOSE, TRANSPOSE_TASK

SUM_TASK = """kernel = "sum"
[sizes]
n = { small = 1000, large = 4096 }
[arguments]
x = { type = "f32", extent = "n" }
y = { type = "f32", extent = "ceil_div(n, 256)", role = "output" }
n = "i32"
[launch]
grid = "ceil_div(n, 256)"
block = 256
"""

# A tree in shared memory without the barriers between its steps.
RACING_SUM = """__global__ void sum(const float* x, float* y, int n) {
    __shared__ float part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    }
    if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}
"""


class BadInput(ProgramTest):
    def check(self, arguments, exit_code, *parts):
        out, err = self.run_program(*arguments, expect=exit_code)
        for part in parts:
            self.assertIn(part, err)
        self.assertEqual(out, "")
        error = self.run_json(*arguments, expect=exit_code)["error"]
        self.assertTrue(error["message"])
        return error

    def test_a_missing_file_is_told(self):
        self.check(["optimize", "missing.cu"], 2, "cannot read", "missing.cu")
        self.check(["verify", "transpose.cu", "missing.cu"], 2, "cannot read", "missing.cu")
        self.check(["optimize", "transpose.cu", "--task", "missing.toml"], 2, "cannot read", "missing.toml")
        self.check(["profile", "."], 2, "folder")

    def test_a_file_without_a_kernel_is_told(self):
        for name, text in (("host.cu", "int main() { return 0; }\n"), ("empty.cu", "")):
            self.write(name, text)
            self.check(["optimize", name], 2, name, "__global__")

    def test_a_kernel_name_that_is_absent_or_ambiguous_is_told_with_those_there_are(self):
        self.check(["optimize", "transpose.cu", "--kernel", "transposed"], 2, "'transposed'", "transpose")
        self.write("two.cu", TRANSPOSE + TRANSPOSE.replace("void transpose", "void transpose_again"))
        self.check(["optimize", "two.cu"], 2, "two.cu", "--kernel", "transpose, transpose_again")

    def test_a_run_that_there_is_not_is_told(self):
        self.check(["resume", "transpose-7"], 2, "transpose-7")
        self.write("store.db", "no database")
        self.check(["runs", "--store", "store.db"], 2, "store.db", "--store")
        self.assertEqual(self.read("store.db"), "no database")

    def test_a_budget_a_size_or_a_device_that_makes_no_sense_is_told(self):
        self.check(["optimize", "transpose.cu", "--budget", "soon"], 2, "'soon'")
        self.check(["optimize", "transpose.cu", "--set", "depth=3"], 2, "depth", "rows")
        self.check(["optimize", "transpose.cu", "--device", "emulated:abacus"], 2, "abacus")
        self.check(["optimize", "transpose.cu", "--search", "guessing"], 2, "guessing", "mcts")

    def test_a_failed_run_does_not_stand_in_the_next_ones_way(self):
        self.write("transpose.cu", TRANSPOSE.replace("row < rows &&", "row <= rows &&"))
        self.run_program("optimize", "transpose.cu", expect=4)
        self.write("transpose.cu", TRANSPOSE)
        self.run_program("optimize", "transpose.cu", "--budget", "2")
        self.assertEqual([run["state"] for run in self.run_json("runs")["runs"]], ["done", "failed"])

    def test_code_that_does_not_compile_is_told_with_its_line(self):
        self.write("transpose.cu", TRANSPOSE.replace("a[row * cols + col];", "a[row * cols + column];"))
        error = self.check(["optimize", "transpose.cu"], 2, "transpose.cu:6", "column")
        self.assertEqual(error["line"], 6)

    def test_a_racing_original_is_faulty(self):
        self.write("sum.cu", RACING_SUM)
        self.write("sum.toml", SUM_TASK)
        error = self.check(["optimize", "sum.cu"], 4, "sum.cu:7", "race")
        self.assertEqual(error["kind"], "faulty_original")

    def test_an_original_that_leaves_its_buffers_is_faulty(self):
        self.write("transpose.cu", TRANSPOSE.replace("row < rows &&", "row <= rows &&"))
        self.check(["optimize", "transpose.cu"], 4, "transpose.cu:6", "out_of_bounds")

    def test_an_extent_too_small_for_the_accesses_is_told(self):
        self.write("transpose.toml", TRANSPOSE_TASK.replace('b = { type = "f32", extent = "rows * cols"',
                                                            'b = { type = "f32", extent = "rows * cols - 1"'))
        self.check(["optimize", "transpose.cu"], 4, "transpose.cu:6", "'b'", "extents")

    def test_sizes_that_overflow_are_told(self):
        self.check(["optimize", "transpose.cu", "--set", "rows=9223372036854775807"], 2, "rows * cols")
        self.check(["profile", "transpose.cu", "--set", "rows=4611686018427387904", "--set", "cols=4"], 2, "rows * cols")

    def test_an_error_in_the_task_file_is_told_with_its_place(self):
        self.write("transpose.toml", TRANSPOSE_TASK.replace('"ceil_div(cols, 32)"', '"ceil_div(colls, 32)"'))
        self.check(["optimize", "transpose.cu"], 2, "transpose.toml:11", "colls")

    def test_a_wrong_candidate_is_rejected_with_its_line(self):
        self.write("wrong.cu", TRANSPOSE.replace("col * rows + row]", "col * rows + row] = 0; b[row * cols + col]"))
        verdict = self.run_json("verify", "transpose.cu", "wrong.cu", expect=1)
        self.assertEqual(verdict["verdict"], "rejected")
        kinds = {finding["kind"] for finding in verdict["findings"]}
        self.assertTrue(kinds & {"race", "wrong_values"}, kinds)
        self.assertEqual(verdict["findings"][0]["line"], 6)
        self.assertTrue(verdict["findings"][0]["file"].endswith("wrong.cu"))

    def test_a_folder_that_cannot_be_written_is_told_and_nothing_is_lost(self):
        self.write("blocked", "a file where the folder should be")
        _, err = self.run_program("optimize", "transpose.cu", "--budget", "2", "--out", "blocked", expect=2)
        self.assertIn("blocked", err)
        self.assertEqual(self.read("blocked"), "a file where the folder should be")

    def test_streams_that_are_closed_or_full_and_files_that_may_not_grow_are_told(self):
        def status(command):
            return subprocess.run(command.replace("optiml", f'"{OPTIML}"', 1), shell=True, cwd=self.folder,
                                  capture_output=True, timeout=120).returncode

        self.assertEqual(status("optiml verify transpose.cu transpose.cu 2>&-"), 0)
        self.assertEqual(status("optiml verify transpose.cu transpose.cu >/dev/full"), 3)
        self.assertEqual(status("ulimit -f 4; optiml optimize transpose.cu --budget 2 --out out --store runs.db"), 3)


if __name__ == "__main__":
    unittest.main()
