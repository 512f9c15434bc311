// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_VMODULE_H_
#define FERRY_TOOLS_VMODULE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace ferry {

// How much each log site says: `--v=N` for all, `--vmodule=PATTERN=N,...` for
// those whose name the pattern matches. `*` is any text, `?` any character; a
// pattern with a `/` is matched against the path of the compiler's source,
// "xla/hlo/transforms/host_offloader". The first match counts.
//
// Tested by vmodule_test.cc.
class VModule {
 public:
  void set_v(int level) { v_ = level; }
  // Behind the patterns so far. Reads all that it can, then InvalidArgument
  // naming the first piece that is no PATTERN=N.
  absl::Status Add(absl::string_view text);

  int LevelOf(absl::string_view site) const;
  // Whether anything beyond level 0 may come.
  bool IsVerbose() const { return v_ > 0 || !patterns_.empty(); }

 private:
  int v_ = 0;
  std::vector<std::pair<std::string, int>> patterns_;
};

// Whether `pattern`, with `*` and `?`, matches all of `text`.
bool MatchesGlob(absl::string_view pattern, absl::string_view text);

}  // namespace ferry

#endif  // FERRY_TOOLS_VMODULE_H_
