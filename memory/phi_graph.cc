// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Tarjan's strongly connected components, which come out inputs first, over
// sets of phis: all of them, then those within a component that have no input
// from outside of it.

#include "ferry/memory/phi_graph.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"

namespace ferry {
namespace {

class Resolver {
 public:
  Resolver(uint32_t node_count,
           absl::Span<const std::pair<uint32_t, uint32_t>> edges)
      : starts_(node_count + 1, 0),
        inputs_(edges.size()),
        is_(node_count),
        set_of_(node_count, 0),
        order_(node_count, 0),
        low_(node_count, 0) {
    for (const auto& [phi, input] : edges) ++starts_[phi + 1];
    for (uint32_t i = 0; i < node_count; ++i) starts_[i + 1] += starts_[i];
    std::vector<uint32_t> next(starts_.begin(), starts_.end() - 1);
    for (const auto& [phi, input] : edges) inputs_[next[phi]++] = input;
    for (uint32_t i = 0; i < node_count; ++i) is_[i] = i;
  }

  std::vector<uint32_t> Run() {
    std::vector<uint32_t> phis;
    for (uint32_t i = 0; i < is_.size(); ++i) {
      if (starts_[i] != starts_[i + 1]) phis.push_back(i);
    }
    // What lies within a component is done before the components behind it,
    // which may read it.
    std::vector<Frame> frames;
    frames.push_back({FindComponents(phis), 0});
    while (!frames.empty()) {
      Frame& top = frames.back();
      if (top.next == top.components.size()) {
        frames.pop_back();
        continue;
      }
      const std::vector<uint32_t> inner =
          ResolveComponent(top.components[top.next++]);
      if (!inner.empty()) frames.push_back({FindComponents(inner), 0});
    }
    for (uint32_t i = 0; i < is_.size(); ++i) is_[i] = Find(i);
    return std::move(is_);
  }

 private:
  using Component = std::vector<uint32_t>;
  struct Frame {
    std::vector<Component> components;
    size_t next;
  };

  absl::Span<const uint32_t> InputsOf(uint32_t phi) const {
    return absl::MakeConstSpan(inputs_).subspan(
        starts_[phi], starts_[phi + 1] - starts_[phi]);
  }

  uint32_t Find(uint32_t node) {
    while (is_[node] != node) {
      is_[node] = is_[is_[node]];
      node = is_[node];
    }
    return node;
  }

  // The strongly connected components of `set`, inputs first.
  std::vector<Component> FindComponents(absl::Span<const uint32_t> set) {
    ++set_;
    for (const uint32_t phi : set) {
      set_of_[phi] = set_;
      order_[phi] = 0;
    }
    visited_ = 0;
    for (const uint32_t phi : set) {
      if (order_[phi] == 0) Visit(phi);
    }
    return std::move(components_);
  }

  // In the set, and not yet in a finished component.
  bool IsOpen(uint32_t node) const { return set_of_[node] == set_; }

  void Visit(uint32_t start) {
    calls_.push_back({start, 0});
    Enter(start);
    while (!calls_.empty()) {
      const uint32_t phi = calls_.back().first;
      const absl::Span<const uint32_t> inputs = InputsOf(phi);
      if (calls_.back().second < inputs.size()) {
        const uint32_t input = Find(inputs[calls_.back().second++]);
        if (!IsOpen(input)) continue;
        if (order_[input] == 0) {
          Enter(input);
          calls_.push_back({input, 0});
        } else {
          low_[phi] = std::min(low_[phi], order_[input]);
        }
        continue;
      }
      calls_.pop_back();
      if (!calls_.empty()) {
        uint32_t& low = low_[calls_.back().first];
        low = std::min(low, low_[phi]);
      }
      if (low_[phi] == order_[phi]) CloseComponent(phi);
    }
  }

  void Enter(uint32_t phi) {
    order_[phi] = low_[phi] = ++visited_;
    stack_.push_back(phi);
  }

  void CloseComponent(uint32_t last) {
    const auto begin =
        std::find(stack_.rbegin(), stack_.rend(), last).base() - 1;
    components_.emplace_back(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    for (const uint32_t phi : components_.back()) set_of_[phi] = 0;
  }

  // Gives back what must be looked at within the component.
  std::vector<uint32_t> ResolveComponent(absl::Span<const uint32_t> component) {
    ++set_;
    for (const uint32_t phi : component) set_of_[phi] = set_;
    uint32_t only = kNothing;
    bool is_many = false;
    std::vector<uint32_t> inner;
    for (const uint32_t phi : component) {
      bool is_inner = true;
      for (const uint32_t raw : InputsOf(phi)) {
        const uint32_t input = Find(raw);
        if (set_of_[input] == set_) continue;
        is_inner = false;
        is_many = is_many || (only != kNothing && only != input);
        only = input;
      }
      if (is_inner) inner.push_back(phi);
    }
    if (is_many) return inner;
    // Without any input from outside nothing ever arrives: it stays.
    if (only != kNothing) {
      for (const uint32_t phi : component) is_[phi] = only;
    }
    return {};
  }

  static constexpr uint32_t kNothing = UINT32_MAX;

  std::vector<uint32_t> starts_;
  std::vector<uint32_t> inputs_;
  std::vector<uint32_t> is_;
  std::vector<Component> components_;
  uint32_t set_ = 0;
  std::vector<uint32_t> set_of_;
  uint32_t visited_ = 0;
  std::vector<uint32_t> order_;
  std::vector<uint32_t> low_;
  std::vector<std::pair<uint32_t, uint32_t>> calls_;
  std::vector<uint32_t> stack_;
};

}  // namespace

std::vector<uint32_t> PhiGraph::Resolve() {
  return Resolver(node_count_, edges_).Run();
}

std::vector<bool> PhiGraph::HasInput() const {
  std::vector<bool> has_input(node_count_, false);
  for (const auto& [phi, input] : edges_) has_input[phi] = true;
  return has_input;
}

}  // namespace ferry
