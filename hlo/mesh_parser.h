// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_MESH_PARSER_H_
#define FERRY_HLO_MESH_PARSER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ferry/hlo/device_mesh.h"
#include "ferry/hlo/iota_tile_assignment.h"
#include "ferry/hlo/text_reader.h"

namespace ferry {

// Reads meshes, references to their axes, and iotas: what shardings and replica
// groups have in common. Where XLA's reader dies, this one adds an error with
// the words that it dies with. Tested by sharding_parser_test.cc and
// replica_groups_parser_test.cc.
class MeshParser {
 public:
  explicit MeshParser(TextReader reader)
      : reader_(reader), lexer_(reader.lexer) {}

  // `mesh['a'=2,'b'=4], device_ids=(1,0)` or `maximal_mesh[device_id=5]`. A
  // comma behind a mesh that has axes but no device ids is read too, as by XLA.
  bool ParseMesh(DeviceMesh& mesh);
  // `{'a','b':(1)2}`; they are added to `axes`. With `is_open` the last may be
  // a `?`. An axis may also be given by its number: `{'0'}`.
  bool ParseAxes(const DeviceMesh& mesh, std::vector<AxisRef>& axes,
                 bool* is_open = nullptr);
  // `[8]` or `[2,4]T(1,0)`, added to what `iota` has. That both lists are
  // equally long is left to the caller: XLA is not of one mind about it.
  bool ParseIota(IotaTileAssignment& iota);
  // `open` integer (`,` integer)* `close`.
  bool ParseIntegers(char open, char close, std::vector<int64_t>& numbers);

 private:
  bool ParseMaximalMesh(DeviceMesh& mesh);
  bool ParseMeshAxis(DeviceMesh& mesh);
  bool ParseDeviceIds(DeviceMesh& mesh);
  bool ParseAxis(const DeviceMesh& mesh, AxisRef& axis);
  bool ParseSubAxis(AxisRef& axis);
  // The text of a string, without its quotes.
  bool ParseName(absl::string_view& name);

  TextReader reader_;
  HloLexer& lexer_;
  std::string decoded_;  // of a name with escapes
};

}  // namespace ferry

#endif  // FERRY_HLO_MESH_PARSER_H_
