#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
"""How far the estimate of `prepare` is from what a compiler made of a program.

    tools/prepare_table.py FERRY_OPT FOLDER...

Each FOLDER has before.hlo, the module given to a compiler, and after.hlo, the
scheduled one that it made. Prints a row of Markdown for each: the most bytes
that are live at one moment in device memory, on-chip memory and host memory,
in MiB, prepared and compiled, counted in the same way (ScheduleModule).
"""
import pathlib
import re
import subprocess
import sys
import tempfile


def peak(ferry_opt, file, space):
    """Of the entry of a scheduled module, in bytes; 0 if nothing is there."""
    run = subprocess.run(
        [ferry_opt, file, "--remarks", "-o", "/dev/null",
         f"--passes=schedule-instructions{{scheduler=given,space={space}}}"],
        capture_output=True, text=True, check=True)
    peaks = re.findall(r"schedule-instructions: .* peak (\d+) bytes",
                       run.stdout + run.stderr)
    return int(peaks[-1]) if peaks else 0


def row(ferry_opt, folder, prepared):
    """None if the program cannot be prepared."""
    run = subprocess.run(
        [ferry_opt, str(folder / "before.hlo"), "--pipeline=prepare",
         "-o", prepared], capture_output=True)
    if run.returncode != 0:
        return None
    cells = [folder.name]
    for space in (0, 1, 5):
        estimate = peak(ferry_opt, prepared, space)
        truth = peak(ferry_opt, str(folder / "after.hlo"), space)
        cells += [f"{value / 2**20:.1f}" for value in (estimate, truth)]
        if space == 0:
            cells.append(f"{100 * (estimate / truth - 1):+.1f} %")
    return "| " + " | ".join(cells) + " |"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    print("| program | HBM prepared | HBM compiled | difference "
          "| vmem prepared | vmem compiled | host prepared | host compiled |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as scratch:
        for folder in map(pathlib.Path, sys.argv[2:]):
            if (folder / "after.hlo").exists():
                line = row(sys.argv[1], folder, f"{scratch}/prepared.hlo")
                print(line or f"| {folder.name} | not prepared |")


if __name__ == "__main__":
    main()
