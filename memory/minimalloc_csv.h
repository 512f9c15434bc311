// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_MINIMALLOC_CSV_H_
#define FERRY_MEMORY_MINIMALLOC_CSV_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/memory/packing_problem.h"

namespace ferry {

// Buffers as MiniMalloc's tools exchange them: a line of column names, then a
// line for each buffer.
//
//   id,lower,upper,size,alignment,gaps,offset
//   b1,0,10,4096,512,2-4 6-7@0:1024,0
//
// A buffer is live in [lower, upper). Columns stand in any order; needed are
// id, lower, upper and size. In a gap, [2, 4), a buffer needs no bytes, or only
// those behind the @: [0, 1024) of it. An offset in the input is where a buffer
// must stand; an empty cell is as if there were no such column. Columns with
// other names are carried along, and come out as they came in.
//
// Tested by minimalloc_csv_test.cc.
struct MiniMallocCsv {
  PackingProblem problem;
  std::vector<std::string> ids;
};

// InvalidArgument, "FILE:12: error: ...", for what is no such
// text: no header, a missing column or cell, a number that is none or does not
// fit, a time, size or offset below 0, an interval that runs backwards, an id
// that occurs twice, a gap outside of the life. `error_line` is set to the 12.
absl::StatusOr<MiniMallocCsv> ParseMiniMallocCsv(absl::string_view text,
                                                 absl::string_view file,
                                                 int64_t* error_line = nullptr);

// The lines of `text`, which ParseMiniMallocCsv() takes, with these offsets:
// in the column `offset`, which is added at the end if there is none.
std::string WriteMiniMallocCsv(absl::string_view text,
                               absl::Span<const int64_t> offsets_bytes);

}  // namespace ferry

#endif  // FERRY_MEMORY_MINIMALLOC_CSV_H_
