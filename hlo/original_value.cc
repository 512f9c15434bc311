// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/original_value.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/value_reader.h"

namespace ferry {
namespace {

// Each leaf costs its depth, so that of a text is bounded.
constexpr size_t kDeepest = 256;

absl::Status ReadArray(HloLexer& lexer, absl::Span<const int64_t> index,
                       OriginalValue& value) {
  OriginalValue::Array array;
  FERRY_RETURN_IF_ERROR(
      ReadPunctuation(lexer, '{', "to start the origin of an array"));
  if (lexer.Peek() == '"' || lexer.Peek() == '\'') {
    FERRY_RETURN_IF_ERROR(ReadQuotedString(lexer, "the name of an instruction",
                                           value.strings,
                                           array.instruction_name));
    if (lexer.Peek() == '{') {
      FERRY_RETURN_IF_ERROR(ReadShapeIndex(lexer, array.shape_index));
    }
  }
  FERRY_RETURN_IF_ERROR(
      ReadPunctuation(lexer, '}', "at the end of the origin of an array"));
  value.SetLeaf(index, std::move(array));
  return absl::OkStatus();
}

absl::Status ReadSyntheticCall(HloLexer& lexer, OriginalValue& value) {
  if (!lexer.ConsumeWord("synthetic_call")) {
    return ExpectedError(lexer, "`synthetic_call`");
  }
  value.set_is_synthetic_call();
  FERRY_RETURN_IF_ERROR(ReadPunctuation(lexer, ']', "behind `synthetic_call`"));
  return ReadPunctuation(lexer, '}', "at the end of an origin");
}

}  // namespace

void OriginalValue::clear() {
  is_synthetic_call_ = false;
  nodes_.assign(1, Node());
  strings.clear();
}

void OriginalValue::SetLeaf(absl::Span<const int64_t> index, Array array) {
  size_t at = 0;
  for (const int64_t element : index) {
    nodes_[at].is_leaf = false;
    while (static_cast<int64_t>(nodes_[at].elements.size()) <= element) {
      nodes_[at].elements.push_back(nodes_.size());
      nodes_.emplace_back();
    }
    at = nodes_[at].elements[element];
  }
  nodes_[at].is_leaf = true;
  nodes_[at].array = std::move(array);
  nodes_[at].elements.clear();
}

// Depth first, without recursion: texts nest as deep as they like.
template <typename Enter, typename Leave>
void OriginalValue::Walk(Enter enter, Leave leave) const {
  struct Step {
    size_t node;
    size_t next;
  };
  std::vector<Step> open = {{0, 0}};
  ShapeIndex index;
  enter(nodes_[0], index);
  while (!open.empty()) {
    const Node& node = nodes_[open.back().node];
    const size_t next = open.back().next++;
    if (next == node.elements.size()) {
      leave(node);
      open.pop_back();
      if (!index.empty()) index.pop_back();
      continue;
    }
    index.push_back(static_cast<int64_t>(next));
    open.push_back({node.elements[next], 0});
    enter(nodes_[open.back().node], index);
  }
}

std::vector<OriginalValue::Leaf> OriginalValue::Leaves() const {
  std::vector<Leaf> leaves;
  Walk(
      [&](const Node& node, const ShapeIndex& index) {
        if (node.is_leaf) leaves.push_back({index, &node.array});
      },
      [](const Node&) {});
  return leaves;
}

void OriginalValue::AppendTo(std::string& out) const {
  if (is_synthetic_call_) {
    out += "{[synthetic_call]}";
    return;
  }
  out += '{';
  Walk(
      [&](const Node& node, const ShapeIndex& index) {
        if (!index.empty() && index.back() > 0) out += ", ";
        out += node.is_leaf ? '{' : '(';
      },
      [&](const Node& node) {
        if (!node.is_leaf) {
          out += ')';
          return;
        }
        if (!node.array.instruction_name.empty()) {
          absl::StrAppend(&out, "\"", node.array.instruction_name, "\"");
          if (!node.array.shape_index.empty()) {
            out += ' ';
            AppendShapeIndex(node.array.shape_index, out);
          }
        }
        out += '}';
      });
  out += '}';
}

// Parentheses and commas only move the index of the next leaf, as in XLA.
absl::Status Read(HloLexer& lexer, OriginalValue& value) {
  value.clear();
  FERRY_RETURN_IF_ERROR(ReadPunctuation(lexer, '{', "to start an origin"));
  if (lexer.Consume('[')) return ReadSyntheticCall(lexer, value);
  ShapeIndex index;
  while (!lexer.Consume('}')) {
    if (lexer.Peek() == '{') {
      FERRY_RETURN_IF_ERROR(ReadArray(lexer, index, value));
    } else if (index.size() < kDeepest && lexer.Consume('(')) {
      index.push_back(0);
    } else if (lexer.Consume(')')) {
      if (!index.empty()) index.pop_back();
    } else if (lexer.Peek() == ',' && !index.empty()) {
      lexer.Consume(',');
      ++index.back();
    } else {
      return ExpectedError(
          lexer, "arrays or tuples of arrays, at most 256 deep, in an origin");
    }
  }
  return absl::OkStatus();
}

}  // namespace ferry
