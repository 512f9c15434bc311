// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_LARGE_PAGES_H_
#define FERRY_HLO_LARGE_PAGES_H_

#include <string>

namespace ferry {

// Asks the system for large pages under the reserved bytes of `text`, where it
// knows such a request (Linux) and the text is large. Bytes that are written
// once cost as much as a fifth of a long print in page faults: of large pages
// there are fewer. Advice only: nothing else changes.
//
// Tested by large_pages_test.cc.
void UseLargePages(std::string& text);

}  // namespace ferry

#endif  // FERRY_HLO_LARGE_PAGES_H_
