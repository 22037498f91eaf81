"""Runs the optiml program in a folder of its own, for the tests beside this file."""
import json
import os
import subprocess
import tempfile
import unittest

OPTIML = os.environ["OPTIML"]

TRANSPOSE = """// B[c][r] = A[r][c]
__global__ void transpose(const float* a, float* b, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        b[col * rows + row] = a[row * cols + col];
    }
}
"""
TRANSPOSE_TASK = """kernel = "transpose"
[sizes]
rows = { small = 33, large = 1024 }
cols = { small = 65, large = 1024 }
[arguments]
a = { type = "f32", extent = "rows * cols" }
b = { type = "f32", extent = "rows * cols", role = "output" }
rows = "i32"
cols = "i32"
[launch]
grid = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
block = [32, 8]
"""


class ProgramTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        self.write("transpose.cu", TRANSPOSE)
        self.write("transpose.toml", TRANSPOSE_TASK)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, *names):
        with open(self.path(*names), encoding="utf-8") as file:
            return file.read()

    def command(self, *arguments):
        return [OPTIML, *arguments]

    def environment(self):
        return {**os.environ, "OPTIML_STORE": self.path("runs.db")}

    def start(self, *arguments, **options):
        return subprocess.Popen(self.command(*arguments), cwd=self.folder, env=self.environment(), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def run_program(self, *arguments, expect=0, **options):
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=300)
        if expect is not None:
            self.assertEqual(process.returncode, expect, f"{arguments}\n{out}\n{err}")
        return out, err

    def run_json(self, *arguments, expect=0, **options):
        return json.loads(self.run_program(*arguments, "--json", expect=expect, **options)[0])
