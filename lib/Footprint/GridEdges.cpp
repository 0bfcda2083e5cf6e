// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GridEdges.h"

#include "Intervals.h"
#include "SamplePoints.h"
#include "auspex/Expr/CompiledExpr.h"
#include "auspex/Footprint/SymbolKinds.h"
#include "llvm/ADT/STLExtras.h"

using namespace auspex;

/// Whether \p a and \p b have the same value at most points of \p domain.
static bool agreeMostly(const Expr &a, const Expr &b,
                        const AccessDomain &domain) {
  constexpr uint64_t Points = 4 * LaunchShape::WarpSize;
  CompiledExpr difference(a - b, domain.symbols);
  if (!difference.isUsable())
    return false;
  std::vector<LaneValues> values(domain.symbols.size());
  unsigned agree = 0;
  for (uint64_t first = 0; first < Points; first += LaunchShape::WarpSize) {
    for (auto [number, symbol] : llvm::enumerate(domain.symbols)) {
      Interval side = domain.domain->range(symbol);
      for (int64_t lane = 0; lane < LaunchShape::WarpSize; ++lane)
        values[number][lane] =
            side.low + samplePoint(first + lane, number, sizeOf(side));
    }
    uint32_t failed = 0;
    LaneValues results = difference.evaluateLanes(values, {}, failed);
    for (int64_t lane = 0; lane < LaunchShape::WarpSize; ++lane)
      agree += results[lane] == 0 && !(failed >> lane & 1);
  }
  return agree * 4 >= Points * 3;
}

Expr auspex::awayFromEdges(const Expr &offset, const AccessDomain &domain) {
  if (domain.domain->pieces().empty())
    return offset;
  Expr inside = offset.simplify([&](llvm::StringRef symbol) {
    Interval range = domain.domain->range(symbol);
    if (isBlockIndex(symbol))
      range = {range.low + sizeOf(range) / 4, range.high - sizeOf(range) / 4};
    return range;
  });
  return inside != offset && agreeMostly(inside, offset, domain) ? inside
                                                                 : offset;
}
