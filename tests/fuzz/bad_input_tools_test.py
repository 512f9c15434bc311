#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
"""Bad input through the programs, in every print format.

    bad_input_tools_test.py WRITE_BAD_INPUT FERRY FERRY_OPT [BYTES [KIND...]]

Each kind of bad input ends with an exit code of the contract, in time and
memory by its size. Also texts that no kind has: byte order marks, and the
beginning of a packed file.
"""

import concurrent.futures
import os
import resource
import subprocess
import sys
import tempfile
import time

# Not canonical and fingerprint: they repeat called computations in place, so
# that what is nested n deep prints n times. Not pbtxt: it takes a dozen lines
# for each array of a tuple, each time that the tuple stands somewhere.
FORMATS = ["full", "text", "short", "dump", "dot", "pb"]
# Done, findings, refused; 70 is a bug.
LEGAL = {0, 1, 3}
NOT_BUILT = "is not built yet"
SECONDS_A_MEGABYTE = 10
BYTES_A_BYTE = 250


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (300, 300))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command):
    """(exit code, what it says, CPU seconds, peak bytes) of a command."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                   stderr=errors, preexec_fn=limits)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read(2000).decode(errors="replace")
    return (process.returncode, said, usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss * 1024)


def problems_of(path, commands):
    """What is wrong with how the commands take the file, a line each."""
    size = os.path.getsize(path)
    problems = []
    for command in commands:
        code, said, seconds, peak = run([*command, path])
        shown = f"{' '.join(os.path.basename(word) for word in command)}"
        shown += f" {os.path.basename(path)}"
        if code == 2 and NOT_BUILT in said:
            continue
        if code not in LEGAL:
            problems.append(f"{shown}: exit code {code}: {said[:300]}")
        if seconds > 2 + SECONDS_A_MEGABYTE * size / 1e6:
            problems.append(f"{shown}: {seconds:.1f} s for {size} bytes")
        if peak > 100e6 + BYTES_A_BYTE * size:
            problems.append(f"{shown}: {peak / 1e6:.0f} MB for {size} bytes")
    return problems


def main():
    write, ferry, ferry_opt = sys.argv[1:4]
    size = sys.argv[4] if len(sys.argv) > 4 else "30000"
    commands = [[ferry_opt, f"--print-format={name}"] for name in FORMATS]
    commands += [[ferry, "check"], [ferry, "check", "--json"],
                 [ferry, "check", "--sarif"]]
    kinds = sys.argv[5:] or subprocess.run(
        [write], check=True, capture_output=True, text=True).stdout.split()
    start = time.time()
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for kind in kinds:
            paths.append(os.path.join(folder, kind + ".hlo"))
            with open(paths[-1], "wb") as file:
                subprocess.run([write, kind, size], check=True, stdout=file)
        for name, content in [("byte_order_mark", b"\xef\xbb\xbfHloModule m"),
                              ("utf16", "HloModule m".encode("utf-16")),
                              ("gzip_start", b"\x1f\x8b\x08"),
                              ("zstd_start", b"\x28\xb5\x2f\xfd"),
                              ("proto_start", b"\x0a\xff\xff\xff\xff\x7f"),
                              ("empty", b"")]:
            paths.append(os.path.join(folder, name + ".hlo"))
            with open(paths[-1], "wb") as file:
                file.write(content)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = pool.map(lambda path: problems_of(path, commands), paths)
            problems = [line for lines in found for line in lines]
    print("\n".join(problems) or
          f"{len(paths)} inputs, {len(commands)} commands each, "
          f"{time.time() - start:.0f} s: no problem")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
