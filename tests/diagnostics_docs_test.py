#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
"""Every diagnostic has a section in docs/diagnostics.md and a golden file.

    diagnostics_docs_test.py FERRY

Reads hlo/diagnostics.def. A section is `### CODE Name` with sample, cause and
fix; a code with a page docs/errors/CODE.md may refer to that. A golden file is
a file under tests/ that names the code in a comment: `// CHECK: ... F4005`,
`// expected-error {{F4005}}`, `// expect-code: E1200`.

A sample that is a whole module, or a link to one, must give its code under
`ferry check`, with the flags of the command that stands below it, if one does,
or of "**Sample**, with `--flag`".
"""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "diagnostics.md"
GOLDEN_SUFFIXES = (".hlo", ".test")

# Codes that no input can provoke, each with the reason.
WITHOUT_GOLDEN_FILE = {
    "F1106": "text cannot recurse: definitions stand above their uses",
    "F1108": "the reader demands the order that it checks",
}

ROW = re.compile(r"^FERRY_DIAGNOSTIC\((\w+),\s*(\w+),", re.M)
HEADING = re.compile(r"^### (\S+) (\S+)$", re.M)
LINK = re.compile(r"\]\(([^)\s]+)\)")
MODULE = re.compile(r"^```\n(HloModule .*?^ENTRY .*?)^```$", re.M | re.S)
COMMAND_FLAGS = re.compile(r"^    build/bin/ferry check \S+ (--.*)$"
                           r"|^\*\*Sample\*\*, with `(--[^`]*)`", re.M)
FOUND_CODE = re.compile(r": (?:error|warning|note): ([EF]\d{4}): ")


def table():
    """The rows of diagnostics.def as (code, name), in order."""
    text = (ROOT / "hlo" / "diagnostics.def").read_text(encoding="utf-8")
    return ROW.findall(text)


def sections(text):
    """(code, name, body) of each section of the page, in order."""
    found = list(HEADING.finditer(text))
    ends = [m.start() for m in re.finditer(r"^##", text, re.M)] + [len(text)]
    return [(m[1], m[2], text[m.end():min(e for e in ends if e > m.start())])
            for m in found]


def golden_codes():
    """Codes that a comment of some golden file names."""
    codes = set()
    for path in (ROOT / "tests").rglob("*"):
        if path.suffix in GOLDEN_SUFFIXES:
            for line in path.read_text(encoding="utf-8",
                                       errors="replace").splitlines():
                comment = re.search(r"(//|#) (.*)", line)
                if comment:
                    codes.update(re.findall(r"\b[EF]\d{4}\b", comment[2]))
    return codes


def module_sample(body):
    """The module that a section's sample is or links to, or None."""
    inline = MODULE.search(body)
    if inline:
        return inline[1]
    for target in LINK.findall(body):
        if target.endswith(".hlo"):
            return (PAGE.parent / target).read_text(encoding="utf-8")
    return None


class DiagnosticsDocsTest(unittest.TestCase):
    ferry = ""

    def found_codes(self, module, flags):
        """The codes that `ferry check` finds in `module`."""
        run = subprocess.run([self.ferry, "check", "-", *flags], input=module,
                             capture_output=True, text=True, timeout=60)
        return FOUND_CODE.findall(run.stdout + run.stderr)

    def test_page_has_the_codes_of_the_table_in_its_order(self):
        page = PAGE.read_text(encoding="utf-8")
        self.assertEqual([(code, name) for code, name, _ in sections(page)],
                         table())

    def test_each_section_has_sample_cause_and_fix(self):
        for code, _, body in sections(PAGE.read_text(encoding="utf-8")):
            own_page = ROOT / "docs" / "errors" / f"{code}.md"
            if own_page.exists():
                body = own_page.read_text(encoding="utf-8")
            for part in ("Sample", "Cause", "Fix"):
                with self.subTest(code=code, part=part):
                    self.assertIn(part, body)

    def test_samples_that_are_modules_give_their_code(self):
        for code, _, body in sections(PAGE.read_text(encoding="utf-8")):
            module = module_sample(body)
            flags = COMMAND_FLAGS.search(body)
            if module:
                with self.subTest(code=code):
                    self.assertIn(code, self.found_codes(
                        module, (flags[1] or flags[2]).split()
                        if flags else []))

    def test_files_that_the_pages_link_to_exist(self):
        for page in [PAGE, *(ROOT / "docs" / "errors").glob("*.md")]:
            for target in LINK.findall(page.read_text(encoding="utf-8")):
                if "://" not in target:
                    with self.subTest(page=page.name, target=target):
                        file = page.parent / target.split("#")[0]
                        self.assertTrue(file.exists())

    def test_a_heading_inside_the_page_ends_a_section(self):
        self.assertEqual(sections("### F1 A\nx\n## Part\n### F2 B\ny\n"),
                         [("F1", "A", "\nx\n"), ("F2", "B", "\ny\n")])

    def test_each_code_has_a_golden_file(self):
        covered = golden_codes() | set(WITHOUT_GOLDEN_FILE)
        missing = [code for code, _ in table() if code not in covered]
        self.assertEqual(missing, [], "codes without a golden file")

    def test_exceptions_are_codes(self):
        self.assertLessEqual(set(WITHOUT_GOLDEN_FILE),
                             {code for code, _ in table()})

    def test_exceptions_have_no_golden_file(self):
        self.assertEqual(set(WITHOUT_GOLDEN_FILE) & golden_codes(), set())


if __name__ == "__main__":
    DiagnosticsDocsTest.ferry = sys.argv.pop(1)
    unittest.main()
