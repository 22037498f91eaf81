#!/usr/bin/env python3
"""The arrow check itself must fail on a forbidden include: plants one in a copy and runs the check."""
import pathlib
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).with_name("include_arrows.py")


def run_on(source, name="src/ptx/planted.cpp"):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, name)
        file.parent.mkdir(parents=True)
        file.write_text(source)
        return subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True)


allowed = run_on('#include "base/result.h"\n#include <vector>\n')
assert allowed.returncode == 0, allowed.stdout
upward = run_on('#include "emulator/emulator.h"\n')
assert upward.returncode == 1 and "planted.cpp:1" in upward.stdout, upward.stdout
foreign = run_on("#include <clang/AST/AST.h>\n")
assert foreign.returncode == 1 and "only cuda_source" in foreign.stdout, foreign.stdout
public_upward = run_on('#include "optiml/evaluation.h"\n')
assert public_upward.returncode == 1 and "planted.cpp:1" in public_upward.stdout, public_upward.stdout
private = run_on('#include "base/hash.h"\n', "include/optiml/result.h")
assert private.returncode == 1 and "not installed" in private.stdout, private.stdout
