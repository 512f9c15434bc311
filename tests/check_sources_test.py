#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
"""tools/check_sources.py finds what BUILD or CMake forgot, on small trees."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import check_sources  # pylint: disable=wrong-import-position

BUILD = """
cc_library(name = "shape", srcs = ["hlo/shape.cc"], hdrs = ["hlo/shape.h"],
           deps = ["//bazel:absl"])
cc_test(name = "shape_test", srcs = ["hlo/shape_test.cc"], deps = [":shape"])
"""
CMAKE = """
# A comment may speak of other.cc.
ferry_library(hlo
  HEADERS shape.h
  SOURCES shape.cc
  TESTS shape_test.cc
  DEPENDS absl::status)
"""
TREE = {
    "hlo/shape.h": '#include "absl/types/span.h"',
    "hlo/shape.cc": '#include "ferry/hlo/shape.h"',
    "hlo/shape_test.cc": '#include "ferry/hlo/shape.h"',
}


class CheckSourcesTest(unittest.TestCase):

    def differences(self, build=BUILD, cmake=CMAKE, tree=None):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "hlo").mkdir()
            (root / "BUILD").write_text(build)
            (root / "hlo" / "CMakeLists.txt").write_text(cmake)
            for file, text in (tree or TREE).items():
                (root / file).write_text(text)
            return check_sources.differences(root)

    def test_says_nothing_when_all_agree(self):
        self.assertEqual([], self.differences())

    def test_finds_a_file_that_nobody_names(self):
        self.assertEqual(["hlo/a.cc: not named in BUILD",
                          "hlo/a.cc: not named in CMakeLists.txt"],
                         self.differences(tree={**TREE, "hlo/a.cc": ""}))

    def test_finds_a_named_file_that_is_gone(self):
        self.assertEqual(["hlo/gone.cc: named in CMakeLists.txt, not in the tree"],
                         self.differences(cmake=CMAKE.replace(
                             "shape.cc", "shape.cc gone.cc")))

    def test_finds_a_file_that_only_one_build_knows(self):
        self.assertEqual(["hlo/shape.cc: not named in BUILD"],
                         self.differences(build=BUILD.replace(
                             '"hlo/shape.cc"', "")))

    def test_finds_a_file_named_twice(self):
        self.assertEqual(["hlo/shape.cc: named 2 times in BUILD"],
                         self.differences(build=BUILD.replace(
                             '"hlo/shape_test.cc"',
                             '"hlo/shape_test.cc", "hlo/shape.cc"')))

    def test_finds_deps_that_are_not_the_includes(self):
        self.assertEqual(["BUILD: shape lacks //bazel:absl in deps",
                          "BUILD: shape has @llvm//:support in deps, "
                          "includes nothing of it"],
                         self.differences(build=BUILD.replace(
                             "//bazel:absl", "@llvm//:support")))
        self.assertEqual(["BUILD: shape_test lacks :shape in deps"],
                         self.differences(build=BUILD.replace(
                             '":shape"', "")))

    def test_finds_a_test_among_the_sources(self):
        self.assertEqual(["hlo/CMakeLists.txt: shape_test.cc is under SOURCES, "
                          "belongs under TESTS"],
                         self.differences(cmake=CMAKE.replace("TESTS", "")))


if __name__ == "__main__":
    unittest.main()
