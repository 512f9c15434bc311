#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs a build folder into a fresh prefix, then builds and runs the consumer
# in this folder from what was installed:
#
#   tests/install/install_test.sh BUILD_FOLDER [CMAKE_ARGUMENT...]

set -euo pipefail
build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --prefix "$scratch/prefix" > "$scratch/installed"
cmake -S "$here" -B "$scratch/build" "$@" \
  -DCMAKE_PREFIX_PATH="$scratch/prefix"
cmake --build "$scratch/build"
"$scratch/build/consumer"
