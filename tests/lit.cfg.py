# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
#
# Golden files: every .hlo and .test in tests/, except inputs that other files
# read, which stand in folders named Inputs or findings. RUN lines say ferry,
# ferry-opt, FileCheck, not and split-file; they run under bash with pipefail.
#
# Run by tests/golden_test.sh.

import os

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

config.name = "ferry"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".hlo", ".test"]
config.excludes = ["Inputs", "findings", "install"]
config.test_source_root = os.path.join(root, "tests")
config.test_exec_root = lit_config.params["output"]
# Warnings would go to files in a folder that all runs share.
config.environment["TPU_LOG_DIR"] = "disabled"
# Sanitized tools bring their own signal stacks for crash reports.
config.environment["ASAN_OPTIONS"] = "use_sigaltstack=0"
config.environment["PATH"] = os.pathsep.join(
    [lit_config.params["bin"], lit_config.params["llvm"], os.environ["PATH"]])
config.substitutions.append(("%examples", os.path.join(root, "examples")))
