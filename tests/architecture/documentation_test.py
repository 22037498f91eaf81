#!/usr/bin/env python3
"""The documentation names only what there is: files, links, and the program's commands and options.

Usage: documentation_test.py PROJECT OPTIML
"""
import functools
import pathlib
import re
import subprocess
import sys

PROJECT, OPTIML = pathlib.Path(sys.argv[1]), sys.argv[2]
FOLDERS = ("src", "tests", "tools", "benchmarks", "docs", "examples", "cmake", "devices", "include")


@functools.cache
def help_text(*command):
    return subprocess.run([OPTIML, *command, "--help"], capture_output=True, text=True, timeout=60, check=True).stdout


@functools.cache
def commands():
    return set(re.findall(r"^  (\w+) ", help_text().split("Subcommands:")[1], re.MULTILINE))


def missing_links(page, text):
    for link in re.findall(r"\]\(([^)#\s]+)\)", text):
        if "://" not in link and not (page.parent / link).exists():
            yield f"links to {link}"


def missing_files(code):
    for path in re.findall(r"(?<![\w./*-])((?:%s)/[\w./-]*[\w/])" % "|".join(FOLDERS), code):
        if not (PROJECT / path).exists() and not list(PROJECT.glob(f"{path}.*")):
            yield f"names {path}"


def wrong_commands(code):
    for line in re.findall(r"(?:^|[ /`])optiml ([a-z].*)", code, re.MULTILINE):
        command = line.split()[0]
        if command not in commands():
            yield f"names the command {command}"
            continue
        for option in re.findall(r"(?<=\s)--[a-z-]+", re.split(r"[|;&]", line)[0]):
            if option not in help_text(command):
                yield f"names {command} {option}"


def complaints(page):
    text = page.read_text(encoding="utf-8")
    yield from missing_links(page, text)
    for code in re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL):
        yield from missing_files(code)
        yield from wrong_commands(code.strip("`"))


def main():
    pages = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *sorted((PROJECT / "docs").rglob("*.md"))]
    found = [f"{page.relative_to(PROJECT)}: {complaint}, which does not exist" for page in pages for complaint in complaints(page)]
    print("\n".join(found) or f"{len(pages)} pages name only what there is")
    sys.exit(1 if found or not commands() else 0)


if __name__ == "__main__":
    main()
