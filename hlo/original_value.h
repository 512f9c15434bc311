// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_ORIGINAL_VALUE_H_
#define FERRY_HLO_ORIGINAL_VALUE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/quoted_string.h"
#include "ferry/hlo/shape_index.h"

namespace ferry {

// Which array of the program before optimization a value was: what stands
// behind `origin=`.
//
//   {{"dot.3"}}                   an array
//   {{"while.1" {1}}}             element 1 of a tuple
//   {({"a"}, ({}, {"b"}))}        a tuple: one for each leaf, `{}` if unknown
//   {[synthetic_call]}            a call that was not there
//
// A tree in which only leaves count: XLA drops tuples without any at their end
// and does not compare it with the shape. Names are printed as they are, without
// escapes, so some do not read back; they are views of the text that was read,
// or of `strings`. Tested by original_value_test.cc.
class OriginalValue {
 public:
  struct Array {
    absl::string_view instruction_name;  // empty: unknown
    ShapeIndex shape_index;
  };

  bool is_synthetic_call() const { return is_synthetic_call_; }
  void set_is_synthetic_call() { is_synthetic_call_ = true; }
  // Puts a leaf where `index` says, in place of what was there. Elements in
  // front that nobody sets become empty tuples, so the cost is that of the
  // largest element number.
  void SetLeaf(absl::Span<const int64_t> index, Array array);
  // In order, each with its index.
  struct Leaf {
    ShapeIndex index;
    const Array* array;
  };
  std::vector<Leaf> Leaves() const;

  void clear();
  // With braces.
  void AppendTo(std::string& out) const;

  DecodedStrings strings;

 private:
  struct Node {
    bool is_leaf = false;
    Array array;
    std::vector<size_t> elements;  // of a tuple, as places in nodes_
  };
  template <typename Enter, typename Leave>
  void Walk(Enter enter, Leave leave) const;

  bool is_synthetic_call_ = false;
  std::vector<Node> nodes_ = std::vector<Node>(1);  // the root first
};

absl::Status Read(HloLexer& lexer, OriginalValue& value);

}  // namespace ferry

#endif  // FERRY_HLO_ORIGINAL_VALUE_H_
