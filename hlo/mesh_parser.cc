// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/mesh_parser.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/printable_text.h"

namespace ferry {
namespace {

// The axis of that name, else that of that number; axes.size() if none.
size_t FindAxis(const DeviceMesh& mesh, absl::string_view name) {
  const size_t count = mesh.axes.size();
  for (size_t i = 0; i < count; ++i) {
    if (mesh.axes[i].name == name) return i;
  }
  int64_t number = 0;
  const bool is_number = absl::SimpleAtoi(name, &number) && number >= 0;
  return is_number ? std::min<uint64_t>(number, count) : count;
}

}  // namespace

bool MeshParser::ParseName(absl::string_view& name) {
  absl::string_view quoted;
  if (!reader_.ReadQuoted("the name of an axis in quotes", quoted)) {
    return false;
  }
  name = quoted.substr(1, quoted.size() - 2);
  if (name.find('\\') == absl::string_view::npos) return true;
  decoded_ = ReadString(quoted);
  name = decoded_;
  return true;
}

bool MeshParser::ParseIntegers(char open, char close,
                               std::vector<int64_t>& numbers) {
  if (!reader_.Expect(open)) return false;
  do {
    if (!reader_.ReadNumber("an integer", numbers.emplace_back())) return false;
  } while (lexer_.Consume(','));
  return reader_.Expect(close);
}

bool MeshParser::ParseIota(IotaTileAssignment& iota) {
  if (!ParseIntegers('[', ']', iota.reshape_dims)) return false;
  const int64_t rank = iota.reshape_dims.size();
  if (rank == 1) {
    iota.transpose_perm.push_back(0);
    return true;
  }
  if (!lexer_.ConsumeWord("T")) {
    return reader_.errors.Expected(lexer_,
                                   "`T(..)`, the transpose of an iota of "
                                   "several dimensions,");
  }
  const uint64_t offset = lexer_.TokenOffset();
  const size_t before = iota.transpose_perm.size();
  if (!ParseIntegers('(', ')', iota.transpose_perm)) return false;
  for (size_t i = before; i < iota.transpose_perm.size(); ++i) {
    const int64_t dim = iota.transpose_perm[i];
    if (dim >= 0 && dim < rank) continue;
    return reader_.BadValue(
        offset, absl::StrCat("Out of range iota minor_to_major value ", dim,
                             ", expecting value in range [0, ", rank, ")"));
  }
  return true;
}

bool MeshParser::ParseMesh(DeviceMesh& mesh) {
  const uint64_t offset = lexer_.TokenOffset();
  if (lexer_.ConsumeWord("maximal_mesh")) return ParseMaximalMesh(mesh);
  if (!lexer_.ConsumeWord("mesh")) {
    return reader_.errors.Expected(lexer_, "`mesh`");
  }
  if (!reader_.Expect('[', "behind `mesh`")) return false;
  if (lexer_.Consume(']')) return true;
  do {
    if (!ParseMeshAxis(mesh)) return false;
  } while (lexer_.Consume(','));
  if (!reader_.Expect(']', "at the end of the axes of a mesh")) return false;
  if (lexer_.Consume(',')) {
    const uint64_t here = lexer_.TokenOffset();
    if (lexer_.ScanAttributeName() != "device_ids") {
      lexer_.set_offset(here);
    } else if (!ParseDeviceIds(mesh)) {
      return false;
    }
  }
  const absl::Status status = mesh.Verify();
  return status.ok() || reader_.BadValue(offset, std::string(status.message()));
}

bool MeshParser::ParseMaximalMesh(DeviceMesh& mesh) {
  if (!reader_.Expect('[', "behind `maximal_mesh`")) return false;
  if (lexer_.ScanAttributeName() != "device_id") {
    return reader_.errors.Expected(lexer_, "`device_id=`");
  }
  return reader_.ReadNumber("a device number",
                            mesh.device_ids.emplace_back()) &&
         reader_.Expect(']', "at the end of a maximal mesh");
}

bool MeshParser::ParseMeshAxis(DeviceMesh& mesh) {
  absl::string_view name;
  if (!ParseName(name)) return false;
  MeshAxis& axis = mesh.axes.emplace_back();
  axis.name = std::string(name);
  return reader_.Expect('=', "behind the name of an axis") &&
         reader_.ReadNumber("the size of the axis", axis.size);
}

// (0,2,1,3) or ([4,2]T(1,0)).
bool MeshParser::ParseDeviceIds(DeviceMesh& mesh) {
  const uint64_t offset = lexer_.TokenOffset();
  if (!reader_.Expect('(', "to start the device ids")) return false;
  if (lexer_.Peek() == '[') {
    if (!ParseIota(mesh.iota)) return false;
    if (mesh.iota.transpose_perm.size() < mesh.iota.reshape_dims.size()) {
      return reader_.BadValue(offset,
                              "the transpose of an iota must have a number for "
                              "each of its dimensions");
    }
    mesh.iota.transpose_perm.resize(mesh.iota.reshape_dims.size());
    return reader_.Expect(')', "at the end of the device ids");
  }
  lexer_.set_offset(offset);
  if (!ParseIntegers('(', ')', mesh.device_ids)) return false;
  uint64_t expected = 1;
  for (const MeshAxis& axis : mesh.axes) expected *= axis.size;
  if (expected == mesh.device_ids.size()) return true;
  return reader_.BadValue(
      offset, absl::StrCat("Expected ", expected,
                           " device_ids based on mesh axes, but got ",
                           mesh.device_ids.size()));
}

bool MeshParser::ParseAxes(const DeviceMesh& mesh, std::vector<AxisRef>& axes,
                           bool* is_open) {
  if (!reader_.Expect('{', "to start axes")) return false;
  if (lexer_.Consume('}')) return true;
  do {
    if (is_open != nullptr && lexer_.Consume('?')) {
      *is_open = true;
      break;
    }
    if (!ParseAxis(mesh, axes.emplace_back())) return false;
  } while (lexer_.Consume(','));
  return reader_.Expect('}', "at the end of axes");
}

bool MeshParser::ParseAxis(const DeviceMesh& mesh, AxisRef& axis) {
  const uint64_t offset = lexer_.TokenOffset();
  absl::string_view name;
  if (!ParseName(name)) return false;
  axis.axis = FindAxis(mesh, name);
  if (axis.axis == static_cast<int64_t>(mesh.axes.size())) {
    reader_.errors.Add(DiagnosticCode::kUnknownName, offset,
                       {"mesh axis", std::string(name)});
    std::vector<absl::string_view> names;
    for (const MeshAxis& known : mesh.axes) names.push_back(known.name);
    reader_.errors.Suggest(name, names);
    return false;
  }
  return !lexer_.Consume(':') || ParseSubAxis(axis);
}

// (1)2
bool MeshParser::ParseSubAxis(AxisRef& axis) {
  const uint64_t offset = lexer_.TokenOffset();
  if (!reader_.Expect('(', "to start the pre-size of a sub-axis") ||
      !reader_.ReadNumber("a pre-size", axis.pre_size) ||
      !reader_.Expect(')', "behind the pre-size of a sub-axis") ||
      !reader_.ReadNumber("the size of a sub-axis", axis.size)) {
    return false;
  }
  if (axis.pre_size < 1) {
    return reader_.BadValue(offset, "sub-axis pre-size must be >= 1");
  }
  return axis.size > 1 || reader_.BadValue(offset, "sub-axis size must be > 1");
}

}  // namespace ferry
