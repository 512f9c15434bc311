// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/interrupt.h"

#include <atomic>
#include <csignal>

namespace ferry {
namespace {

std::atomic<bool> is_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void OnInterrupt(int) { is_interrupted = true; }

}  // namespace

void NoteInterrupts() {
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
}

bool IsInterrupted() { return is_interrupted.load(); }

}  // namespace ferry
