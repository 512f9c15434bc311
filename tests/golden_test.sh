#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the golden files with lit and FileCheck:
#
#   tests/golden_test.sh [FERRY_OPT [FILE...]]
#
# with the programs that stand beside FERRY_OPT (build/bin/ferry-opt when none
# is named), on FILEs or on all of tests/.

set -euo pipefail
cd "$(dirname "$0")/.."

ferry_opt=$(readlink -f "${1:-build/bin/ferry-opt}")
shift || true
output=${TEST_TMPDIR:-$(mktemp -d)}
[[ -n ${TEST_TMPDIR:-} ]] || trap 'rm -rf "$output"' EXIT

# The newest LLVM that brings lit and FileCheck.
lit=$(ls /usr/lib/llvm-*/build/utils/lit/lit.py | sort -V | tail -1)
llvm=${lit%/build/utils/lit/lit.py}/bin

[[ $# -gt 0 ]] || set -- tests
python3 "$lit" -v --param bin="$(dirname "$ferry_opt")" \
  --param llvm="$llvm" --param output="$output" "$@"
