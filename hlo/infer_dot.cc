// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Products of matrices: batch dimensions first, then what is free on the left,
// then what is free on the right.

#include <utility>

#include "absl/strings/str_join.h"
#include "ferry/hlo/element_type_class.h"
#include "ferry/hlo/shape_inference_rules.h"
#include "ferry/hlo/status_macros.h"

namespace ferry::shape_inference {
namespace {

struct DotNumbers {
  Sizes lhs_batch, lhs_contracting, rhs_batch, rhs_contracting;

  std::string ToString() const {
    return absl::StrCat(
        "lhs_batch_dims={", absl::StrJoin(lhs_batch, ","),
        "}, lhs_contracting_dims={", absl::StrJoin(lhs_contracting, ","),
        "}, rhs_batch_dims={", absl::StrJoin(rhs_batch, ","),
        "}, rhs_contracting_dims={", absl::StrJoin(rhs_contracting, ","), "}");
  }
};

absl::StatusOr<DotNumbers> ReadDotNumbers(const ShapeInferenceInput& input) {
  DotNumbers numbers;
  FERRY_ASSIGN_OR_RETURN(numbers.lhs_batch,
                         Integers(input, HloAttributeKind::kLhsBatchDims));
  FERRY_ASSIGN_OR_RETURN(
      numbers.lhs_contracting,
      Integers(input, HloAttributeKind::kLhsContractingDims));
  FERRY_ASSIGN_OR_RETURN(numbers.rhs_batch,
                         Integers(input, HloAttributeKind::kRhsBatchDims));
  FERRY_ASSIGN_OR_RETURN(
      numbers.rhs_contracting,
      Integers(input, HloAttributeKind::kRhsContractingDims));
  return numbers;
}

bool InRange(absl::Span<const int64_t> numbers, int64_t rank) {
  for (int64_t number : numbers) {
    if (number < 0 || number >= rank) return false;
  }
  return true;
}

bool Unique(const Sizes& contracting, const Sizes& batch) {
  Sizes both = contracting;
  both.insert(both.end(), batch.begin(), batch.end());
  return !HasDuplicates(both);
}

bool SizesFit(const Shape& lhs, const Sizes& left, const Shape& rhs,
              const Sizes& right) {
  for (size_t i = 0; i < left.size(); ++i) {
    if (!CompatibleSizes(lhs.dimensions()[left[i]],
                         rhs.dimensions()[right[i]])) {
      return false;
    }
  }
  return true;
}

absl::Status CheckDot(const Shape& lhs, const Shape& rhs,
                      const DotNumbers& numbers) {
  if (!InRange(numbers.lhs_contracting, RankOf(lhs)) ||
      !InRange(numbers.lhs_batch, RankOf(lhs)) ||
      !InRange(numbers.rhs_contracting, RankOf(rhs)) ||
      !InRange(numbers.rhs_batch, RankOf(rhs))) {
    return Error("A dimension number is out of range in Dot: ",
                 numbers.ToString(), ". ", Human(lhs), " ", Human(rhs));
  }
  if (!Unique(numbers.lhs_contracting, numbers.lhs_batch) ||
      !Unique(numbers.rhs_contracting, numbers.rhs_batch)) {
    return Error(
        "A dimension number is not unique in Dot: ", numbers.ToString(), ".");
  }
  const auto fail = [&](absl::string_view why) {
    return Error("Cannot infer shape for dot operation: ", Human(lhs),
                 " <dot> ", Human(rhs), ". ", why);
  };
  if (numbers.lhs_contracting.size() != numbers.rhs_contracting.size()) {
    return fail(
        "Must specify the same number of contracting dimensions for "
        "lhs and rhs.");
  }
  if (!SizesFit(lhs, numbers.lhs_contracting, rhs, numbers.rhs_contracting)) {
    return fail("Contracting dimension sizes are not compatible.");
  }
  if (numbers.lhs_batch.size() != numbers.rhs_batch.size()) {
    return fail("Must the same number of batch dimensions for lhs and rhs.");
  }
  if (!SizesFit(lhs, numbers.lhs_batch, rhs, numbers.rhs_batch)) {
    return fail("Batch dimension sizes are not compatible.");
  }
  return absl::OkStatus();
}

void AddFree(const Shape& x, const Sizes& batch, const Sizes& contracting,
             absl::Span<const int64_t> others, Dimensions& dimensions) {
  for (int64_t i = 0; i < RankOf(x); ++i) {
    if (Contains(batch, i) || Contains(contracting, i) || Contains(others, i)) {
      continue;
    }
    dimensions.AddFrom(x, i);
  }
}

void AddBatch(const Shape& lhs, const DotNumbers& numbers,
              Dimensions& dimensions) {
  for (int64_t dimension : numbers.lhs_batch) {
    dimensions.AddFrom(lhs, dimension);
  }
}

// What is particular to ragged-dot: lhs has one ragged dimension, and
// `group_sizes` says how it is cut. It may be free ([b,m,n], and the rhs has a
// dimension of groups), contracted ([g,b,m,n]) or batch ([b,m,n]).
class RaggedDot {
 public:
  RaggedDot(const ShapeInferenceInput& input, const DotNumbers& numbers)
      : input_(input),
        numbers_(numbers),
        lhs_(Operand(input, 0)),
        rhs_(Operand(input, 1)),
        group_sizes_(Operand(input, 2)) {}

  Result Infer() {
    FERRY_ASSIGN_OR_RETURN(const Sizes ragged,
                           Integers(input_, HloAttributeKind::kLhsRaggedDims));
    FERRY_ASSIGN_OR_RETURN(group_,
                           Integers(input_, HloAttributeKind::kRhsGroupDims));
    if (ragged.size() != 1) {
      return Fail("There must be exactly one ragged dimension in the lhs.");
    }
    ragged_ = ragged[0];
    if (ragged_ < 0 || ragged_ >= RankOf(lhs_)) {
      return Fail("lhs ragged dimension ", ragged_, " is out of range [0, ",
                  RankOf(lhs_), ")");
    }
    FERRY_RETURN_IF_ERROR(CheckGroupDimension());
    FERRY_RETURN_IF_ERROR(CheckGroupSizes());
    Dimensions dimensions;
    if (Contains(numbers_.lhs_contracting, ragged_)) {
      dimensions.Add(Groups(), false);
    }
    AddBatch(lhs_, numbers_, dimensions);
    AddFree(lhs_, numbers_.lhs_batch, numbers_.lhs_contracting, {}, dimensions);
    AddFree(rhs_, numbers_.rhs_batch, numbers_.rhs_contracting, group_,
            dimensions);
    return MakeArray(input_,
                     HigherPrecision(lhs_.element_type(), rhs_.element_type()),
                     dimensions);
  }

 private:
  template <typename... Parts>
  absl::Status Fail(const Parts&... why) const {
    return Error("Cannot infer shape for ragged dot operation: ", Human(lhs_),
                 " <ragged_dot> ", Human(rhs_), ". ", why...);
  }

  bool IsFree() const {
    return !Contains(numbers_.lhs_contracting, ragged_) &&
           !Contains(numbers_.lhs_batch, ragged_);
  }
  int64_t Groups() const { return group_sizes_.dimensions().back(); }

  absl::Status CheckGroupDimension() const {
    if (!IsFree()) {
      if (group_.empty()) return absl::OkStatus();
      return Fail(
          "There must be zero group dimensions in the rhs when the lhs "
          "ragged dimension is contracting or batch.");
    }
    if (group_.size() != 1) {
      return Fail(
          "There must be exactly one group dimension in the rhs when "
          "the lhs ragged dimension is non-contracting.");
    }
    if (group_[0] < 0 || group_[0] >= RankOf(rhs_)) {
      return Fail("rhs group dimension ", group_[0], " is out of range [0, ",
                  RankOf(rhs_), ")");
    }
    if (Contains(numbers_.rhs_batch, group_[0]) ||
        Contains(numbers_.rhs_contracting, group_[0])) {
      return Fail(
          "rhs group dimension cannot be a batch or contracting "
          "dimension");
    }
    return absl::OkStatus();
  }

  // One size a group, for each combination of the dimensions that come before
  // the ragged one; or for all of them the same.
  absl::Status CheckGroupSizes() const {
    Sizes prefix;
    if (Contains(numbers_.lhs_contracting, ragged_)) {
      for (int64_t dimension : numbers_.lhs_batch) {
        prefix.push_back(lhs_.dimensions()[dimension]);
      }
      for (int64_t dimension : numbers_.lhs_contracting) {
        if (dimension == ragged_) break;
        prefix.push_back(lhs_.dimensions()[dimension]);
      }
    } else if (IsFree()) {
      for (int64_t dimension : numbers_.lhs_batch) {
        prefix.push_back(lhs_.dimensions()[dimension]);
      }
      for (int64_t i = 0; i < ragged_; ++i) {
        if (Contains(numbers_.lhs_batch, i) ||
            Contains(numbers_.lhs_contracting, i)) {
          continue;
        }
        prefix.push_back(lhs_.dimensions()[i]);
      }
    } else {
      for (int64_t dimension : numbers_.lhs_batch) {
        if (dimension == ragged_) break;
        prefix.push_back(lhs_.dimensions()[dimension]);
      }
    }
    FERRY_RETURN_IF_ERROR(ExpectArray(group_sizes_, "group_sizes"));
    if (RankOf(group_sizes_) != 1 &&
        RankOf(group_sizes_) != static_cast<int64_t>(prefix.size()) + 1) {
      return Fail("expected group_sizes to have rank ", prefix.size() + 1,
                  ", got ", RankOf(group_sizes_));
    }
    if (RankOf(group_sizes_) > 1) {
      Sizes expected = prefix;
      expected.push_back(Groups());
      if (!std::equal(expected.begin(), expected.end(),
                      group_sizes_.dimensions().begin(), CompatibleSizes)) {
        return Fail("group_sizes is expected to have shape [", Joined(expected),
                    "], got [", Joined(group_sizes_.dimensions()), "]");
      }
    }
    if (IsFree() && !CompatibleSizes(rhs_.dimensions()[group_[0]], Groups())) {
      return Fail("rhs group dimension is expected to have size=", Groups(),
                  ", got ", rhs_.dimensions()[group_[0]]);
    }
    return absl::OkStatus();
  }

  const ShapeInferenceInput& input_;
  const DotNumbers& numbers_;
  const Shape& lhs_;
  const Shape& rhs_;
  const Shape& group_sizes_;
  int64_t ragged_ = 0;
  Sizes group_;
};

bool IsUnscaled(const Shape& scale) {
  return IsScalar(scale) && scale.element_type() == PrimitiveType::kBF16;
}

// A scale has the rank of its operand, and each of its sizes divides the
// operand's. One bf16 scalar says that there is none.
absl::Status CheckScale(const ShapeInferenceInput& input, size_t operand) {
  const Shape& x = Operand(input, operand);
  const Shape& scale = Operand(input, operand + 2);
  if (IsUnscaled(scale)) return absl::OkStatus();
  if (RankOf(x) != RankOf(scale) || !scale.IsArray()) {
    return Error("Scale operand ", Human(scale),
                 " has a different number of dimensions than operand ",
                 Human(x));
  }
  for (int64_t i = 0; i < RankOf(x); ++i) {
    const int64_t size = x.dimensions()[i];
    const int64_t part = scale.dimensions()[i];
    if (CompatibleSizes(size, part) || (part > 0 && size % part == 0)) continue;
    return Error("Dimension ", i, " of operand ", Human(x),
                 " should be a multiple of dimension ", i, " of scale operand ",
                 Human(scale));
  }
  return absl::OkStatus();
}

absl::Status ExpectSides(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArray(Operand(input, 0), "lhs of dot"));
  return ExpectArray(Operand(input, 1), "rhs of dot");
}

}  // namespace

Result InferDot(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectSides(input));
  FERRY_ASSIGN_OR_RETURN(const DotNumbers numbers, ReadDotNumbers(input));
  const Shape& lhs = Operand(input, 0);
  const Shape& rhs = Operand(input, 1);
  FERRY_RETURN_IF_ERROR(CheckDot(lhs, rhs, numbers));
  Dimensions dimensions;
  AddBatch(lhs, numbers, dimensions);
  AddFree(lhs, numbers.lhs_batch, numbers.lhs_contracting, {}, dimensions);
  AddFree(rhs, numbers.rhs_batch, numbers.rhs_contracting, {}, dimensions);
  return MakeArray(input,
                   HigherPrecision(lhs.element_type(), rhs.element_type()),
                   dimensions);
}

Result InferRaggedDot(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectSides(input));
  FERRY_ASSIGN_OR_RETURN(const DotNumbers numbers, ReadDotNumbers(input));
  FERRY_RETURN_IF_ERROR(
      CheckDot(Operand(input, 0), Operand(input, 1), numbers));
  return RaggedDot(input, numbers).Infer();
}

Result InferScaledDot(const ShapeInferenceInput& input) {
  FERRY_ASSIGN_OR_RETURN(const Shape* dot, InferDot(input));
  FERRY_RETURN_IF_ERROR(CheckScale(input, 0));
  FERRY_RETURN_IF_ERROR(CheckScale(input, 1));
  if (IsUnscaled(Operand(input, 2)) && IsUnscaled(Operand(input, 3))) {
    return Error("both scales of scaled-dot are scalars");
  }
  return dot;
}

}  // namespace ferry::shape_inference
