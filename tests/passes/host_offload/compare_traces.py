#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
"""Compares message and instruction trace of E1200 with the TPU compiler's own.

    compare_traces.py --ferry build/bin/ferry [--only 50030] [-v]

Each module in trace/ is what the compiler's tracker was given when it refused a
program; NAME.expected holds the message (three lines) and the trace that the
compiler logged. `ferry check --match-compiler --vmodule=host_offloader=1` must
give the message byte for byte, and log that trace first, in the log format.

The last line is 'N passed, N failed'; the exit status is 1 if one failed.
"""
import functools
import json
import pathlib
import re
import subprocess
import sys

import comparison

HERE = pathlib.Path(__file__).resolve().parent
MESSAGE_LINES = 3
TITLE = "Instruction trace leading to error:"
# Severity, date, time, thread, file and line, as the compiler logs.
LOG_LINE = re.compile(
    r"I\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ host_offloader\.cc:\d+\] (.*)"
)


def first_trace(log):
    """The title and the position lines under it, without the log prefix."""
    trace = []
    for line in log.splitlines():
        match = LOG_LINE.fullmatch(line)
        text = match[1] if match else ""
        if text == TITLE and not trace:
            trace.append(text)
        elif trace and text.startswith("  {Instr: "):
            trace.append(text)
        elif trace:
            break
    return trace


def check(ferry, path):
    expected = path.with_suffix(".expected").read_text().splitlines()
    message = "\n".join(expected[:MESSAGE_LINES])
    trace = expected[MESSAGE_LINES:]
    run = subprocess.run(
        [ferry, "check", "--json", "--match-compiler", "--vmodule=host_offloader=1", path],
        capture_output=True, text=True, timeout=60,
    )
    try:
        answer = json.loads(run.stdout)
    except json.JSONDecodeError:
        yield f"exit {run.returncode} without JSON: {run.stderr.strip()[-200:]}"
        return
    if run.returncode != 1:
        yield f"exit {run.returncode} instead of 1"
    if answer["message"] != message:
        yield f"message {answer['message']!r} instead of {message!r}"
    if first_trace(run.stderr) != trace:
        yield f"trace {first_trace(run.stderr)} instead of {trace}"


def main():
    args = comparison.flags(__doc__).parse_args()
    return comparison.compare(
        ((path, functools.partial(check, args.ferry, path))
         for path in sorted((HERE / "trace").glob("*.hlo"))),
        args,
    )


if __name__ == "__main__":
    sys.exit(main())
