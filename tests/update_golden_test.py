#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
"""tools/update_golden.py on small files, with shell scripts for tools.

What it writes is also given to FileCheck, where there is one.
"""

import glob
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import update_golden  # pylint: disable=wrong-import-position

FILE_CHECK = (sorted(glob.glob("/usr/lib/llvm-*/bin/FileCheck")) or [None])[-1]

TWO_CASES = f"""{update_golden.NOTE}
// RUN: ferry-opt %s --split-input-file | FileCheck %s
// The copy starts early.
HloModule one
// CHECK-LABEL: ENTRY %stale
ENTRY main {{
  w = f32[4] parameter(0)
  ROOT z = f32[4] negate(w), replica_groups={{{{0,1}}}}
}}

// -----
// Nothing to do.
HloModule two
ENTRY main {{
  ROOT w = f32[4] parameter(0)
}}
"""

FERRY_OPT = """cat <<'END'
HloModule one, is_scheduled=true

%body.1 (p: f32[4]) -> f32[4] {
  ROOT %p.1 = f32[4]{0} parameter(0)
}

ENTRY %main (w: f32[4]) -> f32[4] {
  %w = f32[4]{0} parameter(0)
  %copy-start = (f32[4]{0}, u32[]) copy-start(%w)
  %copy-done.1 = f32[4]{0} copy-done(%copy-start), to=%body.1
  ROOT %z = f32[4]{0} negate(%copy-done.1), replica_groups={{0,1}}
}

// -----
HloModule two

ENTRY %main (w: f32[4]) -> f32[4] {
  ROOT %w = f32[4]{0} parameter(0)
}
END
"""

TWO_CASES_CHECKED = f"""{update_golden.NOTE}
// RUN: ferry-opt %s --split-input-file | FileCheck %s
// The copy starts early.
HloModule one
// CHECK-LABEL: HloModule one
// CHECK-SAME:  , is_scheduled=true
// CHECK:       %[[BODY_1:[^ ]+]]
// CHECK-NEXT:  ROOT %[[P_1:[^ ]+]] = f32[4]{{0}} parameter(0)
// CHECK-LABEL: ENTRY %main
// CHECK-NEXT:  %w = f32[4]{{0}} parameter(0)
// CHECK-NEXT:  %[[COPY_START:[^ ]+]] = (f32[4]{{0}}, u32[]) copy-start(%w)
// CHECK-NEXT:  %[[COPY_DONE_1:[^ ]+]] = f32[4]{{0}} copy-done(%[[COPY_START]]), to=%[[BODY_1]]
// CHECK-NEXT:  ROOT %z = f32[4]{{0}} negate(%[[COPY_DONE_1]]), replica_groups={{{{\\{{\\{{}}}}0,1}}}}
ENTRY main {{
  w = f32[4] parameter(0)
  ROOT z = f32[4] negate(w), replica_groups={{{{0,1}}}}
}}

// -----
// Nothing to do.
HloModule two
// CHECK-LABEL: HloModule two
// CHECK-LABEL: ENTRY %main
// CHECK-NEXT:  ROOT %w = f32[4]{{0}} parameter(0)
ENTRY main {{
  ROOT w = f32[4] parameter(0)
}}
"""

DIAGNOSTIC = f"""{update_golden.NOTE}
// RUN: not ferry check %s 2>&1 | FileCheck %s
HloModule bad
ENTRY main {{
  ROOT w = f32[4] parameter(0)
}}
"""

# Names the line that holds ROOT, wherever the checks have pushed it.
FERRY = """
line=$(grep -n 'ROOT w' "$2" | grep -v CHECK | head -1 | cut -d: -f1)
echo "$2:$line:3: error: E1200: it is wrong"
echo " $line | ROOT"
echo "  1. w  parameter  f32[4]{0}  main:$line"
echo
echo "$2: 1 error" >&2
exit 1
"""

DIAGNOSTIC_CHECKED = f"""{update_golden.NOTE}
// RUN: not ferry check %s 2>&1 | FileCheck %s
HloModule bad
// CHECK:       {{{{.*}}}}:[[#@LINE+6]]:3: error: E1200: it is wrong
// CHECK-NEXT:   [[#@LINE+5]] | ROOT
// CHECK-NEXT:    1. w  parameter  f32[4]{{0}}  main:[[#@LINE+4]]
// CHECK-EMPTY:
// CHECK-NEXT:  {{{{.*}}}}golden.hlo: 1 error
ENTRY main {{
  ROOT w = f32[4] parameter(0)
}}
"""


class UpdateGoldenTest(unittest.TestCase):

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name).resolve()
        self.golden = self.folder / "golden.hlo"

    def tool(self, name, script):
        path = self.folder / name
        path.write_text("#!/bin/bash\n" + script)
        path.chmod(0o755)

    def check_update(self, before, after):
        self.golden.write_text(before)
        self.assertTrue(update_golden.update(self.golden, self.folder))
        self.assertEqual(after, self.golden.read_text())
        self.assertFalse(update_golden.update(self.golden, self.folder))
        self.assertEqual(after, self.golden.read_text())
        if FILE_CHECK:
            for command, prefix in update_golden.runs(after.split("\n")):
                output = update_golden.run(command, self.golden, self.folder)
                subprocess.run([FILE_CHECK, self.golden,
                                f"--check-prefix={prefix}"],
                               input=output.encode(), check=True)

    def test_writes_the_checks_of_each_case(self):
        self.tool("ferry-opt", FERRY_OPT)
        self.check_update(TWO_CASES, TWO_CASES_CHECKED)

    def test_writes_line_numbers_relative(self):
        self.tool("ferry", FERRY)
        self.check_update(DIAGNOSTIC, DIAGNOSTIC_CHECKED)

    def test_each_prefix_has_its_own_checks(self):
        self.tool("ferry", 'echo "$1"')
        self.check_update(
            f"{update_golden.NOTE}\n"
            "// RUN: ferry a | FileCheck %s --check-prefix=A\n"
            "// RUN: ferry \\\n"
            "// RUN:   b | FileCheck %s --check-prefix=B\n",
            f"{update_golden.NOTE}\n"
            "// RUN: ferry a | FileCheck %s --check-prefix=A\n"
            "// RUN: ferry \\\n"
            "// RUN:   b | FileCheck %s --check-prefix=B\n"
            "\n// A:       a\n// B:       b")

    def test_refuses_output_of_another_number_of_cases(self):
        self.tool("ferry-opt", "echo HloModule one")
        self.golden.write_text(TWO_CASES)
        with self.assertRaisesRegex(update_golden.GoldenError,
                                    "2 cases in, 1 out"):
            update_golden.update(self.golden, self.folder)
        self.assertEqual(TWO_CASES, self.golden.read_text())

    def test_leaves_a_file_alone_whose_tool_is_missing(self):
        self.golden.write_text(TWO_CASES.replace("ferry-opt", "ferry-missing"))
        with self.assertRaisesRegex(update_golden.GoldenError, "cannot run"):
            update_golden.update(self.golden, self.folder)

    def test_leaves_a_file_without_note_alone(self):
        self.golden.write_text(TWO_CASES.replace("NOTE:", "Note:"))
        script = pathlib.Path(update_golden.__file__)
        result = subprocess.run([sys.executable, script, self.golden],
                                stdout=subprocess.PIPE, check=True)
        self.assertIn(b"left alone", result.stdout)


if __name__ == "__main__":
    unittest.main()
