#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
"""Includes point one way: hlo <- memory <- sim <- passes <- tools.

Reads every #include of every C++ file in these folders and in tests/, and
reports one that points upward, into tests/, or at a library that its folder
X"""

import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Each folder may include itself and those before it; tests/ may include all.
FOLDERS = ["hlo", "memory", "sim", "passes", "tools", "tests"]

# Libraries that any file may include.
EVERYWHERE = ("absl/", "llvm/ADT/", "llvm/Config/", "llvm/Support/")

# Libraries of one folder: in all of its files, or in its .cc files only.
FOLDER_LIBRARIES = {"tools": ("CLI/", "spdlog/")}
FOLDER_SOURCE_LIBRARIES = {
    "hlo": ("google/protobuf/", "zlib.h", "zstd.h"),
    "memory": ("boost/",),
    "sim": ("Eigen/", "zlib.h"),
    "passes": ("boost/", "coin/"),
    "tools": ("zlib.h", "zstd.h"),
}
TEST_LIBRARIES = ("gtest/", "gmock/", "benchmark/")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
STANDARD = re.compile(r"[a-z0-9_]+|(assert|stdbool|stddef|stdint)\.h")
SYSTEM = re.compile(r"((sys|arpa|netinet)/)?[a-z0-9_]+\.h")


def objection(path, quote, target):
    """Why `path`, relative to the root, may not include `target`, or None."""
    folder = path.parts[0]
    is_source = path.suffix == ".cc"
    is_test = folder == "tests" or path.stem.endswith(("_test", "_benchmark"))
    if quote == '"' and target.startswith("ferry/"):
        into = target.split("/")[1]
        if into not in FOLDERS:
            return f"`{into}` is not a folder of the library"
        if into == "tests" and folder != "tests":
            return "nothing includes tests"
        if FOLDERS.index(into) > FOLDERS.index(folder):
            return f"{into} stands above {folder}"
        return None
    if target.startswith(EVERYWHERE + FOLDER_LIBRARIES.get(folder, ())):
        return None
    if target.startswith(TEST_LIBRARIES):
        return None if is_test else "only tests and benchmarks include it"
    if target.startswith(FOLDER_SOURCE_LIBRARIES.get(folder, ())):
        return None if is_source else "only .cc files include it"
    if quote == "<" and STANDARD.fullmatch(target):
        return None
    if target.startswith(sum(FOLDER_SOURCE_LIBRARIES.values(), ())):
        return f"{folder} does not stand on it"
    if quote == "<" and SYSTEM.fullmatch(target):
        return None if is_source else "only .cc files include system headers"
    if quote == '"' and "/" not in target:
        return f'write "ferry/{folder}/{target}"'
    return f"{folder} does not stand on it"


def objections(root):
    """All of them, as `file:line: "target": why`, in order of file and line."""
    found = []
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".h", ".cc", ".def"):
                continue
            path = file.relative_to(root)
            # A project of its own, which sees only what is installed.
            if path.parts[:2] == ("tests", "install"):
                continue
            text = file.read_text(encoding="utf-8")
            for match in INCLUDE.finditer(text):
                why = objection(path, *match.groups())
                if why:
                    line = text.count("\n", 0, match.start(1)) + 1
                    found.append(f'{path}:{line}: "{match[2]}": {why}')
    return found


def reached_libraries(root, header, library):
    """Includes of `library` in what `header` reaches, as `file: "target"`."""
    found = []
    todo = [header]
    seen = {header}
    while todo:
        path = todo.pop()
        text = (root / path).read_text(encoding="utf-8")
        for _, target in INCLUDE.findall(text):
            if target.startswith(library):
                found.append(f'{path}: "{target}"')
            inner = target.removeprefix("ferry/")
            if inner != target and inner not in seen:
                seen.add(inner)
                todo.append(inner)
    return sorted(found)


class IncludeArrowsTest(unittest.TestCase):

    def test_the_tree_has_no_upward_include(self):
        self.assertEqual([], objections(ROOT))

    def test_embedders_see_no_llvm(self):
        self.assertEqual([], reached_libraries(ROOT, "passes/ferry.h", "llvm/"))

    def test_what_is_reached_through_another_header_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, target in (("passes/ferry.h", "ferry/hlo/a.h"),
                                 ("hlo/a.h", "ferry/hlo/b.h"),
                                 ("hlo/b.h", "llvm/ADT/StringMap.h"),
                                 ("hlo/unreached.h", "llvm/ADT/DenseMap.h")):
                (root / path).parent.mkdir(exist_ok=True)
                (root / path).write_text(f'#include "{target}"\n')
            self.assertEqual(
                ['hlo/b.h: "llvm/ADT/StringMap.h"'],
                reached_libraries(root, "passes/ferry.h", "llvm/"))

    def expect(self, path, include, why):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True)
            file.write_text(f"// A comment.\n#include {include}\n")
            found = objections(pathlib.Path(folder))
        if why is None:
            self.assertEqual([], found)
        else:
            self.assertEqual([f'{path}:2: "{include[1:-1]}": {why}'], found)

    def test_downward_and_sideways_are_fine(self):
        self.expect("passes/a.h", '"ferry/hlo/shape.h"', None)
        self.expect("hlo/a.cc", '"ferry/hlo/shape.h"', None)
        self.expect("tests/a.cc", '"ferry/tools/check_command.h"', None)

    def test_upward_is_found(self):
        self.expect("hlo/a.cc", '"ferry/passes/b.h"', "passes stands above hlo")
        self.expect("sim/a.h", '"ferry/tools/b.h"', "tools stands above sim")
        self.expect("hlo/a.def", '"ferry/sim/b.h"', "sim stands above hlo")

    def test_nothing_includes_tests(self):
        self.expect("tools/a.cc", '"ferry/tests/b.h"', "nothing includes tests")

    def test_includes_carry_the_project_name(self):
        self.expect("hlo/a.cc", '"shape.h"', 'write "ferry/hlo/shape.h"')

    def test_libraries_stay_in_their_folder(self):
        self.expect("hlo/a.h", "<vector>", None)
        self.expect("hlo/a.h", '"llvm/ADT/SmallVector.h"', None)
        self.expect("hlo/a.h", '"llvm/IR/Module.h"', "hlo does not stand on it")
        self.expect("tools/a.cc", '"CLI/CLI.hpp"', None)
        self.expect("hlo/a.cc", '"spdlog/spdlog.h"', "hlo does not stand on it")
        self.expect("passes/a.cc", "<CLI/CLI.hpp>",
                    "passes does not stand on it")

    def test_some_libraries_stay_out_of_headers(self):
        self.expect("hlo/a.cc", "<zlib.h>", None)
        self.expect("hlo/a.h", "<zlib.h>", "only .cc files include it")
        self.expect("hlo/a.cc", "<unistd.h>", None)
        self.expect("hlo/a.h", "<unistd.h>",
                    "only .cc files include system headers")
        self.expect("passes/a.cc", "<zlib.h>", "passes does not stand on it")

    def test_test_libraries_stay_in_tests(self):
        self.expect("hlo/a_test.cc", '"gtest/gtest.h"', None)
        self.expect("hlo/a.cc", '"gtest/gtest.h"',
                    "only tests and benchmarks include it")


if __name__ == "__main__":
    unittest.main()
