// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_BACKEND_CONFIG_H_
#define FERRY_HLO_BACKEND_CONFIG_H_

#include <string>

#include "absl/strings/string_view.h"

namespace ferry {

// What XLA leaves out of a backend_config when it reads one: an empty list
// that older GPU compilers wrote and newer ones no longer know.
//
//   {"operation_queue_id":"0","wait_on_operation_queues":[],"a":1}
//   {"operation_queue_id":"0","a":1}
//
// Taken out with the comma behind it, as often as it stands there; the last
// entry of an object, which has no comma, stays. White space may stand between
// its tokens. Looked for as plain text, whatever is around it.
//
// `content` as it is if there is nothing to take out; else what is left, in
// `storage`. Tested by backend_config_test.cc.
absl::string_view WithoutEmptyWaitList(absl::string_view content,
                                       std::string& storage);

}  // namespace ferry

#endif  // FERRY_HLO_BACKEND_CONFIG_H_
