// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Windows of an array at places that an array of indices names.
//
//   gather    result   = batch dimensions (of the indices, less the index
//                        vector) and, at offset_dims, the window
//   scatter   updates  = scatter dimensions and, at update_window_dims, the
//                        window

#include <algorithm>
#include <optional>

#include "absl/strings/str_join.h"
#include "ferry/hlo/element_type_class.h"
#include "ferry/hlo/shape_inference_rules.h"
#include "ferry/hlo/status_macros.h"

namespace ferry::shape_inference {
namespace {

bool IsSorted(absl::Span<const int64_t> numbers) {
  return std::is_sorted(numbers.begin(), numbers.end());
}

// The first number that is outside of [0, bound).
std::optional<int64_t> FirstOutside(absl::Span<const int64_t> numbers,
                                    int64_t bound) {
  for (int64_t number : numbers) {
    if (number < 0 || number >= bound) return number;
  }
  return std::nullopt;
}

// The names that messages use; the rules are the same for both.
struct Words {
  absl::string_view op;         // "gather"
  absl::string_view title;      // "Gather"
  absl::string_view indices;    // "start_indices"
  absl::string_view index_map;  // "start_index_map"
  absl::string_view collapsed;  // "collapsed_slice_dims"
  absl::string_view batching;   // "operand_batching_dims"
  absl::string_view index_batching;
};

constexpr Words kGatherWords = {"gather",
                                "Gather",
                                "start_indices",
                                "start_index_map",
                                "collapsed_slice_dims",
                                "operand_batching_dims",
                                "start_indices_batching_dims"};
constexpr Words kScatterWords = {"scatter",
                                 "Scatter",
                                 "scatter_indices",
                                 "scatter_dims_to_operand_dims",
                                 "inserted_window_dims",
                                 "input_batching_dims",
                                 "scatter_indices_batching_dims"};

// What both have: where the dimensions of operand and indices go.
struct Numbers {
  Sizes window;     // offset_dims, update_window_dims
  Sizes collapsed;  // collapsed_slice_dims, inserted_window_dims
  Sizes index_map;
  Sizes batching;
  Sizes index_batching;
  int64_t index_vector = 0;
};

absl::StatusOr<Numbers> ReadNumbers(const ShapeInferenceInput& input) {
  using Kind = HloAttributeKind;
  const bool gather = input.opcode == HloOpcode::kGather;
  Numbers numbers;
  FERRY_ASSIGN_OR_RETURN(
      numbers.window,
      Integers(input, gather ? Kind::kOffsetDims : Kind::kUpdateWindowDims));
  FERRY_ASSIGN_OR_RETURN(numbers.collapsed,
                         Integers(input, gather ? Kind::kCollapsedSliceDims
                                                : Kind::kInsertedWindowDims));
  FERRY_ASSIGN_OR_RETURN(
      numbers.index_map,
      Integers(input, gather ? Kind::kStartIndexMap
                             : Kind::kScatterDimsToOperandDims));
  FERRY_ASSIGN_OR_RETURN(numbers.batching,
                         Integers(input, gather ? Kind::kOperandBatchingDims
                                                : Kind::kInputBatchingDims));
  FERRY_ASSIGN_OR_RETURN(
      numbers.index_batching,
      Integers(input, gather ? Kind::kStartIndicesBatchingDims
                             : Kind::kScatterIndicesBatchingDims));
  numbers.index_vector = Integer(input, Kind::kIndexVectorDim, 0);
  return numbers;
}

absl::Status CheckIndices(const Words& words, const Shape& indices,
                          int64_t index_vector) {
  if (!IsInteger(indices.element_type())) {
    return Error(words.title,
                 " indices parameter must be an integral tensor; got ",
                 Human(indices), ".");
  }
  if (index_vector >= 0 && index_vector <= RankOf(indices)) {
    return absl::OkStatus();
  }
  return Error(words.title, " index leaf dimension must be within [0, rank(",
               words.indices, ") + 1). rank(", words.indices, ") is ",
               RankOf(indices), " and ", words.op, " index leaf dimension is ",
               index_vector, ".");
}

// The numbers of one list: in range of the operand, sorted, none twice.
absl::Status CheckOperandDimensions(const Words& words, absl::string_view name,
                                    const Sizes& list, const Shape& operand) {
  if (!IsSorted(list)) {
    return Error(name, " in ", words.op,
                 " op must be sorted; got: ", Joined(list));
  }
  if (HasDuplicates(list)) {
    return Error("Repeated dimensions not allowed in ", name, " in ", words.op,
                 " op; got: ", Joined(list), ".");
  }
  const auto outside = FirstOutside(list, RankOf(operand));
  if (!outside.has_value()) return absl::OkStatus();
  return Error("Invalid ", name, " set in ", words.op,
               " op; valid range is [0, ", RankOf(operand),
               "), got: ", *outside, ".");
}

absl::Status CheckIndexMap(const Words& words, const Numbers& numbers,
                           const Shape& operand, const Shape& indices) {
  const int64_t vector_size = numbers.index_vector < RankOf(indices)
                                  ? indices.dimensions()[numbers.index_vector]
                                  : 1;
  const int64_t count = numbers.index_map.size();
  if (!CompatibleSizes(vector_size, count)) {
    return Error(
        words.title, " op has ", count, " elements in ", words.index_map,
        " and the bound of dimension index_vector_dim=", numbers.index_vector,
        " of ", words.indices, " is ", vector_size,
        ". These two numbers must be equal.");
  }
  for (int64_t i = 0; i < count; ++i) {
    const int64_t dimension = numbers.index_map[i];
    if (dimension >= 0 && dimension < RankOf(operand)) continue;
    return Error("Invalid ", words.index_map, "; domain is [0, ",
                 RankOf(operand), "), got: ", i, "->", dimension, ".");
  }
  if (HasDuplicates(numbers.index_map)) {
    return Error("Repeated dimensions are not allowed in ", words.index_map,
                 "; got: ", Joined(numbers.index_map), ".");
  }
  return absl::OkStatus();
}

// Dimensions that operand and indices have in common.
absl::Status CheckBatching(const Words& words, const Numbers& numbers,
                           const Shape& indices) {
  if (numbers.batching.size() != numbers.index_batching.size()) {
    return Error(words.batching, " and ", words.index_batching, " in ",
                 words.op,
                 " op must be of the same size; got: ", numbers.batching.size(),
                 " and ", numbers.index_batching.size(), ".");
  }
  if (HasDuplicates(numbers.index_batching)) {
    return Error("Repeated dimensions are not allowed in ",
                 words.index_batching,
                 "; got: ", Joined(numbers.index_batching), ".");
  }
  for (size_t i = 0; i < numbers.batching.size(); ++i) {
    const int64_t there = numbers.index_batching[i];
    if (there < 0 || there >= RankOf(indices)) {
      return Error("Invalid ", words.index_batching, "; domain is [0, ",
                   RankOf(indices), "), got: ", i, "->", there, ".");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckNumbers(const Words& words, const Numbers& numbers,
                          const Shape& operand, const Shape& indices) {
  FERRY_RETURN_IF_ERROR(CheckOperandDimensions(words, words.collapsed,
                                               numbers.collapsed, operand));
  FERRY_RETURN_IF_ERROR(CheckIndexMap(words, numbers, operand, indices));
  FERRY_RETURN_IF_ERROR(
      CheckOperandDimensions(words, words.batching, numbers.batching, operand));
  return CheckBatching(words, numbers, indices);
}

// The dimensions of the indices that count places: all but the index vector.
Dimensions PlacesOf(const Shape& indices, int64_t index_vector) {
  Dimensions places;
  for (int64_t i = 0; i < RankOf(indices); ++i) {
    if (i != index_vector) places.AddFrom(indices, i);
  }
  return places;
}

// The window of a gather, less the dimensions that fall away.
absl::StatusOr<Dimensions> GatheredWindow(const Numbers& numbers,
                                          const Sizes& slices,
                                          const Shape& operand) {
  if (static_cast<int64_t>(slices.size()) != RankOf(operand)) {
    return Error(
        "Gather op must have one slice size for every input "
        "dimension; got: len(slice_sizes)=",
        slices.size(), ", input_shape.rank=", RankOf(operand), ".");
  }
  if (slices.size() != numbers.window.size() + numbers.collapsed.size() +
                           numbers.batching.size()) {
    return Error(
        "All components of the offset index in a gather op must either be a "
        "offset dimension or explicitly collapsed or explicitly batched; got "
        "len(slice_sizes)=",
        slices.size(),
        ", output_slice_sizes=", absl::StrJoin(numbers.window, ","),
        ", collapsed_slice_dims=", absl::StrJoin(numbers.collapsed, ","),
        ", operand_batching_dims=", absl::StrJoin(numbers.batching, ","), ".");
  }
  for (size_t i = 0; i < slices.size(); ++i) {
    const int64_t size = operand.dimensions()[i];
    if (slices[i] >= 0 && (size == kUnboundedDimension || slices[i] <= size)) {
      continue;
    }
    return Error("Slice size at index ", i,
                 " in gather op is out of range, must be within [0, ", size + 1,
                 "), got ", slices[i], ".");
  }
  for (const bool batching : {false, true}) {
    const Sizes& list = batching ? numbers.batching : numbers.collapsed;
    for (size_t i = 0; i < list.size(); ++i) {
      if (slices[list[i]] <= 1) continue;
      return Error(
          "Gather op can only ",
          batching ? "have operand_batching_dims" : "collapse slice dims",
          " with bound 1 or 0, but bound is ", slices[list[i]], " for index ",
          list[i], " at position ", i, ".");
    }
  }
  Dimensions window;
  for (int64_t i = 0; i < RankOf(operand); ++i) {
    if (Contains(numbers.collapsed, i) || Contains(numbers.batching, i)) {
      continue;
    }
    window.Add(slices[i], slices[i] == operand.dimensions()[i] &&
                              operand.is_dynamic_dimension(i));
  }
  return window;
}

// The sizes that a window of the operand may have at most.
Sizes WindowBounds(const Numbers& numbers, const Shape& operand) {
  Sizes bounds;
  for (int64_t i = 0; i < RankOf(operand); ++i) {
    if (Contains(numbers.collapsed, i) || Contains(numbers.batching, i)) {
      continue;
    }
    bounds.push_back(operand.dimensions()[i]);
  }
  return bounds;
}

absl::Status CheckUpdates(const Numbers& numbers, const Shape& operand,
                          const Shape& indices, const Shape& updates) {
  const Dimensions places = PlacesOf(indices, numbers.index_vector);
  const int64_t expected = places.sizes.size() + numbers.window.size();
  if (RankOf(updates) != expected) {
    return Error("Updates tensor must be of rank ", expected, "; got ",
                 RankOf(updates), ".");
  }
  if (!IsSorted(numbers.window)) {
    return Error("update_window_dims in scatter op must be sorted; got: ",
                 Joined(numbers.window), ".");
  }
  if (HasDuplicates(numbers.window)) {
    return Error("update_window_dims in scatter op must not repeat; got: ",
                 Joined(numbers.window), ".");
  }
  if (const auto outside = FirstOutside(numbers.window, RankOf(updates));
      outside.has_value()) {
    return Error(
        "Invalid update_window_dims set in scatter op; valid range is "
        "[0, ",
        RankOf(updates), "). got: ", *outside, ".");
  }
  const int64_t window_size = numbers.window.size() + numbers.collapsed.size() +
                              numbers.batching.size();
  FERRY_RETURN_IF_ERROR(CheckNumbers(kScatterWords, numbers, operand, indices));
  if (window_size != RankOf(operand)) {
    return Error("Scatter op has window of size ", window_size,
                 "; doesn't match operand of rank ", RankOf(operand), ".");
  }
  const Sizes bounds = WindowBounds(numbers, operand);
  size_t next_place = 0;
  size_t next_window = 0;
  for (int64_t i = 0; i < RankOf(updates); ++i) {
    const int64_t size = updates.dimensions()[i];
    if (Contains(numbers.window, i)) {
      const int64_t bound = bounds[next_window++];
      if (size == kUnboundedDimension || bound == kUnboundedDimension ||
          size <= bound) {
        continue;
      }
      return Error(
          "Bounds of the window dimensions of updates must not exceed "
          "the bounds of the corresponding dimensions of operand. For "
          "dimension ",
          i, ", updates bound is ", size, ", operand bound is ", bound, ".");
    }
    const int64_t bound = places.sizes[next_place++];
    if (CompatibleSizes(size, bound)) continue;
    return Error(
        "Bounds of the scatter dimensions of updates must be same as "
        "the bounds of the corresponding dimensions of scatter "
        "indices. For scatter dimension ",
        i, ", updates bound is ", size, ", scatter_indices bound is ", bound,
        ".");
  }
  return absl::OkStatus();
}

}  // namespace

Result InferGather(const ShapeInferenceInput& input) {
  const Shape& operand = Operand(input, 0);
  const Shape& indices = Operand(input, 1);
  FERRY_RETURN_IF_ERROR(
      ExpectArray(operand, "input tensor operand of gather op"));
  FERRY_RETURN_IF_ERROR(
      ExpectArray(indices, "gather indices operand of gather op"));
  FERRY_ASSIGN_OR_RETURN(const Numbers numbers, ReadNumbers(input));
  FERRY_ASSIGN_OR_RETURN(const Sizes slices,
                         Integers(input, HloAttributeKind::kSliceSizes));
  FERRY_RETURN_IF_ERROR(
      CheckIndices(kGatherWords, indices, numbers.index_vector));
  if (!IsSorted(numbers.window)) {
    return Error(
        "Output window dimensions in gather op must be ascending; "
        "got: ",
        Joined(numbers.window), ".");
  }
  if (HasDuplicates(numbers.window)) {
    return Error("Output window dimensions in gather op must not repeat; got: ",
                 Joined(numbers.window), ".");
  }
  const Dimensions places = PlacesOf(indices, numbers.index_vector);
  const int64_t rank = numbers.window.size() + places.sizes.size();
  for (size_t i = 0; i < numbers.window.size(); ++i) {
    if (numbers.window[i] >= 0 && numbers.window[i] < rank) continue;
    return Error("Offset dimension ", i, " in gather op is out of bounds; got ",
                 numbers.window[i], ", but should have been in [0,", rank,
                 ").");
  }
  FERRY_RETURN_IF_ERROR(CheckNumbers(kGatherWords, numbers, operand, indices));
  FERRY_ASSIGN_OR_RETURN(const Dimensions window,
                         GatheredWindow(numbers, slices, operand));
  Dimensions result;
  size_t next_window = 0;
  size_t next_place = 0;
  for (int64_t i = 0; i < rank; ++i) {
    const bool is_window = Contains(numbers.window, i);
    const Dimensions& from = is_window ? window : places;
    const size_t at = is_window ? next_window++ : next_place++;
    result.Add(from.sizes[at], from.dynamic[at]);
  }
  return MakeArray(input, operand.element_type(), result);
}

// n arrays, the indices, n updates.
Result InferScatter(const ShapeInferenceInput& input) {
  const size_t count = input.operands.size() / 2;
  const auto arrays = input.operands.first(count);
  const Shape& indices = Operand(input, count);
  const auto updates = input.operands.subspan(count + 1);
  for (size_t i = 0; i < count; ++i) {
    FERRY_RETURN_IF_ERROR(
        ExpectArray(*arrays[i], absl::StrCat("operand ", i, " of scatter op")));
    FERRY_RETURN_IF_ERROR(ExpectArray(
        *updates[i], absl::StrCat("updates ", i, " of scatter op")));
  }
  FERRY_RETURN_IF_ERROR(ExpectArray(indices, "scatter indices of scatter op"));
  FERRY_ASSIGN_OR_RETURN(const Numbers numbers, ReadNumbers(input));
  FERRY_RETURN_IF_ERROR(
      CheckIndices(kScatterWords, indices, numbers.index_vector));
  absl::InlinedVector<PrimitiveType, 2> types;
  absl::InlinedVector<const Shape*, 2> initial;
  for (size_t i = 0; i < count; ++i) {
    Dimensions scalar;
    types.push_back(updates[i]->element_type());
    initial.push_back(MakeArray(input, arrays[i]->element_type(), scalar));
  }
  FERRY_RETURN_IF_ERROR(
      CheckReducer(*input.called_computations[0], initial, types));
  for (size_t i = 0; i < count; ++i) {
    if (arrays[i]->dimensions() != arrays[0]->dimensions() ||
        updates[i]->dimensions() != updates[0]->dimensions()) {
      return Error(
          "All scatter operands must have the same dimensions, and so "
          "must all updates; got ",
          Human(*arrays[0]), " and ", Human(*arrays[i]), ", ",
          Human(*updates[0]), " and ", Human(*updates[i]), ".");
    }
    FERRY_RETURN_IF_ERROR(
        CheckUpdates(numbers, *arrays[i], indices, *updates[i]));
  }
  return MakeResult(input, arrays);
}

}  // namespace ferry::shape_inference
