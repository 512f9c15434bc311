#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
"""What the pages say of commands is so: README.md and docs/**/*.md.

    docs_console_test.py FERRY

A block marked `console` is a session. Its lines that begin with `$ ` are run,
in a folder where build/bin/ holds the programs and all else is the project's;
what stands below must be what they print. `...` stands for the rest of a line,
a line of it for any number of lines:

    $ build/bin/ferry explain E1200
    E1200 OffloadOutputLocationMismatch: ...
    ...

Commands indented in the text that begin with build/bin/ must run too; they may
find errors in the module (exit code 1).
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
COMMAND = re.compile(r"^    (build/bin/.*?)(?: +#.*)?$", re.M)
FOUND_NOTHING_OR_ERRORS = (0, 1)


def pages():
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def sessions(text):
    """(command, what it should print) of each console block."""
    for block in BLOCK.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def pattern(output):
    """A regular expression of what `output`, as a page shows it, stands for."""
    pieces = []
    for line in output.splitlines():
        if line.strip() == "...":
            pieces.append(r"(?:.*\n)*?")
        else:
            rest = ".*" if line.endswith("...") else ""
            pieces.append(re.escape(line.removesuffix("...")) + rest + "\n")
    return "".join(pieces)


class DocsConsoleTest(unittest.TestCase):
    ferry = ""

    def run_command(self, command):
        """(exit code, what it prints) where the pages say that one stands."""
        with tempfile.TemporaryDirectory() as folder:
            here = pathlib.Path(folder)
            for entry in ROOT.iterdir():
                if entry.name not in ("build", ".git"):
                    (here / entry.name).symlink_to(entry)
            (here / "build").mkdir()
            (here / "build/bin").symlink_to(pathlib.Path(self.ferry).parent)
            run = subprocess.run(["bash", "-c", command], cwd=here, text=True,
                                 stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, timeout=60,
                                 env={**os.environ, "TPU_LOG_DIR": "disabled"})
            return run.returncode, run.stdout

    def test_sessions_print_what_the_pages_show(self):
        for page in pages():
            for command, output in sessions(page.read_text(encoding="utf-8")):
                with self.subTest(page=page.name, command=command):
                    _, printed = self.run_command(command)
                    if not re.fullmatch(pattern(output), printed):
                        self.fail(f"shown:\n{output}\nprinted:\n{printed}")

    def test_commands_run(self):
        for page in pages():
            text = page.read_text(encoding="utf-8")
            for command in COMMAND.findall(text):
                with self.subTest(page=page.name, command=command):
                    code, printed = self.run_command(command)
                    self.assertIn(code, FOUND_NOTHING_OR_ERRORS, printed)

    def test_dots_stand_for_what_is_left_out(self):
        for shown, printed, matches in [
                ("a\n...\nd\n", "a\nb\nc\nd\n", True),
                ("a\n  ...\nd\n", "a\nd\n", True),
                ("a b...\n", "a bc\n", True),
                ("a\n", "a\nb\n", False),
                ("a.c\n", "abc\n", False)]:
            with self.subTest(shown=shown):
                self.assertEqual(
                    bool(re.fullmatch(pattern(shown), printed)), matches)


if __name__ == "__main__":
    DocsConsoleTest.ferry = os.path.abspath(sys.argv.pop(1))
    unittest.main()
