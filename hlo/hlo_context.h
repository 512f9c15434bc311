// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_CONTEXT_H_
#define FERRY_HLO_HLO_CONTEXT_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "ferry/hlo/layout.h"
#include "ferry/hlo/shape.h"

namespace ferry {

// Owns the shapes and layouts of any number of modules, each stored once.
// Thread-safe; must outlive the modules. Modules that share a context compare
// shapes by address, across clones and threads. Tested by hlo_context_test.cc.
class HloContext {
 public:
  HloContext();
  ~HloContext();
  HloContext(const HloContext&) = delete;
  HloContext& operator=(const HloContext&) = delete;

  const Layout& GetLayout(const LayoutFields& fields);
  // The descending order {n-1,...,1,0} in default memory.
  const Layout& GetDefaultLayout(int64_t rank);

  // `dynamic` is empty or has a flag for each dimension. A null layout means
  // one that is not decided yet.
  const Shape& GetArrayShape(PrimitiveType type,
                             absl::Span<const int64_t> dimensions,
                             const Layout* layout,
                             absl::Span<const bool> dynamic = {});
  const Shape& GetTupleShape(absl::Span<const Shape* const> elements);
  // token[], opaque[].
  const Shape& GetShapeWithoutElements(PrimitiveType type);
  // b(inner).
  const Shape& GetBufferShape(const Shape& inner);

  // `shape`, an array, with another layout or memory space.
  const Shape& WithLayout(const Shape& shape, const Layout* layout);
  const Shape& WithMemorySpace(const Shape& shape, MemorySpace space);
  // `shape` with each leaf (ordinal, shape) replaced by what `map` gives.
  const Shape& MapLeaves(
      const Shape& shape,
      absl::FunctionRef<const Shape&(int32_t, const Shape&)> map);

 private:
  struct Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace ferry

#endif  // FERRY_HLO_HLO_CONTEXT_H_
