// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/section_model.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "ferry/memory/alignment.h"

namespace ferry {
namespace {

// 200 MB of lists.
constexpr int64_t kMaxIncidences = 50'000'000;

// Where a piece of an item starts or ends.
struct Event {
  LogicalTime time;
  bool is_start;  // ends come first
  int32_t piece;

  friend bool operator<(const Event& a, const Event& b) {
    return std::tie(a.time, a.is_start, a.piece) <
           std::tie(b.time, b.is_start, b.piece);
  }
};

// One piece while sections are counted.
struct OpenPiece {
  int32_t item;
  int64_t height;
  int32_t begin = 0;
  int32_t end = 0;
};

// Numbers the sections and says in which each piece is live.
int32_t AssignSections(std::vector<Event> events,
                       std::vector<OpenPiece>& pieces) {
  std::sort(events.begin(), events.end());
  int32_t section = 0;
  bool has_start = false;  // since the last section was closed
  for (const Event& event : events) {
    if (event.is_start) {
      pieces[event.piece].begin = section;
      has_start = true;
      continue;
    }
    if (has_start) {
      ++section;
      has_start = false;
    }
    pieces[event.piece].end = section;
  }
  return section;
}

// The spans of one item: disjoint, the greatest height wherever pieces meet.
void AppendSpans(std::vector<OpenPiece> pieces,
                 std::vector<SectionModel::Span>& spans) {
  std::vector<int32_t> cuts;
  for (const OpenPiece& piece : pieces) {
    cuts.push_back(piece.begin);
    cuts.push_back(piece.end);
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  const size_t first = spans.size();
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    int64_t height = 0;
    for (const OpenPiece& piece : pieces) {
      if (piece.begin <= cuts[i] && cuts[i + 1] <= piece.end) {
        height = std::max(height, piece.height);
      }
    }
    if (height == 0) continue;
    if (spans.size() > first && spans.back().end == cuts[i] &&
        spans.back().height == height) {
      spans.back().end = cuts[i + 1];
    } else {
      spans.push_back({cuts[i], cuts[i + 1], height});
    }
  }
}

}  // namespace

SectionModel::SectionModel(const PackingProblem& problem) {
  int64_t alignment = 0;
  for (const PackingBuffer& buffer : problem.buffers) {
    alignment = std::gcd(alignment, buffer.alignment_bytes);
  }
  alignment = std::max<int64_t>(alignment, 1);
  std::vector<Event> events;
  std::vector<OpenPiece> pieces;
  int64_t divisor = alignment == 1 ? 0 : alignment;
  for (const PackingBuffer& buffer : problem.buffers) {
    const BufferPiece bounds = buffer.Bounds();
    Item item;
    item.size_bytes = bounds.size_bytes;
    item.height = AlignUp(bounds.size_bytes, alignment);
    item.alignment = buffer.alignment_bytes;
    item.fixed_offset = buffer.fixed_offset_bytes.value_or(kNotFixed);
    if (item.fixed_offset > 0) divisor = std::gcd(divisor, item.fixed_offset);
    if (item.alignment > alignment) divisor = std::gcd(divisor, item.alignment);
    BufferPiece storage;
    for (const BufferPiece& piece : buffer.Pieces(storage)) {
      if (piece.live.IsEmpty() || piece.size_bytes == 0) continue;
      is_exact &= piece.offset_bytes == 0;
      const int64_t height =
          AlignUp(piece.offset_bytes + piece.size_bytes, alignment);
      divisor = std::gcd(divisor, height);
      const int32_t index = static_cast<int32_t>(pieces.size());
      events.push_back({piece.live.start, true, index});
      events.push_back({piece.live.end, false, index});
      pieces.push_back({item_count(), height});
    }
    items.push_back(item);
  }
  unit = std::max<int64_t>(divisor, 1);
  const int32_t sections = AssignSections(std::move(events), pieces);

  size_t next = 0;
  for (int32_t i = 0; i < item_count(); ++i) {
    span_begin.push_back(static_cast<int32_t>(spans.size()));
    const size_t first = next;
    while (next < pieces.size() && pieces[next].item == i) ++next;
    AppendSpans({pieces.begin() + first, pieces.begin() + next}, spans);
    items[i].is_uniform = spans.size() - span_begin.back() == 1;
  }
  span_begin.push_back(static_cast<int32_t>(spans.size()));

  int64_t incidences = 0;
  for (const Span& span : spans) incidences += span.end - span.begin;
  is_too_large = incidences > kMaxIncidences;
  section_begin.assign(sections + 1, 0);
  if (is_too_large) return;
  for (const Span& span : spans) {
    for (int32_t s = span.begin; s < span.end; ++s) ++section_begin[s + 1];
  }
  std::partial_sum(section_begin.begin(), section_begin.end(),
                   section_begin.begin());
  section_items.resize(section_begin.back());
  std::vector<int32_t> fill(section_begin.begin(), section_begin.end() - 1);
  for (int32_t i = 0; i < item_count(); ++i) {
    for (const Span& span : SpansOf(i)) {
      for (int32_t s = span.begin; s < span.end; ++s) {
        section_items[fill[s]++] = i;
      }
    }
  }
}

int64_t SectionModel::HeightUnder(int32_t lower, int32_t upper) const {
  if (items[lower].is_uniform) return items[lower].height;
  int64_t height = 0;
  const absl::Span<const Span> above = SpansOf(upper);
  size_t i = 0;
  for (const Span& span : SpansOf(lower)) {
    while (i < above.size() && above[i].end <= span.begin) ++i;
    if (i == above.size()) break;
    if (above[i].begin < span.end) height = std::max(height, span.height);
  }
  return height;
}

int64_t SectionModel::NextHeight(int64_t height) const {
  // Offsets are multiples of the unit.
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const Item& item : items) {
    const int64_t rest = (item.size_bytes - (height + 1)) % unit;
    least = std::min(least, height + 1 + (rest < 0 ? rest + unit : rest));
  }
  return least;
}

int64_t SectionModel::CountPairs() const {
  // A pair is counted in the first section of each common stretch: where one
  // of the two begins.
  std::vector<int64_t> begins(section_count(), 0);
  for (const Span& span : spans) ++begins[span.begin];
  int64_t pairs = 0;
  for (int32_t s = 0; s < section_count(); ++s) {
    const int64_t live = section_begin[s + 1] - section_begin[s];
    pairs += begins[s] * (live - begins[s]) + begins[s] * (begins[s] - 1) / 2;
  }
  return pairs;
}

}  // namespace ferry
