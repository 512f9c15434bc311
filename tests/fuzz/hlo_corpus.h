// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TESTS_FUZZ_HLO_CORPUS_H_
#define FERRY_TESTS_FUZZ_HLO_CORPUS_H_

#include <string>
#include <vector>

namespace ferry {

// Every case of the `.hlo` files under a folder: files are sorted, cases end
// at lines `// -----`. Golden files so are the fuzzers' corpus as well.
struct HloCase {
  std::string name;  // "print.hlo:3" is the third case
  std::string text;
};
std::vector<HloCase> ReadHloCorpus(const std::string& folder);

}  // namespace ferry

#endif  // FERRY_TESTS_FUZZ_HLO_CORPUS_H_
