#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
"""Compares what `ferry check` says of the modules here with what it should say.

    compare_verdicts.py --ferry build/bin/ferry
    compare_verdicts.py --ferry build/bin/ferry --match-compiler
    compare_verdicts.py --ferry build/bin/ferry --only G0 -v

By default each module in this folder is held against its own header
(README.md lists the keys). With --match-compiler the answer must be that of
the shipped TPU compiler, as far as it is OK or E1200: from the header's
`compiler:` line here, and from verdicts.tsv for the modules in random/.

The last line is 'N passed, N failed'; the exit status is 1 if one failed.
"""
import collections
import functools
import json
import pathlib
import re
import subprocess
import sys

import comparison

HERE = pathlib.Path(__file__).resolve().parent
E1200_FIRST = "E1200: CompileTimeHostOffloadOutputLocationMismatch:"
E1200_SECOND = (
    "Tensor which is moved to host (starting from {}) is returned from the entry "
    "computation but the layout for this output is not set to host memory."
)
E1200_THIRD = "See https://openxla.org/xla/errors/error_1200 for more details."


class Header:
    """The `// key: value` lines above a module; a key may stand several times."""

    def __init__(self, text):
        self.values = collections.defaultdict(list)
        last = None
        for line in text.splitlines():
            if line.startswith("//   ") and last:
                self.values[last][-1] += " " + line[5:].strip()
            elif match := re.match(r"// ([a-z-]+): *(.*)", line):
                last = match[1]
                self.values[last].append(match[2].strip())
            else:
                break

    def all(self, key):
        return self.values.get(key, [])

    def one(self, key, default=""):
        return self.all(key)[0] if self.all(key) else default


class Answer:
    """One run of `ferry check --json`."""

    def __init__(self, ferry, path, options):
        run = subprocess.run(
            [ferry, "check", "--json", *options, path],
            capture_output=True, text=True, timeout=120,
        )
        self.exit_code = run.returncode
        self.text = run.stdout + run.stderr
        self.stderr = run.stderr.strip()
        try:
            self.json = json.loads(run.stdout)
        except json.JSONDecodeError:
            self.json = None

    @property
    def diagnostics(self):
        return self.json["diagnostics"] if self.json else []

    @property
    def e1200(self):
        return [d for d in self.diagnostics if d["code"] == "E1200"]


def braces(index):
    return "{" + ",".join(str(number) for number in index) + "}"


def is_subsequence(names, path):
    steps = iter(path)
    return all(name in steps for name in names)


def check_status(status, answer):
    """The verdict, and the exit code that goes with it."""
    if status == "INTERNAL":  # a verifier's or the reader's finding
        if answer.exit_code not in (1, 3):
            yield f"exit {answer.exit_code}, an error was expected"
        return
    if answer.json is None:
        yield f"exit {answer.exit_code} without JSON: {answer.stderr[-200:]}"
        return
    if status == "DIAGNOSED":
        placed = [
            d for d in answer.diagnostics
            if d["message"] and (d.get("instruction") or d.get("line"))
        ]
        if not placed or len(placed) < len(answer.diagnostics):
            yield "no diagnostic, or one without a message or a place"
        return
    if answer.json["verdict"] != status:
        said = answer.json["message"] or "; ".join(d["message"] for d in answer.diagnostics)
        yield f"verdict {answer.json['verdict']} instead of {status}: {said[:200]!r}"
    elif answer.exit_code != (0 if status == "OK" else 1):
        yield f"verdict {status} with exit code {answer.exit_code}"


def check_e1200(answer, start, outputs, paths):
    """The documented text, and place, path and fix of each wrong output."""
    if answer.json["error_id"] != "E1200" or not answer.e1200:
        yield "no E1200"
        return
    lines = (answer.json["message"] or "").split("\n")
    second = E1200_SECOND.format(start) if start else None
    if (
        len(lines) != 3
        or lines[0] != E1200_FIRST
        or (second and lines[1] != second)
        or lines[2] != E1200_THIRD
    ):
        yield f"message {lines}, expected to start from {start or 'anywhere'}"
    found = sorted(braces(d["output_index"]) for d in answer.e1200)
    if outputs and found != sorted(outputs):
        yield f"outputs {found} instead of {sorted(outputs)}"
    for path in paths:
        if not any(
            is_subsequence(path, [step["instruction"] for step in d["path"]])
            for d in answer.e1200
        ):
            yield f"no path along {' -> '.join(path)}"
    if not all(d["fixes"] for d in answer.e1200):
        yield "an E1200 without a fix"


def check_host_compute(expected, answer):
    found = sorted(h["instruction"] for h in answer.json["host_compute"])
    if match := re.fullmatch(r"(\d+) instructions", expected):
        if len(found) != int(match[1]):
            yield f"{len(found)} instructions of host compute instead of {match[1]}"
        return
    wanted = [] if expected == "none" else sorted(re.split(r"[,\s]+", expected))
    if found != wanted:
        yield f"host compute {found} instead of {wanted}"


def check_transfers(lines, answer):
    """Each listed transfer is there, and none of another size or direction.

    A line is `d2h BYTES` or `h2d BYTES`, where `twice` stands for two of them,
    or `d2h none`; the rest of it is prose. Other lines say that nothing exact
    is known: then nothing is compared.
    """
    wanted = collections.Counter()
    for line in lines:
        match = re.match(r"(d2h|h2d) (\d+|none)\b(.*)", line)
        if not match:
            return
        if match[2] != "none":
            twice = re.search(r"\btwice\b", match[3]) and "or twice" not in match[3]
            wanted[match[1], int(match[2])] += 2 if twice else 1
    short = {"device_to_host": "d2h", "host_to_device": "h2d"}
    found = collections.Counter(
        (short[t["direction"]], t["bytes"]) for t in answer.json["transfers"]
    )
    if set(found) != set(wanted) or any(found[key] < wanted[key] for key in wanted):
        yield f"transfers {dict(found)} instead of {dict(wanted)}"


def check_header(header, answer):
    """Everything that a header expects."""
    status = header.one("expect-status").split()[0]
    failures = list(check_status(status, answer))
    yield from failures
    if failures or answer.json is None or status == "DIAGNOSED":
        return
    said = [answer.json["message"] or ""] + [d["message"] for d in answer.diagnostics]
    for message in header.all("expect-message"):
        if not any(message in text for text in said):
            yield f"nothing says {message!r}"
    for name in re.findall(r"[^,\s]+", " ".join(header.all("expect-names"))):
        if name not in answer.text:
            yield f"{name} is not named"
    if header.one("expect-code") == "E1200":
        yield from check_e1200(
            answer,
            header.one("expect-start"),
            re.findall(r"\{[\d,]*\}", header.one("expect-output-index")),
            [re.sub(r"\{[^}]*\}", "", p).split(" -> ") for p in header.all("expect-path")],
        )
    elif answer.e1200:
        yield "an E1200 that nobody expects"
    if header.one("expect-host-compute"):
        yield from check_host_compute(header.one("expect-host-compute"), answer)
    if status == "OK" and header.all("expect-transfer"):
        yield from check_transfers(header.all("expect-transfer"), answer)


def check_compiler(verdict, start, path, text, answer):
    """The compiler's verdict: OK, or E1200 with the output that it names.

    The compiler renames some instructions before it looks, so the start is
    compared only where the module has one of that name.
    """
    yield from check_status("OK" if verdict == "OK" else "INVALID_ARGUMENT", answer)
    if verdict == "OK" or answer.json is None:
        return
    known = re.search(rf"^\s*(ROOT )?%?{re.escape(start)} =", text, re.M)
    yield from check_e1200(answer, start if known else None, [], [])
    output = re.search(r"\{[\d,]*\}$", path)
    if output and output[0] not in [braces(d["output_index"]) for d in answer.e1200]:
        yield f"output {output[0]} is not among those reported"


def compiler_verdict(header):
    """(verdict, start, path) from a `compiler:` line."""
    words = header.one("compiler").split(" ", 2)
    if words[0] != "E1200":
        return words[0], "", ""
    return "E1200", words[1].removeprefix("start="), words[2].removeprefix("path=")


def cases(args):
    """Yields (file, function that yields failures)."""

    def answer(path, header):
        options = [f"--xla-flags={flags}" for flags in header.all("options")]
        if args.match_compiler:
            options.append("--match-compiler")
        return Answer(args.ferry, path, options)

    def against_header(path):
        header = Header(path.read_text())
        yield from check_header(header, answer(path, header))

    def against_compiler(path, verdict):
        text = path.read_text()
        yield from check_compiler(*verdict, text, answer(path, Header(text)))

    if not args.match_compiler:
        for path in sorted(HERE.glob("*.hlo")):
            yield path, functools.partial(against_header, path)
        return
    verdicts = [
        (path, compiler_verdict(Header(path.read_text())))
        for path in sorted(HERE.glob("*.hlo"))
    ]
    for line in (HERE / "random/verdicts.tsv").read_text().splitlines()[1:]:
        name, *verdict = line.split("\t")[:4]
        verdicts.append((HERE / "random" / name, verdict))
    for path, verdict in verdicts:
        if verdict[0] in ("OK", "E1200"):
            yield path, functools.partial(against_compiler, path, verdict)


def main():
    parser = comparison.flags(__doc__)
    parser.add_argument("--match-compiler", action="store_true")
    args = parser.parse_args()
    return comparison.compare(cases(args), args)


if __name__ == "__main__":
    sys.exit(main())
