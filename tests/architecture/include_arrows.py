#!/usr/bin/env python3
"""Fails on an include that leaves the folder arrows of docs/architecture.md, and on a cycle between folders.

Usage: include_arrows.py PROJECT   Reads only include lines of src/ and include/.
"""
import pathlib
import re
import sys

# Folder -> folders it may include directly. A folder may also use whatever those may use.
ARROWS = {
    "base": [],
    "process": ["base"],
    "cuda_source": ["base"],
    "task": ["cuda_source"],
    "ptx": ["base"],
    "emulator": ["ptx"],
    "gpu": ["process"],
    "evaluation": ["task", "gpu", "emulator"],
    "workers": ["evaluation", "process"],
    "diagnosis": ["base"],
    "transforms": ["cuda_source", "task", "diagnosis"],
    "experts": ["transforms", "diagnosis"],
    "search": ["base"],
    "runs": ["base"],
    "report": ["runs", "diagnosis"],
    "optimizer": ["experts", "search", "evaluation", "workers", "runs", "report"],
    "cli": ["optimizer", "report"],
}
# Public headers (include/optiml) -> the folder whose definitions they hold; they count as headers of that folder.
PUBLIC = {
    "result.h": "base", "log.h": "base", "digest.h": "base", "sizes.h": "task", "diagnosis.h": "diagnosis", "evaluation.h": "evaluation",
    "summary.h": "report", "settings.h": "optimizer", "optimize.h": "optimizer", "one_evaluation.h": "optimizer", "stream.h": "optimizer",
    "optiml.h": "cli",
}
# Outside headers that only one folder may see.
ONLY_IN = {"clang/": "cuda_source", "llvm/": "cuda_source", "isl/": "cuda_source", "cuda.h": "gpu", "nvrtc.h": "gpu", "cupti": "gpu",
           "sqlite3.h": "runs", "CLI/": "cli"}


def reachable(folder):
    seen, todo = set(), [folder]
    while todo:
        current = todo.pop()
        if current not in seen:
            seen.add(current)
            todo.extend(ARROWS[current])
    return seen


def folder_of(path, project):
    """None: a file that nothing is known of."""
    parts = path.relative_to(project).parts
    folder = PUBLIC.get(path.name) if parts[0] == "include" else parts[1]
    return folder if folder in ARROWS else None


def folder_of_target(target):
    first, *rest = target.split("/")
    return PUBLIC.get(rest[0]) if first == "optiml" and rest else first


def violations(project):
    for path in sorted([*(project / "src").rglob("*"), *(project / "include").rglob("*")]):
        if path.suffix not in (".h", ".cpp"):
            continue
        folder = folder_of(path, project)
        if folder is None:
            yield f"{path}: has no arrows; add its folder to tests/architecture/include_arrows.py and docs/architecture.md"
            continue
        allowed = reachable(folder)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', line)
            if not found:
                continue
            target = found[2]
            first = folder_of_target(target)
            if found[1] == '"' and first in ARROWS and first not in allowed:
                yield f"{path}:{number}: {folder} may not include {target} (allowed: {', '.join(sorted(allowed))})"
            if path.is_relative_to(project / "include") and found[1] == '"' and not target.startswith("optiml/"):
                yield f"{path}:{number}: a public header may not include {target}, which is not installed"
            for prefix, owner in ONLY_IN.items():
                if target.startswith(prefix) and folder != owner:
                    yield f"{path}:{number}: only {owner} may include {target}"


def main():
    project = pathlib.Path(sys.argv[1])
    for folder in ARROWS:  # a cycle would make reachable() of two folders contain each other
        for other in reachable(folder) - {folder}:
            if folder in reachable(other):
                sys.exit(f"cycle between {folder} and {other}")
    found = list(violations(project))
    print("\n".join(found) or "all includes follow the arrows")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
