// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Finds the section of a code in the compiled-in pages and takes the Markdown
// out of it, line by line: headings and emphasis lose their marks, a link is
// its text, and samples are indented instead of fenced.

#include "ferry/hlo/diagnostic_explanation.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace ferry {
namespace {

struct Page {
  absl::string_view name;
  absl::string_view text;
};

constexpr Page kPages[] = {
#include "ferry/hlo/diagnostic_pages.inc"
};

// The page with the name; empty if there is none.
absl::string_view PageText(absl::string_view name) {
  for (const Page& page : kPages) {
    if (page.name == name) return page.text;
  }
  return "";
}

// What stands between "### CODE Name" and the next heading of its rank or a
// higher one.
absl::string_view SectionOf(absl::string_view id) {
  absl::string_view page = PageText("diagnostics");
  const size_t heading = page.find(absl::StrCat("\n### ", id, " "));
  if (heading == absl::string_view::npos) return "";
  absl::string_view text = page.substr(heading + 1);
  text.remove_prefix(std::min(text.find('\n'), text.size()));
  return text.substr(0, std::min(text.find("\n## "), text.find("\n### ")));
}

// A page of its own says more than a section.
absl::string_view MarkdownOf(absl::string_view id) {
  absl::string_view page = PageText(id);
  if (page.empty()) return SectionOf(id);
  page.remove_prefix(std::min(page.find('\n'), page.size()));  // its title
  return page;
}

// "[text](target)" becomes "text", for every link of the line. A link whose
// target stands on the next line ends at the line's end.
std::string WithoutLinks(absl::string_view line) {
  std::string out;
  while (!line.empty()) {
    const size_t open = line.find('[');
    const size_t close = line.find("](", std::min(open, line.size()));
    if (close == absl::string_view::npos) break;
    absl::StrAppend(&out, line.substr(0, open),
                    line.substr(open + 1, close - open - 1));
    const size_t end = line.find(')', close);
    line.remove_prefix(std::min(end, line.size() - 1) + 1);
  }
  return absl::StrCat(out, line);
}

std::string PlainLine(absl::string_view line) {
  if (absl::StartsWith(line, "#")) line.remove_prefix(line.find(' ') + 1);
  return absl::StrReplaceAll(WithoutLinks(line), {{"**", ""}});
}

std::string PlainText(absl::string_view markdown) {
  std::string out;
  bool in_sample = false;
  bool after_blank = true;  // no blank lines at the start, nor two in a row
  for (absl::string_view line : absl::StrSplit(markdown, '\n')) {
    if (absl::StartsWith(line, "```")) {
      in_sample = !in_sample;
      continue;
    }
    const bool blank = line.empty();
    if (blank && after_blank) continue;
    after_blank = blank;
    if (in_sample && !blank) {
      absl::StrAppend(&out, "    ", line, "\n");
    } else {
      absl::StrAppend(&out, PlainLine(line), "\n");
    }
  }
  while (absl::EndsWith(out, "\n\n")) out.pop_back();
  return out;
}

// "F4014 WideAnnotation: warning; error with --match-compiler".
std::string Title(DiagnosticCode code) {
  const Severity documented = SeverityOf(code, Judge::kDocumented);
  const Severity compiler = SeverityOf(code, Judge::kCompiler);
  std::string title =
      absl::StrCat(DiagnosticId(code), " ", DiagnosticName(code), ": ",
                   SeverityName(documented));
  if (documented != compiler) {
    absl::StrAppend(&title, "; ", SeverityName(compiler),
                    " with --match-compiler");
  }
  return title;
}

std::vector<std::string> MakeExplanations() {
  std::vector<std::string> explanations;
  for (DiagnosticCode code : AllDiagnosticCodes()) {
    std::string text = absl::StrCat(Title(code), "\n\n");
    // Many texts are all argument: "{0}".
    if (DiagnosticText(code) != "{0}") {
      absl::StrAppend(&text, "    ", DiagnosticText(code), "\n\n");
    }
    absl::StrAppend(&text, PlainText(MarkdownOf(DiagnosticId(code))));
    explanations.push_back(std::move(text));
  }
  return explanations;
}

}  // namespace

absl::string_view ExplainDiagnostic(DiagnosticCode code) {
  // Never destroyed: views into it live forever.
  static const std::vector<std::string>& explanations =
      *new std::vector<std::string>(MakeExplanations());
  return explanations[static_cast<size_t>(code)];
}

}  // namespace ferry
