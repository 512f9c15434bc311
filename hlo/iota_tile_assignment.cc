// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/iota_tile_assignment.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

namespace ferry {
namespace {

using Numbers = llvm::SmallVector<int64_t, 8>;

// As the compiler multiplies: wraps around.
int64_t WrappingProduct(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

// Drops dimensions of size 1 and renumbers the others.
void DropTrivial(std::vector<int64_t>& dims, std::vector<int64_t>& perm) {
  Numbers new_dims(dims.size(), -1);
  size_t kept = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != 1) new_dims[i] = kept++;
  }
  if (kept == dims.size()) return;
  size_t next = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (new_dims[i] >= 0) dims[new_dims[i]] = dims[i];
    const int64_t moved = new_dims[perm[i]];
    if (moved >= 0) perm[next++] = moved;
  }
  dims.resize(kept);
  perm.resize(kept);
  // A permutation that names a dimension twice may still name one that is gone.
  for (int64_t& dim : perm) {
    if (dim >= static_cast<int64_t>(kept)) dim = kept - 1;
  }
}

// The dimensions of an iota, cut so that each dimension of a grid is made of
// whole ones.
struct CutIota {
  IotaTileAssignment iota;
  // Where each dimension of the grid ends in iota.transpose_perm.
  llvm::SmallVector<size_t, 8> ends;
};

// Walks both from the major end. A dimension of the iota that is too large for
// what the grid's still lacks is cut in two; nullopt where neither divides the
// other, and for numbers that are no sizes.
//
//   [4,6]T(1,0) filling [3,4,2]:   6 -> 3 2,  4 -> 2 2     [2,2,3,2]T(2,3,0,1)
//                                               grid:        3  | 2 2 | 2
std::optional<CutIota> CutAtGrid(const IotaTileAssignment& iota,
                                 absl::Span<const int64_t> grid) {
  const size_t rank = iota.reshape_dims.size();
  llvm::SmallVector<Numbers, 8> pieces(rank);
  llvm::SmallVector<std::pair<int64_t, int64_t>, 8> order;  // dim, piece
  CutIota cut;
  size_t next = 0;
  int64_t rest = 1;  // of the dimension in front of `next`
  for (int64_t lacking : grid) {
    if (lacking <= 0) return std::nullopt;
    while (lacking > 1) {
      if (rest == 1) {
        if (next == rank) return std::nullopt;
        rest = iota.reshape_dims[iota.transpose_perm[next++]];
        if (rest <= 0) return std::nullopt;
        continue;
      }
      const int64_t piece = std::min(lacking, rest);
      if (lacking % piece != 0 || rest % piece != 0) return std::nullopt;
      lacking /= piece;
      rest /= piece;
      const int64_t dim = iota.transpose_perm[next - 1];
      order.push_back({dim, pieces[dim].size()});
      pieces[dim].push_back(piece);
    }
    cut.ends.push_back(order.size());
  }
  if (rest != 1 || next != rank) return std::nullopt;
  Numbers first(rank, 0);
  for (size_t dim = 0; dim < rank; ++dim) {
    first[dim] = cut.iota.reshape_dims.size();
    cut.iota.reshape_dims.insert(cut.iota.reshape_dims.end(),
                                 pieces[dim].begin(), pieces[dim].end());
  }
  for (const auto& [dim, piece] : order) {
    cut.iota.transpose_perm.push_back(first[dim] + piece);
  }
  return cut;
}

}  // namespace

std::optional<int64_t> CheckedProduct(absl::Span<const int64_t> factors) {
  int64_t product = 1;
  bool is_zero = false;
  for (int64_t factor : factors) {
    if (factor < 0) return std::nullopt;
    is_zero |= factor == 0;
  }
  if (is_zero) return 0;
  for (int64_t factor : factors) {
    if (llvm::MulOverflow(product, factor, product)) return std::nullopt;
  }
  return product;
}

void AppendIntegers(absl::Span<const int64_t> numbers, std::string& out) {
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) out += ',';
    absl::StrAppend(&out, numbers[i]);
  }
}

void IotaTileAssignment::clear() {
  reshape_dims.clear();
  transpose_perm.clear();
}

void IotaTileAssignment::Canonicalize() {
  bool changed = reshape_dims.size() > 1;
  while (changed) {
    changed = false;
    DropTrivial(reshape_dims, transpose_perm);
    for (size_t i = 1; i < transpose_perm.size(); ++i) {
      const int64_t base = transpose_perm[i - 1];
      const int64_t dim = transpose_perm[i];
      if (dim != base + 1) continue;
      reshape_dims[base] =
          WrappingProduct(reshape_dims[base], reshape_dims[dim]);
      reshape_dims[dim] = 1;
      changed = true;
    }
  }
  if (reshape_dims.empty()) {
    reshape_dims.push_back(1);
    transpose_perm.assign(1, 0);
  }
}

std::optional<int64_t> IotaTileAssignment::DeviceCount() const {
  return CheckedProduct(reshape_dims);
}

std::optional<std::vector<int64_t>> IotaTileAssignment::Expand(
    int64_t limit) const {
  const std::optional<int64_t> count = DeviceCount();
  if (!count.has_value() || *count > limit) return std::nullopt;
  const size_t rank = reshape_dims.size();
  Numbers strides(rank, 1);
  for (size_t i = rank; i-- > 1;) {
    strides[i - 1] = strides[i] * std::max<int64_t>(reshape_dims[i], 1);
  }
  Numbers seen(rank, 0);
  for (int64_t dim : transpose_perm) {
    if (seen[dim]++ > 0) return std::nullopt;
  }
  std::vector<int64_t> devices;
  devices.reserve(*count);
  Numbers index(rank, 0);  // along the dimensions as permuted
  int64_t device = 0;
  while (static_cast<int64_t>(devices.size()) < *count) {
    devices.push_back(device);
    for (size_t i = rank; i-- > 0;) {
      const int64_t dim = transpose_perm[i];
      device += strides[dim];
      if (++index[i] < reshape_dims[dim]) break;
      device -= strides[dim] * reshape_dims[dim];
      index[i] = 0;
    }
  }
  return devices;
}

void IotaTileAssignment::AppendTo(std::string& out) const {
  out += '[';
  AppendIntegers(reshape_dims, out);
  out += ']';
  if (IsIdentity()) return;
  out += "T(";
  AppendIntegers(transpose_perm, out);
  out += ')';
}

std::optional<IotaTileAssignment> TransposeIota(
    const IotaTileAssignment& iota, absl::Span<const int64_t> dims,
    absl::Span<const int64_t> perm) {
  IotaTileAssignment result;
  if (iota.IsIdentity()) {
    result.reshape_dims.assign(dims.begin(), dims.end());
    result.transpose_perm.assign(perm.begin(), perm.end());
    result.Canonicalize();
    return result;
  }
  std::optional<CutIota> cut = CutAtGrid(iota, dims);
  if (!cut.has_value()) return std::nullopt;
  result.reshape_dims = std::move(cut->iota.reshape_dims);
  for (int64_t dim : perm) {
    for (size_t i = dim == 0 ? 0 : cut->ends[dim - 1]; i < cut->ends[dim];
         ++i) {
      result.transpose_perm.push_back(cut->iota.transpose_perm[i]);
    }
  }
  result.Canonicalize();
  return result;
}

// From the minor end: the dimensions that make up a row, the last of them cut
// in two if it is too large.
std::optional<IotaTileAssignment> SortIotaRows(const IotaTileAssignment& iota,
                                               int64_t row) {
  IotaTileAssignment result = iota;
  std::vector<int64_t>& dims = result.reshape_dims;
  std::vector<int64_t>& perm = result.transpose_perm;
  size_t begin = perm.size();
  while (row > 1 && begin > 0) {
    const int64_t dim = perm[begin - 1];
    const int64_t size = dims[dim];
    if (size <= 0 || (row % size != 0 && size % row != 0)) return std::nullopt;
    if (row % size == 0) {
      row /= size;
      --begin;
      continue;
    }
    dims[dim] = size / row;
    dims.insert(dims.begin() + dim + 1, row);
    for (int64_t& other : perm) other += other > dim ? 1 : 0;
    perm.insert(perm.begin() + begin, dim + 1);
    row = 1;
  }
  std::sort(perm.begin() + begin, perm.end());
  result.Canonicalize();
  return result;
}

}  // namespace ferry
