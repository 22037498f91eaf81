"""The installed library as another project uses it: headers that stand alone, find_package, and a program that runs."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BUILD, SOURCE, COMPILER = os.environ["OPTIML_BUILD"], pathlib.Path(os.environ["OPTIML_SOURCE"]), os.environ["OPTIML_COMPILER"]


class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        cls.prefix = cls.folder / "prefix"
        cls.run_command("cmake", "--install", BUILD, "--prefix", cls.prefix, "--strip")

    @classmethod
    def run_command(cls, *command):
        done = subprocess.run([str(part) for part in command], cwd=cls.folder, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise AssertionError(f"{command}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def test_each_installed_header_compiles_alone(self):
        headers = sorted((self.prefix / "include/optiml").glob("*.h"))
        self.assertGreater(len(headers), 5)
        self.run_command(COMPILER, "-std=c++20", "-fsyntax-only", "-Wall", "-Werror", "-I", self.prefix / "include",
                         *[self.alone(header) for header in headers])

    def alone(self, header):
        file = self.folder / f"{header.stem}_alone.cpp"
        file.write_text(f'#include "optiml/{header.name}"\n', encoding="utf-8")
        return file

    def test_the_example_is_built_against_the_package_and_finds_a_faster_kernel(self):
        self.run_command("cmake", "-G", "Ninja", "-S", SOURCE / "examples/library", "-B", "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                         f"-DCMAKE_CXX_COMPILER={COMPILER}")
        self.run_command("cmake", "--build", "build")
        out = self.run_command("build/faster", SOURCE / "examples/suite/transpose.cu", "8", "faster")
        self.assertGreater(float(re.search(r"^(\S+) times as fast", out, re.MULTILINE)[1]), 1.0, out)
        self.assertIn("accepted (passed L2)", out)
        self.assertTrue((self.folder / "faster/transpose.cu").exists())

    def test_the_installed_program_runs(self):
        self.assertRegex(self.run_command(self.prefix / "bin/optiml", "--version"), r"^optiml \d+\.\d+\.\d+")


if __name__ == "__main__":
    unittest.main()
