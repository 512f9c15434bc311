// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/printable_text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "ferry/hlo/string_ref.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"

namespace ferry {
namespace {

// The bytes of the UTF-8 character at the start of `text`; 0 if it is none.
size_t CharacterBytes(absl::string_view text) {
  const auto* start = reinterpret_cast<const llvm::UTF8*>(text.data());
  const size_t length = llvm::getNumBytesForUTF8(*start);
  if (length > text.size()) return 0;
  return llvm::isLegalUTF8Sequence(start, start + length) ? length : 0;
}

// Columns of one well-formed character; negative if it must not be printed.
int CharacterWidth(absl::string_view character) {
  const auto* start = reinterpret_cast<const llvm::UTF8*>(character.data());
  llvm::UTF32 code = 0;
  llvm::UTF32* out = &code;
  llvm::ConvertUTF8toUTF32(&start, start + character.size(), &out, &code + 1,
                           llvm::strictConversion);
  if (llvm::sys::unicode::isFormatting(code)) return -1;
  return llvm::sys::unicode::columnWidthUTF8(ToStringRef(character));
}

}  // namespace

PrintableLine ToPrintableLine(absl::string_view text, int column) {
  constexpr int kTab = 4;
  PrintableLine out;
  while (!text.empty()) {
    const size_t length = CharacterBytes(text);
    const absl::string_view character =
        text.substr(0, std::max<size_t>(length, 1));
    text.remove_prefix(character.size());
    if (character == "\t") {
      const int spaces = kTab - (column + out.width) % kTab;
      out.text.append(spaces, ' ');
      out.width += spaces;
      continue;
    }
    const int width = length == 0 ? -1 : CharacterWidth(character);
    if (width < 0) {
      out.text += '?';
      out.width += 1;
    } else {
      absl::StrAppend(&out.text, character);
      out.width += width;
    }
  }
  return out;
}

std::string ToPrintableText(absl::string_view text) {
  std::string out;
  bool first = true;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    absl::StrAppend(&out, first ? "" : "\n", ToPrintableLine(line).text);
    first = false;
  }
  return out;
}

}  // namespace ferry
