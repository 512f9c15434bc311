#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the C++ files in the tree with what BUILD and CMake say of them.

Each .h, .cc and .def file stands once in BUILD and once in the CMakeLists.txt
of its folder, in the list of its kind. The deps of each target in BUILD are
those that its files include. Prints each difference and exits 1.
Tested by tests/check_sources_test.py.
"""

import ast
import collections
import pathlib
import re
import sys

FOLDERS = ["hlo", "memory", "sim", "passes", "tools", "tests"]
SUFFIXES = (".h", ".cc", ".def")
# Made while building.
GENERATED = (".pb.h", ".pb.cc")

# Targets that give the headers of other libraries.
LIBRARIES = {
    "absl": "//bazel:absl",
    "benchmark": "//bazel:benchmark_main",
    "CLI": "//bazel:cli11",
    "google": "//bazel:protobuf",
    "gmock": "//bazel:gtest_main",
    "gtest": "//bazel:gtest_main",
    "llvm": "@llvm//:support",
    "spdlog": "//bazel:spdlog",
    "zlib.h": "//bazel:zlib",
    "zstd.h": "//bazel:zstd",
}

# Each begins a list in CMake.
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


def bazel_targets(root):
    """(name, files, deps) of the C++ targets in BUILD, which reads as Python."""
    targets = []
    tree = ast.parse((root / "BUILD").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.func.id.startswith("cc_"):
            rule = {keyword.arg: ast.literal_eval(keyword.value)
                    for keyword in node.keywords}
            targets.append((rule["name"],
                            rule.get("hdrs", []) + rule.get("srcs", []),
                            rule.get("deps", [])))
    return targets


def included_targets(root, files, owners):
    """Labels of the targets whose headers `files` include."""
    labels = set()
    for file in files:
        text = (root / file).read_text(encoding="utf-8")
        for path in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)', text, re.M):
            library, _, rest = path.partition("/")
            if library == "ferry" and rest in owners:
                labels.add(":" + owners[rest])
            elif library in LIBRARIES:
                labels.add(LIBRARIES[library])
    return labels


def dependency_problems(root, targets):
    """Targets whose deps are not what their files include."""
    owners = {file: name for name, files, _ in targets for file in files}
    problems = []
    for name, files, deps in targets:
        files = [file for file in files if (root / file).exists()]
        wanted = included_targets(root, files, owners) - {":" + name}
        problems += [f"BUILD: {name} lacks {label} in deps"
                     for label in sorted(wanted - set(deps))]
        problems += [f"BUILD: {name} has {label} in deps, includes nothing of it"
                     for label in sorted(set(deps) - wanted)]
    return problems


def cmake_files(root, problems):
    """Files that the CMakeLists.txt of the folders name."""
    files = []
    lists_of = [lists for folder in FOLDERS
                for lists in sorted((root / folder).rglob("CMakeLists.txt"))]
    for lists in lists_of:
        folder = lists.parent.relative_to(root).as_posix()
        # A project of its own.
        if folder == "tests/install":
            continue
        text = re.sub(r"#.*", "", lists.read_text(encoding="utf-8"))
        section = None
        for word in re.findall(r"[^\s()]+|\)", text):
            if word == ")":
                section = None
            elif word in CMAKE_KEYWORDS:
                section = word
            elif word.endswith(SUFFIXES) and "$" not in word:
                files.append(f"{folder}/{word}")
                if section and section != kind(word):
                    problems.append(f"{folder}/CMakeLists.txt: {word} is under "
                                    f"{section}, belongs under {kind(word)}")
    return files


def differences(root):
    """All differences, one sentence each."""
    problems = []
    tree = set(tree_files(root))
    targets = bazel_targets(root)
    named = {"BUILD": [file for _, files, _ in targets for file in files
                       if file.endswith(SUFFIXES) and
                       not file.endswith(GENERATED)],
             "CMakeLists.txt": cmake_files(root, problems)}
    for place, files in named.items():
        problems += [f"{file}: not named in {place}"
                     for file in sorted(tree - set(files))]
        problems += [f"{file}: named in {place}, not in the tree"
                     for file in sorted(set(files) - tree)]
        problems += [f"{file}: named {count} times in {place}"
                     for file, count in sorted(collections.Counter(files).items())
                     if count > 1]
    return problems + dependency_problems(root, targets)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    problems = differences(root)
    print("\n".join(problems) or "BUILD and CMake agree with the tree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
