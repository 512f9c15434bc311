// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/minimalloc_csv.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "ferry/hlo/printable_text.h"
#include "ferry/hlo/string_ref.h"
#include "llvm/ADT/StringMap.h"

namespace ferry {
namespace {

constexpr absl::string_view kOffsetColumn = "offset";

// Takes the next line off `text`, without its end.
absl::string_view TakeLine(absl::string_view& text) {
  const size_t end = text.find('\n');
  absl::string_view line = text.substr(0, end);
  text.remove_prefix(end == absl::string_view::npos ? text.size() : end + 1);
  absl::ConsumeSuffix(&line, "\r");
  return line;
}

bool IsBlank(absl::string_view line) {
  return absl::StripAsciiWhitespace(line).empty();
}

std::vector<absl::string_view> Cells(absl::string_view line) {
  std::vector<absl::string_view> cells = absl::StrSplit(line, ',');
  for (absl::string_view& cell : cells) cell = absl::StripAsciiWhitespace(cell);
  return cells;
}

// Bytes of a byte order mark say nothing.
absl::string_view WithoutMark(absl::string_view text) {
  absl::ConsumePrefix(&text, "\xef\xbb\xbf");
  return text;
}

class CsvParser {
 public:
  CsvParser(absl::string_view text, absl::string_view file)
      : text_(WithoutMark(text)), file_(file) {}

  absl::StatusOr<MiniMallocCsv> Parse() {
    if (absl::Status status = ReadHeader(); !status.ok()) return status;
    while (!text_.empty()) {
      const absl::string_view line = TakeLine(text_);
      ++line_;
      if (IsBlank(line)) continue;
      if (absl::Status status = ReadBuffer(line); !status.ok()) return status;
    }
    return std::move(result_);
  }

  // Where it stands, or has stopped.
  int64_t line() const { return std::max<int64_t>(line_, 1); }

 private:
  absl::Status Error(absl::string_view message) const {
    return absl::InvalidArgumentError(
        absl::StrCat(file_, ":", line(), ": error: ", message));
  }

  absl::Status ReadHeader() {
    absl::string_view line;
    while (IsBlank(line)) {
      if (text_.empty()) {
        return Error("no header; a first line as in `id,lower,upper,size`");
      }
      line = TakeLine(text_);
      ++line_;
    }
    columns_ = Cells(line);
    const std::pair<absl::string_view, std::optional<size_t>*> known[] = {
        {"id", &id_},
        {"lower", &lower_},
        {"upper", &upper_},
        {"size", &size_},
        {"gaps", &gaps_},
        {"alignment", &alignment_},
        {kOffsetColumn, &offset_}};
    for (const auto& [name, column] : known) {
      const auto found = std::find(columns_.begin(), columns_.end(), name);
      if (found == columns_.end()) continue;
      *column = static_cast<size_t>(found - columns_.begin());
      if (std::find(found + 1, columns_.end(), name) != columns_.end()) {
        return Error(absl::StrCat("two columns `", name, "`"));
      }
    }
    for (const auto& [name, column] :
         {known[0], known[1], known[2], known[3]}) {
      if (column->has_value()) continue;
      return Error(absl::StrCat("no column `", name,
                                "`; the first line names the columns, as in "
                                "`id,lower,upper,size`"));
    }
    return absl::OkStatus();
  }

  absl::Status ReadBuffer(absl::string_view line) {
    cells_ = Cells(line);
    if (cells_.size() != columns_.size()) {
      return Error(absl::StrCat(cells_.size(), " cells in ", columns_.size(),
                                " columns"));
    }
    const absl::string_view id = cells_[*id_];
    if (id.empty()) return Error("an empty id");
    const auto [known, is_new] = lines_.try_emplace(ToStringRef(id), line_);
    if (!is_new) {
      return Error(absl::StrCat("the id `", ToPrintableLine(id).text,
                                "` occurs on line ", known->second, " too"));
    }
    PackingBuffer buffer;
    absl::Status status = ReadNumber(*lower_, buffer.live.start);
    if (status.ok()) status = ReadNumber(*upper_, buffer.live.end);
    if (status.ok()) status = ReadNumber(*size_, buffer.size_bytes);
    if (status.ok() && IsThere(alignment_)) {
      status = ReadNumber(*alignment_, buffer.alignment_bytes);
      if (status.ok() && buffer.alignment_bytes == 0) {
        status = Error("the alignment is 0");
      }
    }
    if (status.ok() && IsThere(offset_)) {
      int64_t offset = 0;
      status = ReadNumber(*offset_, offset);
      buffer.fixed_offset_bytes = offset;
    }
    if (!status.ok()) return status;
    if (buffer.live.end < buffer.live.start) {
      return Error(absl::StrCat("lower ", buffer.live.start,
                                " is behind upper ", buffer.live.end));
    }
    if (IsThere(gaps_)) status = ReadGaps(cells_[*gaps_], buffer);
    if (!status.ok()) return status;
    result_.problem.buffers.push_back(std::move(buffer));
    result_.ids.emplace_back(id);
    return absl::OkStatus();
  }

  bool IsThere(std::optional<size_t> column) const {
    return column.has_value() && !cells_[*column].empty();
  }

  absl::Status ReadNumber(size_t column, int64_t& value) const {
    return ReadNumber(columns_[column], cells_[column], value);
  }
  absl::Status ReadNumber(absl::string_view what, absl::string_view text,
                          int64_t& value) const {
    if (!absl::SimpleAtoi(text, &value)) {
      return Error(absl::StrCat(what, " `", ToPrintableLine(text).text,
                                "` is no whole number below 2^63"));
    }
    if (value < 0) return Error(absl::StrCat(what, " ", value, " is below 0"));
    return absl::OkStatus();
  }

  // "2-4 6-7@0:1024": cuts the life of the buffer.
  absl::Status ReadGaps(absl::string_view text, PackingBuffer& buffer) const {
    LogicalTime time = buffer.live.start;
    const auto add = [&](LogicalTime until) {
      if (time < until) {
        buffer.pieces.push_back({{time, until}, 0, buffer.size_bytes});
      }
    };
    for (const absl::string_view gap :
         absl::StrSplit(text, ' ', absl::SkipEmpty())) {
      LiveRange range;
      BufferPiece window;
      const std::pair<absl::string_view, absl::string_view> parts =
          absl::StrSplit(gap, absl::MaxSplits('@', 1));
      absl::Status status =
          ReadRange(gap, parts.first, '-', range.start, range.end);
      if (!status.ok()) return status;
      if (range.start < time || buffer.live.end < range.end) {
        return Error(absl::StrCat("the gap `", ToPrintableLine(gap).text,
                                  "` is outside of the buffer's life, or not "
                                  "behind the gap before"));
      }
      add(range.start);
      time = range.end;
      if (!absl::StrContains(gap, "@")) continue;
      int64_t window_end = 0;
      status =
          ReadRange(gap, parts.second, ':', window.offset_bytes, window_end);
      if (!status.ok()) return status;
      if (window_end > buffer.size_bytes) {
        return Error(absl::StrCat("the gap `", ToPrintableLine(gap).text,
                                  "` keeps bytes that the buffer has not"));
      }
      window.live = range;
      window.size_bytes = window_end - window.offset_bytes;
      buffer.pieces.push_back(window);
    }
    add(buffer.live.end);
    // All gaps: no bytes at all.
    if (buffer.pieces.empty()) buffer.pieces.push_back({buffer.live, 0, 0});
    return absl::OkStatus();
  }

  absl::Status ReadRange(absl::string_view gap, absl::string_view text,
                         char between, int64_t& begin, int64_t& end) const {
    const std::vector<absl::string_view> parts = absl::StrSplit(text, between);
    if (parts.size() != 2) {
      return Error(absl::StrCat("the gap `", ToPrintableLine(gap).text,
                                "` is not as in `2-4` or `2-4@0:1024`"));
    }
    absl::Status status = ReadNumber("gap", parts[0], begin);
    if (status.ok()) status = ReadNumber("gap", parts[1], end);
    if (status.ok() && end < begin) {
      status = Error(absl::StrCat("the gap `", ToPrintableLine(gap).text,
                                  "` runs backwards"));
    }
    return status;
  }

  absl::string_view text_;
  absl::string_view file_;
  int64_t line_ = 0;
  std::vector<absl::string_view> columns_;
  std::optional<size_t> id_, lower_, upper_, size_, gaps_, alignment_, offset_;
  std::vector<absl::string_view> cells_;
  llvm::StringMap<int64_t> lines_;  // by id
  MiniMallocCsv result_;
};

}  // namespace

absl::StatusOr<MiniMallocCsv> ParseMiniMallocCsv(absl::string_view text,
                                                 absl::string_view file,
                                                 int64_t* error_line) {
  CsvParser parser(text, file);
  absl::StatusOr<MiniMallocCsv> result = parser.Parse();
  if (!result.ok() && error_line != nullptr) *error_line = parser.line();
  return result;
}

std::string WriteMiniMallocCsv(absl::string_view text,
                               absl::Span<const int64_t> offsets_bytes) {
  text = WithoutMark(text);
  std::string result;
  std::optional<size_t> offset_column;
  bool is_header = true;
  size_t next = 0;
  while (!text.empty()) {
    const absl::string_view line = TakeLine(text);
    if (IsBlank(line)) continue;
    const std::vector<absl::string_view> cells = Cells(line);
    if (is_header) {
      const auto found = std::find(cells.begin(), cells.end(), kOffsetColumn);
      if (found != cells.end()) {
        offset_column = static_cast<size_t>(found - cells.begin());
      }
    }
    for (size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) result += ',';
      if (!is_header && offset_column == i) {
        absl::StrAppend(&result, offsets_bytes[next]);
      } else {
        absl::StrAppend(&result, cells[i]);
      }
    }
    if (!offset_column.has_value()) {
      result += ',';
      if (is_header) {
        absl::StrAppend(&result, kOffsetColumn);
      } else {
        absl::StrAppend(&result, offsets_bytes[next]);
      }
    }
    result += '\n';
    if (!is_header) ++next;
    is_header = false;
  }
  return result;
}

}  // namespace ferry
