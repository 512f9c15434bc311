// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tests/fuzz/hlo_corpus.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace ferry {

std::vector<HloCase> ReadHloCorpus(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".hlo") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<HloCase> cases;
  for (const std::filesystem::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream bytes;
    bytes << file.rdbuf();
    int number = 0;
    for (absl::string_view text : absl::StrSplit(bytes.str(), "// -----\n")) {
      cases.push_back({absl::StrCat(path.filename().string(), ":", ++number),
                       std::string(text)});
    }
  }
  return cases;
}

}  // namespace ferry
