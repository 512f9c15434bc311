#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
"""docs/passes.md lists the passes and pipelines that `ferry-opt --list-passes` prints.

    passes_docs_test.py FERRY_OPT
"""
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent


def listed(ferry_opt):
    """What the driver prints: {pass: text}, {pipeline: passes}."""
    text = subprocess.run([ferry_opt, "--list-passes"], check=True,
                          capture_output=True, text=True).stdout
    passes, pipelines = text.split("pipelines:")
    return (dict(re.findall(r"^  (\S+) +(\S.*)$", passes, re.M)),
            dict(re.findall(r"^  (\S+) .*\n +=? *(\S+)$", pipelines, re.M)))


def documented():
    """What the page says, in the same form."""
    page = (ROOT / "docs/passes.md").read_text()
    rows = dict(re.findall(r"^\| `([^`]+)` \| (.+?) \|$", page, re.M))
    pipelines = {name: text.strip("`") for name, text in rows.items()
                 if text.startswith("`")}
    return ({name: text for name, text in rows.items()
             if name not in pipelines}, pipelines)


class PassesDocsTest(unittest.TestCase):
    ferry_opt = ""

    def test_the_page_says_what_the_driver_lists(self):
        self.assertEqual(documented(), listed(self.ferry_opt))


if __name__ == "__main__":
    PassesDocsTest.ferry_opt = sys.argv.pop(1)
    unittest.main()
