// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/backend_config.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace ferry {
namespace {

constexpr absl::string_view kWaitList = "\"wait_on_operation_queues\"";

// Behind `: [] ,` at the start of `text`; npos if something else is there.
size_t EndOfEmptyList(absl::string_view text) {
  size_t at = 0;
  for (const char wanted : {':', '[', ']', ','}) {
    while (at < text.size() && absl::ascii_isspace(text[at])) ++at;
    if (at == text.size() || text[at] != wanted) return absl::string_view::npos;
    ++at;
  }
  return at;
}

}  // namespace

absl::string_view WithoutEmptyWaitList(absl::string_view content,
                                       std::string& storage) {
  storage.clear();
  size_t copied = 0;
  for (size_t at = content.find(kWaitList); at != absl::string_view::npos;
       at = content.find(kWaitList, at)) {
    const size_t behind = at + kWaitList.size();
    const size_t end = EndOfEmptyList(content.substr(behind));
    if (end != absl::string_view::npos) {
      absl::StrAppend(&storage, content.substr(copied, at - copied));
      copied = behind + end;
    }
    at = behind;
  }
  if (copied == 0) return content;
  absl::StrAppend(&storage, content.substr(copied));
  return storage;
}

}  // namespace ferry
