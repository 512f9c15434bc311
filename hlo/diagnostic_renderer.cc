// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/diagnostic_renderer.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/printable_text.h"

namespace ferry {
namespace {

// What a part of the output is, for its colour.
enum class Style { kPlain, kBold, kError, kWarning, kNote, kCaret, kDim, kFix };

absl::string_view AnsiCode(Style style) {
  switch (style) {
    case Style::kPlain:
      return "";
    case Style::kBold:
      return "\033[1m";
    case Style::kError:
      return "\033[1;31m";
    case Style::kWarning:
      return "\033[1;35m";
    case Style::kNote:
      return "\033[1;36m";
    case Style::kCaret:
      return "\033[1;32m";
    case Style::kDim:
      return "\033[2m";
    case Style::kFix:
      return "\033[1;32m";
  }
  return "";
}

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '-' || c == '%';
}

bool IsUtf8Continuation(char c) { return (c & 0xc0) == 0x80; }

// The part of a source line that is shown, cut at the caret: what stands in
// front of it, and the rest, of which the first `marked` bytes get underlined.
struct Excerpt {
  absl::string_view before;
  absl::string_view after;
  size_t marked = 1;
  bool cut_front = false;
  bool cut_back = false;
};

Excerpt ExcerptAround(absl::string_view line, size_t caret, size_t max_bytes) {
  Excerpt excerpt;
  caret = std::min(caret, line.size());
  size_t start = 0;
  size_t end = line.size();
  if (line.size() > max_bytes) {
    // A third of the room goes to what stands in front: what follows a name
    // says more about it.
    start = caret > max_bytes / 3 ? caret - max_bytes / 3 : 0;
    start = std::min(start, line.size() - max_bytes);
    end = start + max_bytes;
    while (start < caret && IsUtf8Continuation(line[start])) ++start;
    while (end > caret && end < line.size() && IsUtf8Continuation(line[end])) {
      --end;
    }
  }
  excerpt.cut_front = start > 0;
  excerpt.cut_back = end < line.size();
  excerpt.before = line.substr(start, caret - start);
  excerpt.after = line.substr(caret, end - caret);
  size_t name = 0;
  while (name < excerpt.after.size() && IsNameCharacter(excerpt.after[name])) {
    ++name;
  }
  excerpt.marked = std::max<size_t>(name, 1);
  return excerpt;
}

// Columns of the path table; wider cells push the rest of their line aside.
constexpr size_t kMaxCellWidth = 48;

// Of a longer path the middle is left out.
constexpr size_t kMaxHops = 64;

bool IsSameHop(const DiagnosticHop& a, const DiagnosticHop& b) {
  return a.line == b.line && a.instruction == b.instruction &&
         a.shape_index == b.shape_index && a.computation == b.computation;
}

size_t CommonHops(const std::vector<DiagnosticHop>& a,
                  const std::vector<DiagnosticHop>& b) {
  const size_t size = std::min(a.size(), b.size());
  size_t common = 0;
  while (common < size && IsSameHop(a[common], b[common])) ++common;
  return common;
}

class Renderer {
 public:
  explicit Renderer(const DiagnosticRenderOptions& options)
      : options_(options) {}

  // `shared_hops` of the path need not be shown again.
  std::string Render(const Diagnostic& diagnostic, size_t shared_hops) && {
    Header(diagnostic);
    SourceLine(diagnostic.place);
    Origin(diagnostic);
    Path(diagnostic.path, shared_hops);
    for (const DiagnosticNote& note : diagnostic.notes) Note(note);
    for (const DiagnosticFix& fix : diagnostic.fixes) Fix(fix);
    return std::move(out_);
  }

 private:
  void Append(Style style, absl::string_view text) {
    if (!options_.colour || style == Style::kPlain) {
      absl::StrAppend(&out_, text);
      return;
    }
    absl::StrAppend(&out_, AnsiCode(style), text, "\033[0m");
  }

  // Text that may hold bytes of the input. The lines after the first are
  // indented, so that a block stays one.
  void AppendForeign(Style style, absl::string_view text) {
    bool first = true;
    for (absl::string_view line : absl::StrSplit(text, '\n')) {
      if (!first) out_ += "\n    ";
      Append(style, ToPrintableLine(line).text);
      first = false;
    }
  }

  // "a.hlo:9:3: ", as far as it is known.
  void Location(const DiagnosticPlace& place) {
    if (place.file.empty()) return;
    AppendForeign(Style::kBold, LocationText(place));
    Append(Style::kBold, ": ");
  }

  static std::string LocationText(const DiagnosticPlace& place) {
    if (place.line == 0) return place.file;
    return absl::StrCat(place.file, ":", place.line, ":", place.column);
  }

  void Header(const Diagnostic& diagnostic) {
    Location(diagnostic.place);
    switch (SeverityOf(diagnostic.code, options_.judge)) {
      case Severity::kError:
        Append(Style::kError, "error: ");
        break;
      case Severity::kWarning:
        Append(Style::kWarning, "warning: ");
        break;
      case Severity::kNote:
        Append(Style::kNote, "note: ");
        break;
    }
    AppendForeign(Style::kBold, absl::StrCat(DiagnosticId(diagnostic.code),
                                             ": ", diagnostic.message));
    out_ += '\n';
  }

  // The line, the caret under it, and the user's own line.
  void SourceLine(const DiagnosticPlace& place) {
    std::string gutter(6, ' ');
    if (place.line > 0) {
      const std::string number = absl::StrCat(place.line);
      const size_t width = std::max<size_t>(number.size(), 5);
      gutter.assign(width + 1, ' ');
      const Excerpt excerpt = ExcerptAround(
          place.source_line,
          std::max<int64_t>(place.column - place.source_line_column, 0),
          options_.max_line_bytes);
      const bool cut_front = excerpt.cut_front || place.source_line_column > 1;
      const bool cut_back =
          excerpt.cut_back ||
          place.source_line.size() >= DiagnosticPlace::kMaxSourceLine;
      const int margin = cut_front ? 3 : 0;
      const PrintableLine before = ToPrintableLine(excerpt.before, margin);
      const int caret = margin + before.width;
      const PrintableLine after = ToPrintableLine(excerpt.after, caret);
      const int marked =
          ToPrintableLine(excerpt.after.substr(0, excerpt.marked), caret).width;
      Append(Style::kDim, absl::StrCat(std::string(width - number.size(), ' '),
                                       number, " | "));
      absl::StrAppend(&out_, cut_front ? "..." : "", before.text, after.text,
                      cut_back ? "..." : "", "\n");
      Append(Style::kDim, absl::StrCat(gutter, "| "));
      out_.append(caret, ' ');
      Append(Style::kCaret,
             absl::StrCat("^", std::string(std::max(marked - 1, 0), '~')));
      out_ += '\n';
    }
    const std::string user = UserSourceToString(place.user_source);
    if (!user.empty()) {
      Append(Style::kDim, absl::StrCat(gutter, "= "));
      AppendForeign(Style::kPlain, user);
      out_ += '\n';
    }
  }

  // Which output it is about, and which annotation began it.
  void Origin(const Diagnostic& diagnostic) {
    if (diagnostic.output_index.has_value()) {
      absl::StrAppend(&out_, "  output ",
                      ShapeIndexToString(*diagnostic.output_index),
                      " of the program\n");
    }
    if (!diagnostic.annotation.has_value()) return;
    const DiagnosticPlace& annotation = *diagnostic.annotation;
    std::string text =
        absl::StrCat("  moved to host by `", annotation.instruction, "`");
    if (annotation.line > 0) {
      absl::StrAppend(&text, " at ", LocationText(annotation));
    }
    const std::string user = UserSourceToString(annotation.user_source);
    if (!user.empty()) absl::StrAppend(&text, " (", user, ")");
    AppendForeign(Style::kPlain, text);
    out_ += '\n';
  }

  // One hop per line, in columns. `shared` hops at the start were shown with
  // an earlier finding.
  void Path(const std::vector<DiagnosticHop>& path, size_t shared) {
    if (path.empty()) return;
    out_ += "  the way of the value:\n";
    std::vector<HopRow> rows;
    for (size_t i = 0; i < path.size(); ++i) {
      if (i < shared) {
        // Up to the last shared hop in one row.
        const std::string last =
            ToPrintableLine(HopName(path[shared - 1])).text;
        rows.push_back({shared, {absl::StrCat("... as above, to ", last)}});
        i = shared - 1;
      } else if (path.size() > kMaxHops && i == kMaxHops / 2) {
        const size_t left_out = path.size() - kMaxHops;
        rows.push_back({0, {absl::StrCat("... and ", left_out, " more ...")}});
        i += left_out - 1;
      } else {
        rows.push_back({i + 1, HopCells(path[i])});
      }
    }
    AppendRows(rows, absl::StrCat(path.size()).size());
  }

  struct HopRow {
    size_t number;  // 0 is none
    std::vector<std::string> cells;
  };

  void AppendRows(const std::vector<HopRow>& rows, size_t number_width) {
    std::vector<size_t> widths;
    for (const HopRow& row : rows) {
      widths.resize(std::max(widths.size(), row.cells.size()));
      // A cell that ends its row needs no column, nor does one that is wide.
      for (size_t i = 0; i + 1 < row.cells.size(); ++i) {
        const size_t width = row.cells[i].size();
        if (width <= kMaxCellWidth) widths[i] = std::max(widths[i], width);
      }
    }
    for (const HopRow& row : rows) {
      const std::string number =
          row.number == 0 ? "" : absl::StrCat(row.number, ".");
      std::string line(5 + number_width - number.size(), ' ');
      absl::StrAppend(&line, number);
      for (size_t i = 0; i < row.cells.size(); ++i) {
        // Columns stand two apart, the first one behind its number.
        absl::StrAppend(&line, i == 0 ? " " : "  ", row.cells[i]);
        const size_t width = row.cells[i].size();
        if (width < widths[i]) line.append(widths[i] - width, ' ');
      }
      absl::StripTrailingAsciiWhitespace(&line);
      absl::StrAppend(&out_, line, "\n");
    }
  }

  static std::string HopName(const DiagnosticHop& hop) {
    if (hop.shape_index.empty()) return hop.instruction;
    return absl::StrCat(hop.instruction, " ",
                        ShapeIndexToString(hop.shape_index));
  }

  static std::vector<std::string> HopCells(const DiagnosticHop& hop) {
    std::string place = hop.computation;
    if (hop.line > 0) absl::StrAppend(&place, ":", hop.line);
    // The line says more than the operation's name, and rows stay short.
    UserSource user = hop.user_source;
    if (!user.file.empty()) user.op_name.clear();
    std::vector<std::string> cells = {HopName(hop), hop.opcode, hop.shape,
                                      place, UserSourceToString(user)};
    for (std::string& cell : cells) cell = ToPrintableLine(cell).text;
    return cells;
  }

  void Note(const DiagnosticNote& note) {
    if (note.place.has_value()) {
      Location(*note.place);
    } else {
      out_ += "  ";
    }
    Append(Style::kNote, "note: ");
    AppendForeign(Style::kPlain, note.message);
    out_ += '\n';
    if (note.place.has_value()) SourceLine(*note.place);
  }

  void Fix(const DiagnosticFix& fix) {
    out_ += "  ";
    Append(Style::kFix, "fix: ");
    std::string text = fix.title;
    if (!fix.before.empty() && !absl::StrContains(text, fix.before)) {
      absl::StrAppend(&text, ", before `", fix.before, "`");
    }
    const std::string how =
        options_.how_to_fix ? options_.how_to_fix(fix) : std::string();
    if (!how.empty()) absl::StrAppend(&text, "  [", how, "]");
    AppendForeign(Style::kPlain, text);
    out_ += '\n';
  }

  const DiagnosticRenderOptions& options_;
  std::string out_;
};

}  // namespace

std::string RenderDiagnostic(const Diagnostic& diagnostic,
                             const DiagnosticRenderOptions& options) {
  return Renderer(options).Render(diagnostic, /*shared_hops=*/0);
}

std::string RenderDiagnostics(absl::Span<const Diagnostic> diagnostics,
                              const DiagnosticRenderOptions& options) {
  // Fewer hops are quicker read again than looked up.
  constexpr size_t kMinSharedHops = 3;
  std::string out;
  const std::vector<DiagnosticHop>* shown = nullptr;
  for (const Diagnostic& diagnostic : diagnostics) {
    size_t shared = 0;
    if (!diagnostic.path.empty()) {
      if (shown != nullptr) shared = CommonHops(*shown, diagnostic.path);
      if (shared < kMinSharedHops) shared = 0;
      shown = &diagnostic.path;
    }
    // A finding with a path is a block of its own.
    if (!out.empty() && !diagnostic.path.empty()) out += '\n';
    absl::StrAppend(&out, Renderer(options).Render(diagnostic, shared));
  }
  return out;
}

std::string UserSourceToString(const UserSource& source) {
  std::string text = source.file;
  if (source.line > 0) absl::StrAppend(&text, ":", source.line);
  if (!source.function.empty() && !text.empty()) {
    absl::StrAppend(&text, " in ", source.function);
  }
  if (source.op_name.empty()) return text;
  return absl::StrCat(text, text.empty() ? "" : ", ", source.op_name);
}

std::string UserSourceToCell(const UserSource& source) {
  UserSource shown = source;
  if (!shown.file.empty()) shown.op_name.clear();
  return ToPrintableLine(UserSourceToString(shown)).text;
}

}  // namespace ferry
