// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/hlo_value.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/shape.h"
#include "ferry/hlo/shape_index.h"

namespace ferry {

std::string HloValue::Name() const {
  if (!instruction().shape().IsTuple())
    return std::string(instruction().name());
  return absl::StrCat(instruction().name(),
                      ShapeIndexToString(defining_position.index()));
}

}  // namespace ferry
