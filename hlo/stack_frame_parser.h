// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_STACK_FRAME_PARSER_H_
#define FERRY_HLO_STACK_FRAME_PARSER_H_

#include <string>

#include "ferry/hlo/stack_frames.h"
#include "ferry/hlo/text_reader.h"

namespace ferry {

// Reads the four tables FileNames, FunctionNames, FileLocations, StackFrames:
// all of them in this order, or none. Ids out of range and parent cycles are
// kept; whoever follows ids must expect them.
bool ParseStackFrames(TextReader reader, StackFrames& frames);

// Appends them: an empty line in front of each and one behind the last.
// Nothing if there are no file names. Tested by stack_frame_parser_test.cc.
void PrintStackFrames(const StackFrames& frames, std::string& out);

}  // namespace ferry

#endif  // FERRY_HLO_STACK_FRAME_PARSER_H_
