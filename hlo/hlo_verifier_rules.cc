// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_verifier_rules.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

// Shapes of more nodes are not printed whole.
constexpr int32_t kMaxNodesInMessage = 12;

bool IsShort(const Shape& shape) {
  return shape.node_count() <= kMaxNodesInMessage;
}

// Whether the nodes themselves fit, apart from the elements of tuples.
bool FitsHere(const Shape& a, const Shape& b) {
  if (a.IsTuple() && b.IsTuple()) {
    return a.tuple_shapes().size() == b.tuple_shapes().size();
  }
  return a.IsCompatible(b);
}

// The pre-order number of the first node in which `a` and `b` differ.
int32_t FirstMismatch(const Shape& a, const Shape& b) {
  llvm::SmallVector<std::pair<const Shape*, const Shape*>, 8> work;
  work.push_back({&a, &b});
  for (int32_t ordinal = 0; !work.empty(); ++ordinal) {
    const auto [x, y] = work.pop_back_val();
    if (!FitsHere(*x, *y)) return ordinal;
    if (!x->IsTuple()) continue;
    for (size_t i = x->tuple_shapes().size(); i-- > 0;) {
      work.push_back({x->tuple_shapes()[i], y->tuple_shapes()[i]});
    }
  }
  return 0;
}

}  // namespace

std::string ShapeForMessage(const Shape& shape) {
  if (IsShort(shape)) return shape.ToString();
  return absl::StrCat("a tuple of ", shape.tuple_shapes().size(), " elements");
}

ShapeMismatch DescribeMismatch(const Shape& first, const Shape& second) {
  if (IsShort(first) && IsShort(second)) {
    return {first.ToString(), second.ToString(), ""};
  }
  // Up to there the trees are the same, so the number names the same place in
  // both.
  const int32_t ordinal = FirstMismatch(first, second);
  return {ShapeForMessage(first.NodeAt(ordinal)),
          ShapeForMessage(second.NodeAt(ordinal)),
          ordinal == 0
              ? ""
              : absl::StrCat(" at index ",
                             ShapeIndexToString(first.IndexAt(ordinal)))};
}

bool IsAfterLayoutAssignment(const HloInstruction& instruction) {
  const HloModule& module = instruction.parent().module();
  if (module.is_scheduled()) return true;
  const Shape* leaf = &module.entry().root().shape();
  while (!leaf->tuple_shapes().empty()) leaf = leaf->tuple_shapes()[0];
  return leaf->layout() != nullptr && !leaf->layout()->tiles().empty();
}

bool Fits(const HloInstruction& instruction, const Shape& a, const Shape& b) {
  if (&a == &b) return true;
  return IsAfterLayoutAssignment(instruction)
             ? a.IsCompatibleIgnoringPrecision(b)
             : a.IsCompatible(b);
}

void ExpectShape(const HloInstruction& instruction, DiagnosticCode code,
                 const Shape& expected, HloVerifierFindings& findings) {
  const Shape& actual = instruction.shape();
  if (Fits(instruction, actual, expected)) return;
  const ShapeMismatch mismatch = DescribeMismatch(expected, actual);
  const std::string message = absl::StrCat(
      "Expected instruction to have shape equal to ", mismatch.first,
      ", actual shape is ", mismatch.second, mismatch.where);
  if (!mismatch.where.empty()) return findings.Add(code, instruction, message);
  findings.AddWithFix(
      code, instruction, message,
      {.title = absl::StrCat("give it the shape ", mismatch.first),
       .kind = "set_shape",
       .before = ""});
}

}  // namespace ferry
