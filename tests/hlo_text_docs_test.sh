#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
#
# The tables of docs/hlo_text.md are those of the .def files.

exec "$(dirname "$0")/../tools/hlo_text_tables.py" --check
