// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DataInAddresses.h"

using namespace auspex;

/// Whether \p symbol moves \p offset by whole rows of the banks alone: by
/// multiples of 128 bytes, or of a side of the block, which may be.
static bool movesByRows(const Expr &offset, llvm::StringRef symbol) {
  constexpr int64_t RowInBytes = 128;
  auto isSideOfBlock = [](const Expr::Factor &factor) {
    return factor.atom->kind == Atom::Kind::Symbol &&
           isBlockSize(factor.atom->name);
  };
  bool byRows = true;
  offset.forEachTerm([&](const Expr &part) {
    const Expr::Term &term = part.sum().front();
    byRows &= !part.uses(symbol) || term.coefficient % RowInBytes == 0 ||
              llvm::any_of(term.factors, isSideOfBlock);
  });
  return byRows;
}

/// The least and the most of what \p term, made of data, can be in a launch;
/// nothing if there is no bound.
static std::optional<std::pair<Expr, Expr>>
boundsOfTerm(const Expr &term, const ValueTranslator &values) {
  auto isFixed = [&](const Expr &expr) {
    return !expr.usesAny([](llvm::StringRef name) {
      return !isSetByHost(name) && !isBlockSize(name) && !isGridSize(name);
    });
  };
  if (isFixed(term))
    return std::pair(term, term);
  Expr coefficient(term.sum().front().coefficient);
  Expr function = Expr::floorDiv(term, coefficient);
  Interval range = function.range([&](llvm::StringRef name) {
    return values.findDataSymbol(name) ? values.rangeOfData(name)
                                       : launchRange(name);
  });
  Expr least(range.low), most(range.high);
  if (range.low == Interval::Min || range.high == Interval::Max) {
    const Atom *atom = function.asAtom();
    if (!atom || atom->kind != Atom::Kind::Mod || !isFixed(atom->operands[1]))
      return std::nullopt;
    least = Expr(0);
    most = atom->operands[1] - Expr(1);
  }
  least = coefficient * least;
  most = coefficient * most;
  if (*coefficient.constant() < 0)
    std::swap(least, most);
  return std::pair(least, most);
}

/// Finds out what \p access stays within whatever the data in its offset are.
static void boundByData(Access &access, const ValueTranslator &values) {
  Expr lowest, highest;
  bool isBounded = true;
  access.offset.expr.withRemainders().forEachTerm([&](const Expr &term) {
    auto bounds = boundsOfTerm(term, values);
    isBounded &= bounds.has_value();
    if (!bounds)
      return;
    lowest = lowest + bounds->first;
    highest = highest + bounds->second;
  });
  // What a type holds bounds no array.
  constexpr int64_t Most = int64_t(1) << 30;
  std::optional<int64_t> span = (highest - lowest).constant();
  if (!isBounded || span.value_or(0) > Most)
    return;
  access.lowest.expr = lowest;
  access.highest.expr = highest;
}

void auspex::dropDataDependence(Access &access, const llvm::BasicBlock &block,
                                ValueTranslator &values) {
  bool canAgree = access.space == MemorySpace::Global ||
                  access.space == MemorySpace::Unknown;
  std::vector<std::string> data;
  access.offset.expr.forEachSymbol([&](llvm::StringRef name) {
    if (values.findDataSymbol(name))
      data.push_back(name.str());
  });
  auto differs = [&](const std::string &name) {
    const DataSymbol &symbol = values.withDependences(name);
    bool isBankKnown = access.kind != AccessKind::Atomic &&
                       access.space == MemorySpace::Shared &&
                       movesByRows(access.offset.expr, name);
    return !symbol.uniform && !isBankKnown &&
           (!canAgree || symbol.tellsLanesApart());
  };
  std::string decisive;
  for (const std::string &name : data)
    if (differs(name) && decisive.empty())
      decisive = name;
  if (decisive.empty())
    return;
  boundByData(access, values);
  bool isSearched = values.isSearched(decisive, block);
  if (canAgree && access.kind != AccessKind::Atomic && !isSearched)
    access.picked = access.offset.expr;
  access.offset = MaybeExpr::unknown(
      isSearched ? "search" : values.findDataSymbol(decisive)->reason);
}
