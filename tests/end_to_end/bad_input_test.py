"""Input that cannot be worked with: a clear message with the place, the right exit code, nothing on stdout but JSON where asked for."""
import json
import os
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

RELU = """__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaxf(x[i], 0.0f);
}
"""
RELU_TASK = """kernel = "relu"
[sizes]
n = { small = 1007, large = 65536 }
[arguments]
x = { type = "f32", extent = "n" }
y = { type = "f32", extent = "n", role = "output" }
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

    def test_a_tier_is_for_counters_of_a_gpu(self):
        self.check(["profile", "transpose.cu", "--device", "emulated:h200", "--tier", "full"], 2, "--tier", "cuda:0")
        self.check(["profile", "transpose.cu", "--device", "emulated:h200", "--tier", "half"], 2, "--tier", "four_passes")

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

    def relu(self, source=RELU, task=RELU_TASK):
        self.write("relu.cu", source)
        self.write("relu.toml", task)

    def test_an_original_that_does_not_end_is_faulty(self):
        self.relu(RELU.replace("if (i < n) y", "if (i < n) while (x[0] != 123.0f) y"))
        error = self.check(["optimize", "relu.cu"], 4, "relu.cu:3", "'relu'", "does not end", "10 s", "n = 1007")
        self.assertEqual(error["kind"], "faulty_original")
        self.check(["verify", "relu.cu", "relu.cu"], 4, "does not end")

    def test_an_original_that_ends_by_luck_is_told_by_its_instructions(self):
        # Without end where x[0] is not exactly 0.5, as in the run with inputs a last place off.
        self.relu(RELU.replace("0.0f);", "0.0f);\n    while (i < n && x[0] != 0.5f) y[i] += 1;"),
                  RELU_TASK.replace('x = { type = "f32", extent = "n"', 'x = { type = "f32", extent = "n", fill = { constant = 0.5 }'))
        error = self.check(["verify", "relu.cu", "relu.cu"], 4, "does not end", "warp instructions", "a last place off")
        self.assertNotIn("10 s", error["message"])

    def test_buffers_that_no_machine_holds_are_told(self):
        self.relu(task=RELU_TASK.replace('x = { type = "f32", extent = "n"', 'x = { type = "f32", extent = "2^45"'))
        self.check(["optimize", "relu.cu"], 2, "relu.toml:5", "extent of x", "512 GiB")
        self.relu(task=RELU_TASK.replace('x = { type = "f32", extent = "n"', 'x = { type = "f32", extent = "2^30"'))
        self.check(["optimize", "relu.cu"], 2, "relu.toml", "4096 MiB", "'x'", "small sizes")
        self.relu()
        self.check(["verify", "relu.cu", "relu.cu", "--set", "n=99999999999"], 2, "n is 99999999999, which i32 cannot hold")
        self.relu(task=RELU_TASK.replace('x = { type = "f32", extent = "n"', 'x = { type = "f32", extent = "2 * n"'))
        self.check(["verify", "relu.cu", "relu.cu", "--set", "n=2000000000"], 2, "'x' has 4000000000 elements", "indices end at 2147483647")

    def test_sizes_that_no_run_can_have_whole_are_sampled(self):
        self.relu()
        self.write("short.cu", RELU.replace("fmaxf(x[i], 0.0f)", "i < 1000000000 ? fmaxf(x[i], 0.0f) : 0.0f"))
        where = ["--set", "n=1073741824"]
        _, err = self.run_program("verify", "relu.cu", "relu.cu", *where)
        self.assertIn("sampled at n = 1073741824", err)
        verdict = self.run_json("verify", "relu.cu", "short.cu", *where, expect=1)
        self.assertEqual(verdict["findings"][0]["kind"], "wrong_values")
        self.assertGreater(verdict["findings"][0]["sizes"]["n"], 1000000000)

    def test_what_is_no_file_is_told(self):
        os.mkfifo(self.path("pipe"))
        os.mkdir(self.path("folder"))
        for name, what in (("/dev/zero", "device"), ("pipe", "pipe"), ("folder", "folder")):
            self.relu(task=f'source = "{name}"\n' + RELU_TASK)
            self.check(["optimize", "relu.cu"], 2, "relu.toml:1", "cannot read", what)
            self.relu(task=RELU_TASK.replace('x = { type = "f32", extent = "n"', f'x = {{ type = "f32", extent = "n", fill = {{ file = "{name}" }}'))
            self.check(["optimize", "relu.cu"], 2, "relu.toml:5", "cannot read", what)
        self.check(["optimize", "pipe"], 2, "pipe")

    def test_sources_of_other_encodings_are_taken_as_they_are(self):
        for source in (b"\xef\xbb\xbf" + RELU.encode(), b"// M\xfcller, \xa9 1999\n" + RELU.encode()):
            self.relu()
            with open(self.path("relu.cu"), "wb") as file:
                file.write(source)
            self.run_json("optimize", "relu.cu", "--budget", "2", "--out", "out")
            self.assertEqual(self.run_json("verify", "relu.cu", "out/relu.cu")["verdict"], "accepted")
        with open(self.path("relu.cu"), "wb") as file:
            file.write(RELU.encode("utf-16"))
        self.check(["optimize", "relu.cu"], 2, "relu.cu:1", "zero byte", "UTF-8")

    def test_files_that_would_exhaust_a_parser_are_told(self):
        self.relu(task="a." * 50_000 + "a = 1\n" + RELU_TASK)
        self.check(["optimize", "relu.cu"], 2, "relu.toml:1", "16 parts")
        self.relu("// " + "x" * (5 << 20) + "\n" + RELU)
        self.check(["optimize", "relu.cu"], 2, "relu.cu", "4 MiB")
        macros = "#define M0 \"x\"\n" + "".join(f"#define M{i} {f'M{i - 1} ' * 10}\n" for i in range(1, 10))
        self.relu(macros + "__device__ const char* text = M9;\n" + RELU)
        self.check(["optimize", "relu.cu"], 2, "relu.cu", "macros")
        self.relu(RELU.replace("y[i] =", "y[i] = " + "- " * 500_000))
        self.check(["optimize", "relu.cu"], 2, "relu.cu", "operators")

    def test_code_that_the_compiler_does_not_finish_is_told(self):
        self.relu()
        endless = ("template <class A, class B> struct Pair {};\n"
                   "template <class T, int N> struct Twice { static const int v = Twice<Pair<T, int>, N - 1>::v + Twice<Pair<int, T>, N - 1>::v; };\n"
                   "template <class T> struct Twice<T, 0> { static const int v = 1; };\n")
        self.write("endless.cu", endless + RELU.replace("0.0f", "0.0f * Twice<int, 60>::v"))
        os.environ["OPTIML_COMPILE_SECONDS"] = "2"
        self.addCleanup(os.environ.pop, "OPTIML_COMPILE_SECONDS")
        verdict = self.run_json("verify", "relu.cu", "endless.cu", expect=1)
        self.assertEqual([finding["kind"] for finding in verdict["findings"]], ["compile"])
        self.assertIn("within 2 s", verdict["findings"][0]["message"])

    def test_lines_that_are_no_candidates_cost_themselves_alone(self):
        self.relu()
        lines = ["null", "{bad", '{"id": "no source"}', '{"id": {"a": 1}, "source": 5}', "[" * 100_000,
                 json.dumps({"id": "long", "source": "x" * 20_000_000}), json.dumps({"id": "zero", "source": RELU + "\0"}),
                 json.dumps({"id": "number", "source": RELU, "task_file": 7}), json.dumps({"id": "right", "source": RELU}), "\udcff\udcfe"]
        done = subprocess.run([OPTIML, "evaluate", "relu.cu", "--jobs", "1", "--json"], cwd=self.folder, capture_output=True, timeout=300,
                              input="\n".join(lines).encode(errors="surrogateescape"))
        self.assertEqual(done.returncode, 0, done.stderr)
        answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
        self.assertEqual({name for name, answer in answers.items() if answer["verdict"] == "accepted"}, {"right"})
        self.assertEqual(set(answers), {"0", "1", "no source", '{"a":1}', "4", "long", "zero", "number", "right", "9"})
        self.assertIn("4 MiB", answers["long"]["findings"][0]["message"])
        self.assertIn("zero byte", answers["zero"]["findings"][0]["message"])

    def test_too_much_shared_memory_is_told_with_the_limit(self):
        self.relu(RELU.replace("    int i", "    __shared__ float s[20000];\n    int i")
                  .replace("    if", "    s[threadIdx.x] = x[i % n];\n    __syncthreads();\n    if").replace("x[i],", "s[threadIdx.x],"))
        error = self.check(["optimize", "relu.cu"], 2, "relu.cu:2", "80000 bytes", "49152", "__shared__ memory", "[launch]")
        self.assertNotIn("ptxas", error["message"])

    def test_a_folder_that_cannot_be_written_is_told_and_nothing_is_lost(self):
        self.write("blocked", "a file where the folder should be")
        out, err = self.run_program("optimize", "transpose.cu", "--budget", "2", "--out", "blocked", "-v", expect=2)
        self.assertIn("blocked", err)
        self.assertNotIn("check the original", err)  # told before any work is done
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
