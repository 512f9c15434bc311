// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Rule F1107: what a layout says fits the array that it is of.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/hlo/hlo_verifier_rules.h"
#include "ferry/hlo/layout_problem.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

std::string OrderProblem(absl::Span<const int64_t> order, int64_t rank) {
  const std::string text = absl::StrCat("{", absl::StrJoin(order, ", "), "}");
  if (static_cast<int64_t>(order.size()) != rank) {
    return absl::StrCat("layout minor_to_major field contains ", order.size(),
                        " elements, but shape has ", rank,
                        " dimensions: ", text);
  }
  llvm::SmallBitVector seen(rank);
  for (int64_t number : order) {
    if (number < 0 || number >= rank) {
      return absl::StrCat(
          "layout minor_to_major field has out-of-bounds value: ", text);
    }
    if (seen.test(number)) {
      return absl::StrCat("layout minor_to_major field has duplicate values: ",
                          text);
    }
    seen.set(number);
  }
  return "";
}

// Of an array with a layout, in XLA's words where the order is wrong.
std::string ProblemOf(const Shape& array) {
  const LayoutFields& fields = array.layout()->fields();
  const std::string order =
      OrderProblem(fields.minor_to_major, array.dimensions().size());
  if (!order.empty()) return order;
  const std::string problem = LayoutProblem(array);
  if (!problem.empty()) return "the layout " + problem;
  const int64_t bits = fields.element_size_in_bits;
  const int64_t width = BitWidth(array.element_type());
  if (bits != 0 && bits < width && width >= 8 &&
      array.element_type() != PrimitiveType::kPred) {
    return absl::StrCat("Invalid element_size_in_bits: ", bits);
  }
  return "";
}

}  // namespace

const std::string* LayoutRule::Problem(const Shape& shape) {
  const auto [known, is_new] = problems_.try_emplace(&shape);
  if (!is_new) return known->second.empty() ? nullptr : &known->second;
  llvm::SmallVector<const Shape*, 8> work = {&shape};
  while (!work.empty()) {
    const Shape* node = work.pop_back_val();
    if (node->layout() != nullptr) {
      const std::string problem = ProblemOf(*node);
      if (!problem.empty()) {
        known->second = absl::StrCat(problem, "; shape: ", node->ToString());
        return &known->second;
      }
    }
    const auto elements = node->tuple_shapes();
    work.append(elements.rbegin(), elements.rend());
  }
  return nullptr;
}

void LayoutRule::Check(const HloInstruction& instruction,
                       HloVerifierFindings& findings) {
  const std::string* problem = Problem(instruction.shape());
  if (problem == nullptr) return;
  findings.Add(DiagnosticCode::kBadLayout, instruction, *problem);
}

}  // namespace ferry
