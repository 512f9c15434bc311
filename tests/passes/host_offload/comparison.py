# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
"""What compare_verdicts.py and compare_traces.py share: flags and summary."""
import argparse
import subprocess


def flags(doc):
    """The parser, with the flags that both have."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ferry", required=True, help="the built tool")
    parser.add_argument("--only", default="", help="only files whose name starts so")
    parser.add_argument("-v", "--verbose", action="store_true")
    return parser


def compare(cases, args):
    """Runs `check` of each (path, check), which yields failures; the exit status."""
    passed = failed = 0
    for path, check in cases:
        if not path.name.startswith(args.only):
            continue
        try:
            failures = list(check())
        except (KeyError, TypeError, subprocess.TimeoutExpired) as error:
            failures = [f"{type(error).__name__}: {error}"]
        for failure in failures:
            print(f"{path.name}: {failure}")
        if args.verbose and not failures:
            print(f"{path.name}: ok")
        passed, failed = passed + (not failures), failed + bool(failures)
    print(f"{passed} passed, {failed} failed")
    return failed > 0
