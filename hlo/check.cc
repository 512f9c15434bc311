// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/check.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace ferry {
namespace {

void PrintAndAbort(absl::string_view file, int line, absl::string_view what) {
  std::fprintf(stderr, "%.*s:%d: bug in ferry: %.*s\n",
               static_cast<int>(file.size()), file.data(), line,
               static_cast<int>(what.size()), what.data());
}

std::atomic<CheckFailureHandler> failure_handler = PrintAndAbort;

}  // namespace

void SetCheckFailureHandler(CheckFailureHandler handler) {
  failure_handler = handler;
}

void CheckFailed(absl::string_view file, int line, absl::string_view what) {
  failure_handler.load()(file, line, what);
  std::abort();
}

}  // namespace ferry
