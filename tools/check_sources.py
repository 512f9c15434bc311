#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the C++ files in the tree with those that BUILD and CMake name.

Each .h, .cc and .def file stands once in BUILD and once in the CMakeLists.txt
of its folder, in the list of its kind. Prints each difference and exits 1.
Tested by tests/check_sources_test.py.
"""

import ast
import collections
import pathlib
import re
import sys

FOLDERS = ["hlo", "memory", "sim", "passes", "tools", "tests"]
SUFFIXES = (".h", ".cc", ".def")

# A word of a CMake list that ends the list of sources.
CMAKE_KEYWORDS = {"HEADERS", "SOURCES", "TESTS", "BENCHMARKS", "DEPENDS"}


def kind(file):
    """The list that `file` belongs to, as CMake calls it."""
    if file.endswith((".h", ".def")):
        return "HEADERS"
    if file.endswith("_test.cc"):
        return "TESTS"
    if file.endswith("_benchmark.cc"):
        return "BENCHMARKS"
    return "SOURCES"


def tree_files(root):
    """Paths of the C++ files in the tree, relative to the root."""
    files = []
    for folder in FOLDERS:
        for path in (root / folder).rglob("*"):
            name = path.relative_to(root).as_posix()
            # A project of its own, with its own CMakeLists.txt.
            if path.suffix in SUFFIXES and not name.startswith("tests/install/"):
                files.append(name)
    return files


def bazel_files(root):
    """Files that the root BUILD names; BUILD files read as Python."""
    tree = ast.parse((root / "BUILD").read_text(encoding="utf-8"))
    return [node.value for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
            and not node.value.startswith((":", "//", "@"))
            and node.value.endswith(SUFFIXES)]


def cmake_files(root, problems):
    """Files that the CMakeLists.txt of the folders name."""
    files = []
    for folder in FOLDERS:
        lists = root / folder / "CMakeLists.txt"
        if not lists.exists():
            continue
        text = re.sub(r"#.*", "", lists.read_text(encoding="utf-8"))
        section = None
        for word in re.findall(r"[^\s()]+|\)", text):
            if word == ")":
                section = None
            elif word in CMAKE_KEYWORDS:
                section = word
            elif word.endswith(SUFFIXES):
                files.append(f"{folder}/{word}")
                if section and section != kind(word):
                    problems.append(f"{folder}/CMakeLists.txt: {word} is under "
                                    f"{section}, belongs under {kind(word)}")
    return files


def differences(root):
    """All differences, one sentence each."""
    problems = []
    tree = set(tree_files(root))
    named = {"BUILD": bazel_files(root),
             "CMakeLists.txt": cmake_files(root, problems)}
    for place, files in named.items():
        problems += [f"{file}: not named in {place}"
                     for file in sorted(tree - set(files))]
        problems += [f"{file}: named in {place}, not in the tree"
                     for file in sorted(set(files) - tree)]
        problems += [f"{file}: named {count} times in {place}"
                     for file, count in sorted(collections.Counter(files).items())
                     if count > 1]
    return problems


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    problems = differences(root)
    print("\n".join(problems) or "BUILD and CMake name every source once")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
