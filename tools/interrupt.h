// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_INTERRUPT_H_
#define FERRY_TOOLS_INTERRUPT_H_

namespace ferry {

// From here on Ctrl-C (SIGINT) does not end the program, but is noted: for work
// that can stop with the best answer so far. A second one ends it.
// Tested by tests/tools/pack_interrupt.test.
void NoteInterrupts();

// Whether one was noted. Can be asked from any thread.
bool IsInterrupted();

}  // namespace ferry

#endif  // FERRY_TOOLS_INTERRUPT_H_
