// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// A window over the spatial dimensions of the left operand; the labels say
// which dimension is which: `b01f_01io->b01f`.

#include <algorithm>
#include <optional>
#include <vector>

#include "ferry/hlo/element_type_class.h"
#include "ferry/hlo/shape_inference_rules.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/hlo/window.h"

namespace ferry::shape_inference {
namespace {

// One of the three parts of the labels.
struct Labels {
  absl::string_view text;

  int64_t Find(char label) const {
    const size_t at = text.find(label);
    return at == absl::string_view::npos ? -1 : static_cast<int64_t>(at);
  }
  int64_t SpatialCount() const {
    return std::count_if(text.begin(), text.end(),
                         [](char c) { return c >= '0' && c <= '9'; });
  }
};

class Convolution {
 public:
  explicit Convolution(const ShapeInferenceInput& input)
      : input_(input),
        lhs_(Operand(input, 0)),
        rhs_(Operand(input, 1)),
        all_labels_(input.attribute(HloAttributeKind::kDimLabels)),
        window_text_(input.attribute(HloAttributeKind::kWindow)),
        feature_groups_(
            Integer(input, HloAttributeKind::kFeatureGroupCount, 1)),
        batch_groups_(Integer(input, HloAttributeKind::kBatchGroupCount, 1)) {}

  Result Infer() {
    FERRY_RETURN_IF_ERROR(ExpectArray(lhs_, "lhs of convolution"));
    FERRY_RETURN_IF_ERROR(ExpectArray(rhs_, "rhs of convolution"));
    FERRY_RETURN_IF_ERROR(CheckGroupCounts());
    FERRY_RETURN_IF_ERROR(ReadLabels());
    FERRY_RETURN_IF_ERROR(CheckFeatures());
    FERRY_RETURN_IF_ERROR(ReadAndCheckWindow());
    return Make();
  }

 private:
  absl::Status CheckGroupCounts() const {
    if (feature_groups_ <= 0) {
      return Error("feature_group_count must be a positive number, got ",
                   feature_groups_);
    }
    if (batch_groups_ <= 0) {
      return Error("batch_group_count must be a positive number, got ",
                   batch_groups_);
    }
    if (batch_groups_ > 1 && feature_groups_ > 1) {
      return Error("both batch_group_count ", batch_groups_,
                   " and feature_group_count ", feature_groups_,
                   " cannot be greater than 1");
    }
    return absl::OkStatus();
  }

  absl::Status ReadLabels() {
    const size_t kernel_at = all_labels_.find('_');
    const size_t out_at = all_labels_.find("->");
    if (kernel_at == absl::string_view::npos ||
        out_at == absl::string_view::npos || out_at < kernel_at) {
      return Error("bad dimension labels: ", all_labels_);
    }
    base_.text = all_labels_.substr(0, kernel_at);
    kernel_.text = all_labels_.substr(kernel_at + 1, out_at - kernel_at - 1);
    out_.text = all_labels_.substr(out_at + 2);
    for (const auto& [labels, label] :
         {std::pair{base_, 'b'}, std::pair{base_, 'f'}, std::pair{kernel_, 'i'},
          std::pair{kernel_, 'o'}, std::pair{out_, 'b'},
          std::pair{out_, 'f'}}) {
      if (labels.Find(label) >= 0) continue;
      return Error("bad dimension labels: ", all_labels_);
    }
    // Labels `?` are read, but no array has such dimensions.
    const int64_t rank = base_.SpatialCount() + 2;
    if (RankOf(lhs_) != rank ||
        rank != static_cast<int64_t>(base_.text.size())) {
      return Error("The LHS argument to a convolution should have rank ", rank,
                   "; lhs: ", Human(lhs_), ".");
    }
    if (RankOf(rhs_) != rank ||
        rank != static_cast<int64_t>(kernel_.text.size())) {
      return Error("The RHS argument to a convolution should have rank ", rank,
                   "; rhs: ", Human(rhs_), ".");
    }
    return absl::OkStatus();
  }

  template <typename... Parts>
  absl::Status Fail(const Parts&... why) const {
    return Error(why..., "; got <conv>(", Human(lhs_), ", ", Human(rhs_),
                 "), dim_labels=", all_labels_);
  }

  int64_t LhsSize(char label) const {
    return lhs_.dimensions()[base_.Find(label)];
  }
  int64_t RhsSize(char label) const {
    return rhs_.dimensions()[kernel_.Find(label)];
  }

  absl::Status CheckFeatures() const {
    const int64_t batch = LhsSize('b');
    const int64_t features = LhsSize('f');
    const int64_t kernel_inputs = RhsSize('i');
    const int64_t outputs = RhsSize('o');
    if (batch % batch_groups_ != 0 ||
        (batch == kUnboundedDimension && batch_groups_ > 1)) {
      return Fail("Expected input batch dimension (value ", batch,
                  ") to be divisible by batch_group_count (value ",
                  batch_groups_, ")");
    }
    if (features % feature_groups_ != 0 ||
        features / feature_groups_ != kernel_inputs) {
      return Fail("Expected LHS feature dimension (value ", features,
                  ") to be a multiple of feature_group_count (value ",
                  feature_groups_,
                  "), and LHS feature dimension / feature_group_count = RHS "
                  "feature dimension (value ",
                  kernel_inputs, ")");
    }
    if (rhs_.is_dynamic_dimension(kernel_.Find('o'))) {
      return Error(
          "Dynamic output feature dim on convolution kernel is not "
          "supported: rhs shape is ",
          Human(rhs_));
    }
    if (outputs % feature_groups_ != 0) {
      return Fail("Expected output feature dimension (value ", outputs,
                  ") to be divisible by feature_group_count (value ",
                  feature_groups_, ")");
    }
    if (outputs % batch_groups_ != 0) {
      return Fail("Expected output feature dimension size (value ", outputs,
                  ") to be a multiple of batch group count ", batch_groups_);
    }
    return absl::OkStatus();
  }

  absl::Status ReadAndCheckWindow() {
    auto window = ReadWindow(window_text_);
    const int64_t spatial = base_.SpatialCount();
    const int64_t count = window.has_value() ? window->size() : 0;
    if (count != spatial) {
      return Error(
          "Window must have same number of dimensions as dimension "
          "numbers. Window: ",
          window_text_, ", dim_labels=", all_labels_);
    }
    window_ = *std::move(window);
    for (int64_t i = 0; i < spatial; ++i) {
      const int64_t at = kernel_.Find(static_cast<char>('0' + i));
      if (at < 0 || !CompatibleSizes(rhs_.dimensions()[at], window_[i].size)) {
        return Error("Window dimensions do not match RHS shape: ", Human(rhs_),
                     ", window=", window_text_, ", dim_labels=", all_labels_);
      }
      FERRY_RETURN_IF_ERROR(CheckWindowDimension(window_[i], window_text_));
    }
    return absl::OkStatus();
  }

  Result Make() const {
    Dimensions dimensions;
    for (char label : out_.text) {
      const int64_t at = base_.Find(label);
      if (label == 'b') {
        const int64_t batch = LhsSize('b');
        dimensions.Add(
            batch == kUnboundedDimension ? batch : batch / batch_groups_,
            lhs_.is_dynamic_dimension(at));
      } else if (label == 'f') {
        dimensions.Add(RhsSize('o'), false);
      } else if (at < 0) {
        return Error("bad dimension labels: ", all_labels_);
      } else {
        const auto size =
            WindowedSize(lhs_.dimensions()[at], window_[label - '0']);
        if (!size.has_value()) {
          return Error("Window ", window_text_, " does not fit ", Human(lhs_));
        }
        dimensions.Add(*size,
                       lhs_.is_dynamic_dimension(at) ||
                           rhs_.is_dynamic_dimension(kernel_.Find(label)));
      }
    }
    return MakeArray(input_,
                     HigherPrecision(lhs_.element_type(), rhs_.element_type()),
                     dimensions);
  }

  const ShapeInferenceInput& input_;
  const Shape& lhs_;
  const Shape& rhs_;
  const absl::string_view all_labels_;
  const absl::string_view window_text_;
  const int64_t feature_groups_;
  const int64_t batch_groups_;
  Labels base_, kernel_, out_;
  std::vector<WindowDimension> window_;
};

}  // namespace

Result InferConvolution(const ShapeInferenceInput& input) {
  return Convolution(input).Infer();
}

}  // namespace ferry::shape_inference
