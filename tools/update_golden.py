#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
"""Rewrites the CHECK lines of golden files from what the tools print now.

    tools/update_golden.py [--bin=build/bin] [FILE...]

Touches only files that carry the NOTE line below, all of those in tests/ when
none is named. Runs each RUN line up to `| FileCheck`, throws the old checks
away, and puts the new ones after the HloModule line of their `// -----` case.

A module is checked from its header on, one line each: headers of modules and
computations are labels, names that the input does not have become variables.
Any other output, such as that of `ferry check`, is checked line by line; a line
number of the file itself becomes relative, so that the file can be edited.

Running it twice changes nothing. Tested by tests/update_golden_test.py.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

NOTE = ("// NOTE: checks written by tools/update_golden.py; "
        "regenerate, then read the diff.")
SPLIT = "// -----"
RUN = re.compile(r"//\s*RUN:(.*)")
FILE_CHECK = re.compile(r"\|\s*FileCheck\s+%s\b(.*)$")
CHECK_PREFIX = re.compile(r"--check-prefix=(\S+)")
NAME = re.compile(r"%([A-Za-z_][\w.-]*)")


class GoldenError(Exception):
    """The file cannot be rewritten; says why."""


def runs(lines):
    """(command, check prefix) of each RUN line that ends in FileCheck."""
    script = []
    continued = False
    for line in lines:
        match = RUN.match(line)
        if not match:
            continue
        text = match[1].strip()
        if continued:
            script[-1] = script[-1][:-1] + text
        else:
            script.append(text)
        continued = text.endswith("\\")
    found = []
    for command in script:
        match = FILE_CHECK.search(command)
        if match:
            prefix = CHECK_PREFIX.search(match[1])
            found.append((command[:match.start()],
                          prefix[1] if prefix else "CHECK"))
    if not found:
        raise GoldenError("no RUN line ends in `| FileCheck %s`")
    return found


def run(command, path, bin_folder):
    """What `command` prints; its exit code is for the test to judge."""
    with tempfile.TemporaryDirectory() as scratch:
        for name, value in (("%examples", ROOT / "examples"), ("%s", path),
                            ("%t", pathlib.Path(scratch, "t"))):
            command = command.replace(name, str(value))
        environment = dict(os.environ)
        environment["PATH"] = os.pathsep.join(
            [str(bin_folder)]
            + sorted(map(str, pathlib.Path("/usr/lib").glob("llvm-*/bin")),
                     reverse=True)
            + [os.environ["PATH"]])
        environment["TPU_LOG_DIR"] = "disabled"  # as in tests/lit.cfg.py
        result = subprocess.run(["bash", "-c", command], env=environment,
                                stdout=subprocess.PIPE, check=False)
    if result.returncode in (126, 127):
        raise GoldenError(f"cannot run `{command.strip()}`")
    return result.stdout.decode("utf-8", "replace")


def cases(lines):
    """`lines` split at `// -----`, which belongs to no case."""
    result = [[]]
    for line in lines:
        if line == SPLIT:
            result.append([])
        else:
            result[-1].append(line)
    return result


def escape(text):
    """`text` as FileCheck matches it literally."""
    return re.sub(r"\{\{|\[\[",
                  lambda match: "{{" + re.escape(match[0]) + "}}", text)


class Names:
    """Names that the input does not have, as FileCheck variables.

    Two of them may make the same variable, as copy.1 and copy_1 do; the later
    gets a number.
    """

    def __init__(self, source):
        self.known = set(re.findall(r"[A-Za-z_][\w.-]*", "\n".join(source)))
        self.variables = {}

    def replace(self, text):
        """`text` with the first use of a new name defining its variable."""
        parts = []
        end = 0
        for match in NAME.finditer(text):
            parts.append(escape(text[end:match.start()]))
            end = match.end()
            parts.append("%" + self.spell(match[1], text[end:end + 1]))
        return "".join(parts) + escape(text[end:])

    def spell(self, name, following):
        if name in self.known:
            return name
        if name in self.variables:
            return f"[[{self.variables[name]}]]"
        variable = base = re.sub(r"\W", "_", name).upper()
        number = 2
        while variable in self.variables.values():
            variable = f"{base}_{number}"
            number += 1
        self.variables[name] = variable
        anything = "[^ ]+" if following in ("", " ") else "[^ ,(){}]+"
        return f"[[{variable}:{anything}]]"


def module_checks(output, source):
    """(kind, text) of each check of a printed module."""
    names = Names(source)
    checks = []
    for line in output:
        text = line.strip()
        if not text or text == "}":
            continue
        if text.startswith("HloModule"):
            name, comma, rest = text.partition(",")
            checks.append(("-LABEL", escape(name)))
            if comma:
                checks.append(("-SAME", names.replace(comma + rest)))
        elif not line.startswith(" ") and text.endswith("{"):
            header = re.match(r"(ENTRY )?%?[\w.-]+", text)[0]
            # FileCheck takes no variable in a label.
            known = NAME.search(header) is None or (
                NAME.search(header)[1] in names.known)
            checks.append(("-LABEL", header) if known
                          else ("", names.replace(header)))
        elif checks and checks[-1][0] == "-SAME":
            checks.append(("", names.replace(text)))
        else:
            checks.append(("-NEXT", names.replace(text)))
    return checks


def text_checks(output):
    """(kind, text) of each check of any other output."""
    checks = []
    for line in output:
        if not line:
            checks.append(("-EMPTY", ""))
        else:
            checks.append(("-NEXT" if checks else "", escape(line)))
    while checks and checks[-1][0] == "-EMPTY":
        checks.pop()
    if checks and checks[0][0] == "-EMPTY":
        raise GoldenError("the output starts with an empty line")
    return checks


def is_check(line, prefixes):
    return any(re.match(rf"\s*//\s*{re.escape(prefix)}(-[A-Z]+)?:", line)
               for prefix in prefixes)


def place(case):
    """Where the checks of `case` go: after its HloModule line, or at its end."""
    for index, line in enumerate(case):
        if line.startswith("HloModule"):
            return index + 1
    return len(case)


def rewritten(text, path, bin_folder):
    """`text` of the golden file at `path` with its checks written anew.

    Line numbers in the new checks are those of `text`; they are right when
    `text` has as many checks as the result, in the same places.
    """
    lines = text.split("\n")
    commands = runs(lines)
    prefixes = [prefix for _, prefix in commands]
    sources = cases([line for line in lines if not is_check(line, prefixes)])
    blocks = [[] for _ in sources]
    for command, prefix in commands:
        outputs = cases(run(command, path, bin_folder).rstrip("\n").split("\n"))
        if len(outputs) != len(sources):
            raise GoldenError(f"{len(sources)} cases in, {len(outputs)} out of "
                              f"`{command.strip()}`")
        width = len(f"{prefix}-LABEL:")
        for source, output, block in zip(sources, outputs, blocks):
            if any(line.startswith("HloModule") for line in output):
                checks = module_checks(output, source)
            else:
                checks = text_checks(output)
            block += [f"// {f'{prefix}{kind}:':{width}} {check}".rstrip()
                      for kind, check in checks]
    result = []
    for source, block in zip(sources, blocks):
        if result:
            result.append(SPLIT)
        index = place(source)
        result += source[:index] + block + source[index:]
    return "\n".join(relative(line, number, path) if is_check(line, prefixes)
                     else line for number, line in enumerate(result, 1))


def relative(line, number, path):
    """`line`, standing on line `number`, with places in `path` made relative.

    A place is `path:12`, the ` 12 | ` before a quoted line, or the `main:12`
    that ends a hop ` 1. out  bitcast  f32[8]{0}  main:12`.
    """
    def replace(match):
        return (match[1].replace(str(path), "{{.*}}")
                + f"[[#@LINE{int(match[2]) - number:+}]]" + match[3])

    for place in (rf"({re.escape(str(path))}:)(\d+)()",
                  r"(: {3,})(\d+)( \| )",
                  r"(: +\d+\. .* [\w.-]+:)(\d+)($|  )"):
        line = re.sub(place, replace, line)
    return line.replace(str(path), "{{.*}}" + pathlib.Path(path).name)


def update(path, bin_folder):
    """Rewrites the file at `path`; returns whether it changed."""
    before = text = path.read_text(encoding="utf-8")
    # Checks move the lines that diagnostics name, so once more, and once to see
    # that nothing moves any longer.
    for _ in range(4):
        written = rewritten(text, path, bin_folder)
        if written == text:
            return text != before
        text = written
        path.write_text(text, encoding="utf-8")
    path.write_text(before, encoding="utf-8")
    raise GoldenError("the output never settles")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/bin",
                        help="folder of ferry and ferry-opt")
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()

    files = arguments.files or sorted(
        path for path in (ROOT / "tests").rglob("*")
        if path.suffix in (".hlo", ".test") and "Inputs" not in path.parts)
    failed = False
    for path in files:
        if NOTE not in path.read_text(encoding="utf-8").split("\n"):
            if arguments.files:
                print(f"{path}: has no NOTE line, left alone")
            continue
        try:
            if update(path.resolve(), arguments.bin.resolve()):
                print(f"{path}: rewritten")
        except GoldenError as error:
            print(f"{path}: error: {error}", file=sys.stderr)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
