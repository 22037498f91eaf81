#!/usr/bin/env python3
"""clang-tidy over src/, or over the folders of it that are named: tools/check_style.py ptx task

Most of its time goes into the headers of others, so sources of a folder are checked several as one. A source that cannot be compiled
together with those before it (each has a helper of the same name) is checked in a later round.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
TOGETHER = 40  # sources; more make one process slow while the other cores are idle


def cuda_headers():
    for cache in sorted((PROJECT / "build").glob("*/CMakeCache.txt")):
        found = re.search(r"^OPTIML_CUDA_INCLUDE:PATH=(.+)$", cache.read_text(), re.MULTILINE)
        if found:
            return found[1]
    return "/usr/local/cuda/include"


def flags():
    llvm = subprocess.run(["llvm-config-19", "--includedir"], capture_output=True, text=True, check=True).stdout.strip()
    return ["-xc++", "-std=c++20", "-w", f"-I{PROJECT}/src", f"-I{PROJECT}/include", "-isystem", llvm, "-isystem", cuda_headers(),
            "-DFMT_SHARED", "-DOPTIML_LEVEL=baseline"]


def write_unit(file, sources):
    file.write_text("".join(f'#include "{source}"\n' for source in sources))
    return file


def clashing(unit, sources):
    """Of the sources, those that do not compile after the others."""
    done = subprocess.run(["clang++-19", "-fsyntax-only", "-ferror-limit=0", *flags(), unit], capture_output=True, text=True)
    named = set(re.findall(r"^(\S+?):\d+:\d+: (?:fatal )?error:", done.stderr, re.MULTILINE))
    rest = [source for source in sources if source in named]
    if done.returncode != 0 and len(rest) in (0, len(sources)):
        sys.exit(done.stderr)
    return rest


def check(name, sources, work):
    """Checks as many of the sources as go together; the value is the rest, and what was found."""
    unit = write_unit(work / f"{name}.cpp", sources)
    rest = clashing(unit, sources)
    write_unit(unit, [source for source in sources if source not in rest])
    done = subprocess.run(["clang-tidy-19", "--quiet", f"--config-file={PROJECT}/.clang-tidy", unit, "--", *flags()],
                          capture_output=True, text=True)
    return rest, done.stdout or done.stderr if done.returncode != 0 else ""


def check_folder(folder, number, sources, work):
    report = ""
    while sources:
        sources, found = check(f"{folder}.{number}", sources, work)
        report += found
    return report


def main():
    present = sorted(os.listdir(PROJECT / "src"))
    folders = sys.argv[1:] or present
    if not set(folders) <= set(present):
        sys.exit(f"src/ has only {', '.join(present)}")
    reports = []
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for folder in folders:
            sources = sorted(str(path) for path in (PROJECT / "src" / folder).rglob("*.cpp") if not path.name.endswith("_test.cpp"))
            for first in range(0, len(sources), TOGETHER):
                reports.append(pool.submit(check_folder, folder, first, sources[first:first + TOGETHER], pathlib.Path(work)))
    found = "".join(report.result() for report in reports)
    print(found or f"clang-tidy: nothing found in {', '.join(folders)}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
