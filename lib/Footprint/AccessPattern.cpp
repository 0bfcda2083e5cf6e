// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/AccessPattern.h"

#include "ClampedOffset.h"
#include "DigitPattern.h"
#include "EvenLoops.h"
#include "GridEdges.h"
#include "Intervals.h"
#include "LinearOffset.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace auspex;

static constexpr unsigned Tid = AccessDomain::Tid, Ctaid = AccessDomain::Ctaid;

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

llvm::SmallVector<BlockBox, 5>
auspex::blocksInOrder(const Dim3 &grid, int64_t first, int64_t count) {
  llvm::SmallVector<BlockBox, 5> boxes;
  int64_t end = std::min(first + count, grid.count());
  first = std::max<int64_t>(first, 0);
  int64_t plane = grid.x * grid.y;
  while (first < end) {
    int64_t x = first % grid.x, y = first / grid.x % grid.y, z = first / plane;
    int64_t left = end - first;
    BlockBox box{Interval{0, grid.x - 1}, {y, y}, {z, z}};
    if (x != 0 || left < grid.x)
      box[0] = {x, std::min(x + left, grid.x) - 1};
    else if (y != 0 || left < plane)
      box[1].high = std::min(y + left / grid.x, grid.y) - 1;
    else
      box[1] = {0, grid.y - 1}, box[2].high = z + left / plane - 1;
    int64_t size = 1;
    for (Interval side : box)
      size *= side.high - side.low + 1;
    first += size;
    boxes.push_back(box);
  }
  return boxes;
}

std::optional<BlockBox> auspex::commonBlocks(const BlockBox &a,
                                             const BlockBox &b) {
  BlockBox both;
  for (unsigned axis = 0; axis < 3; ++axis)
    both[axis] = intersect(a[axis], b[axis]);
  return llvm::any_of(both, isEmpty) ? std::nullopt : std::optional(both);
}

//===----------------------------------------------------------------------===//
// Taking an access apart
//===----------------------------------------------------------------------===//

AccessDomain::AccessDomain(std::shared_ptr<const IterationDomain> domain,
                           llvm::ArrayRef<DomainLoop> loops,
                           const Expr &condition)
    : domain(std::move(domain)), loops(loops), condition(condition),
      symbols({"tid.x", "tid.y", "tid.z"}), fullMasks(shape().fullMasks()) {
  llvm::append_range(symbols, this->domain->symbols());
  for (const DomainLoop &loop : loops)
    iterations.push_back(this->domain->range(loop.counter));
  isBox = findBounds(condition, loops);
}

llvm::SmallVector<Interval, 8> AccessDomain::wholeWindow() const {
  llvm::SmallVector<Interval, 8> window;
  for (unsigned axis = 0; axis < 3; ++axis)
    window.push_back({0, shape().block[axis] - 1});
  for (unsigned axis = 0; axis < 3; ++axis)
    window.push_back({0, shape().grid[axis] - 1});
  window.append(iterations.begin(), iterations.end());
  return window;
}

std::optional<AccessPattern>
AccessPattern::create(std::shared_ptr<const AccessDomain> domain,
                      const Expr &offset, unsigned bytes) {
  std::optional<AccessPattern> pattern;
  if (domain->domain->isExact())
    pattern = ofPieces(domain, offset, bytes);
  if (pattern && pattern->shape->hasFewParts())
    return pattern;
  Expr inside = awayFromEdges(offset, *domain);
  if (domain->domain->isExact() && inside != offset)
    if (auto ofInside = ofPieces(domain, inside, bytes);
        ofInside && ofInside->shape->hasFewParts())
      return ofInside;
  // Of the threads, those that pass guards which are left out: most of them; or
  // about half, as on one side of a diagonal, before nothing is known.
  constexpr double Most = 0.75, Half = 0.4;
  if (auto ofDigits = AccessPattern::ofDigits(domain, inside, bytes, Most))
    return ofDigits;
  if (auto ofCases = AccessPattern::ofCases(domain, inside, bytes))
    return ofCases;
  std::optional<AccessPattern> ofEven;
  if (auto even = domain->withEvenLoops())
    ofEven = ofPieces(even, inside, bytes);
  if (ofEven && !ofEven->shape->hasFewParts())
    ofEven.reset();
  if (ofEven && ofEven->shape->isLinear())
    return ofEven;
  // Rows of a triangle, each to the diagonal.
  auto constant = domain->withConstantLoops();
  if (constant)
    if (auto ofDigits = AccessPattern::ofDigits(constant, inside, bytes, Most))
      return ofDigits;
  if (ofEven)
    return ofEven;
  if (auto ofDigits = AccessPattern::ofDigits(domain, inside, bytes, Half))
    return ofDigits;
  if (!pattern && constant)
    return AccessPattern::ofDigits(constant, inside, bytes, Half);
  return pattern;
}

std::optional<AccessPattern>
AccessPattern::ofDigits(std::shared_ptr<const AccessDomain> domain,
                        const Expr &offset, unsigned bytes, double leastShare) {
  auto digits = DigitPattern::create(*domain, offset, bytes, leastShare);
  if (!digits)
    return std::nullopt;
  AccessPattern pattern;
  pattern.constant = digits->constant();
  auto shape = std::make_shared<AccessShape>();
  shape->bytes = bytes;
  shape->domain = std::move(domain);
  shape->digits = std::move(digits);
  pattern.shape = std::move(shape);
  return pattern;
}

std::optional<AccessPattern>
AccessPattern::ofCases(std::shared_ptr<const AccessDomain> domain,
                       const Expr &offset, unsigned bytes) {
  // Each doubles the work.
  constexpr size_t MostChoices = 6;
  std::vector<Expr> choices = offset.choices();
  llvm::sort(choices);
  choices.erase(llvm::unique(choices), choices.end());
  if (choices.empty() || choices.size() > MostChoices)
    return std::nullopt;
  const Expr &condition = choices.front();
  auto shape = std::make_shared<AccessShape>();
  shape->bytes = bytes;
  for (bool holds : {true, false}) {
    Expr guard = Expr::conjunction(domain->condition,
                                   holds ? condition : Expr::negate(condition));
    auto cut = IterationDomain::create(domain->shape(), domain->loops, guard);
    if (!cut)
      return std::nullopt;
    auto ofCase =
        create(std::make_shared<const AccessDomain>(
                   std::make_shared<const IterationDomain>(std::move(*cut)),
                   domain->loops, guard),
               offset.given(condition, holds), bytes);
    if (!ofCase || !ofCase->shape->hasFewParts())
      return std::nullopt;
    shape->cases.push_back(std::move(*ofCase));
  }
  shape->domain = std::move(domain);
  AccessPattern pattern;
  pattern.shape = std::move(shape);
  return pattern;
}

std::optional<AccessPattern>
AccessPattern::ofPieces(std::shared_ptr<const AccessDomain> domain,
                        const Expr &offset, unsigned bytes) {
  AccessPattern pattern;
  auto shape = std::make_shared<AccessShape>();
  shape->bytes = bytes;
  if (auto linear = linearOffset(offset, *domain->domain)) {
    shape->slopes.assign(linear->slopes.begin(), linear->slopes.end());
    pattern.constant = linear->first;
  } else {
    SeparatedOffset separated(offset, domain->symbols);
    shape->slopes = std::move(separated.slopes);
    shape->mixed = std::move(separated.mixed);
    std::optional<int64_t> constant = separated.rest.constant();
    if (shape->mixed.empty() && !constant)
      return std::nullopt;
    if (shape->mixed.empty())
      pattern.constant = *constant;
    else
      shape->rest = CompiledExpr(separated.rest, domain->symbols);
    if (!shape->mixed.empty() && !shape->rest.isUsable())
      return std::nullopt;
    auto clamped = shape->mixed.empty()
                       ? std::nullopt
                       : ClampedOffset::of(separated.rest, domain->symbols);
    if (clamped)
      shape->clamped =
          std::make_shared<const ClampedOffset>(std::move(*clamped));
  }
  shape->domain = std::move(domain);
  shape->isBox = shape->domain->isBox && shape->goesByGlobalBounds();
  pattern.shape = std::move(shape);
  return pattern;
}

/// The most points that are looked at one by one, of symbols in which the
/// offset is not linear.
static constexpr int64_t MaxPoints = 16384;

/// The most that are looked through.
static constexpr size_t MaxPieces = 2048;

std::shared_ptr<const AccessDomain> AccessDomain::withEvenLoops() const {
  if (!even)
    even = auspex::withEvenLoops(*this, MaxPieces);
  return *even;
}

std::shared_ptr<const AccessDomain> AccessDomain::withConstantLoops() const {
  if (!withConstants)
    withConstants = auspex::withConstantLoops(*this);
  return *withConstants;
}

bool AccessShape::hasFewParts() const {
  if (digits || !cases.empty())
    return true;
  llvm::SmallVector<Interval, 8> box = domain->wholeWindow();
  if (llvm::any_of(box, isEmpty))
    return true;
  int64_t points = 1;
  if (!clamped || !clamped->valuesIn(box))
    for (unsigned symbol : mixed) {
      if (sizeOf(box[symbol]) > MaxPoints / points)
        return false;
      points *= sizeOf(box[symbol]);
    }
  return isBox || domain->domain->pieces().size() <= MaxPieces;
}

bool AccessShape::goesByGlobalBounds() const {
  return llvm::all_of(
      domain->globalBounds, [&](const AccessDomain::GlobalBound &bound) {
        unsigned thread = Tid + bound.thread, block = Ctaid + bound.block;
        int64_t threads = domain->shape().block[bound.thread];
        return slopes[block] % threads == 0 &&
               slopes[block] / threads == slopes[thread] &&
               !llvm::is_contained(mixed, thread) &&
               !llvm::is_contained(mixed, block);
      });
}

Interval AccessPattern::iterations(unsigned depth, const BlockBox &blocks,
                                   llvm::ArrayRef<Interval> outer) const {
  Interval all = shape->domain->iterations[depth];
  if (shape->digits || shape->isBox)
    return all;
  llvm::SmallVector<Interval, 6> window(blocks.begin(), blocks.end());
  window.append(outer.begin(), outer.end());
  Interval found = {1, 0};
  for (const IterationDomain::Piece &piece : shape->domain->domain->pieces()) {
    bool isIn =
        llvm::none_of(llvm::zip(window, piece.box), [](const auto &sides) {
          return isEmpty(intersect(std::get<0>(sides), std::get<1>(sides)));
        });
    Interval side = piece.box[3 + depth];
    if (isIn)
      found = isEmpty(found) ? side
                             : Interval{std::min(found.low, side.low),
                                        std::max(found.high, side.high)};
  }
  return isEmpty(found) ? all : found;
}

BlockBox AccessPattern::blocks() const {
  BlockBox box;
  for (auto [side, symbol] :
       llvm::zip(box, llvm::ArrayRef(shape->domain->symbols).slice(Ctaid)))
    side = shape->domain->domain->range(symbol);
  return box;
}

std::optional<int64_t> AccessPattern::blockStride(unsigned axis) const {
  if (!shape->cases.empty()) {
    std::optional<int64_t> stride = shape->cases.front().blockStride(axis);
    return stride == shape->cases.back().blockStride(axis) ? stride
                                                           : std::nullopt;
  }
  if (shape->digits)
    return shape->digits->slopeOf(Ctaid + axis);
  if (llvm::is_contained(shape->mixed, Ctaid + axis))
    return std::nullopt;
  return shape->slopes[Ctaid + axis];
}

bool AccessDomain::findBounds(const Expr &condition,
                              llvm::ArrayRef<DomainLoop> loops) {
  bounds.assign(symbols.size(), {});
  for (unsigned axis = 0; axis < 3; ++axis) {
    bounds[Tid + axis] = {0, shape().block[axis] - 1};
    bounds[Ctaid + axis] = {0, shape().grid[axis] - 1};
  }
  for (auto [number, loop] : llvm::enumerate(loops)) {
    std::optional<int64_t> trips = loop.tripCount.constant();
    if (!trips)
      return false;
    bounds[Counter + number] = {0, *trips - 1};
  }
  if (!llvm::all_of(condition.conjuncts(),
                    [&](const Expr &part) { return addBound(part); }))
    return false;
  // Bounds on the thread index alone leave gaps in the coordinate.
  return llvm::all_of(globalBounds, [&](const GlobalBound &bound) {
    int64_t extent = shape().block[bound.thread];
    return bounds[Tid + bound.thread] == Interval{0, extent - 1};
  });
}

/// Takes a condition on one index or one global coordinate as a bound.
bool AccessDomain::addBound(const Expr &condition) {
  if (std::optional<int64_t> constant = condition.constant())
    return *constant != 0 || (bounds.front() = {1, 0}, true);
  const Atom *bracket = condition.asAtom();
  if (!bracket || (bracket->kind != Atom::Kind::AtLeastZero &&
                   bracket->kind != Atom::Kind::EqualZero))
    return false;
  Expr left = bracket->operands[0];
  llvm::SmallVector<std::pair<unsigned, int64_t>, 2> used;
  for (auto [number, symbol] : llvm::enumerate(symbols)) {
    if (!left.uses(symbol))
      continue;
    auto linear = left.linearIn(symbol);
    auto slope = linear ? linear->factor->constant() : std::nullopt;
    if (!slope || !isWithin(*slope, INT32_MAX))
      return false;
    used.emplace_back(number, *slope);
    left = *linear->rest;
  }
  std::optional<int64_t> constant = left.constant();
  if (!constant || !isWithin(*constant, INT64_MAX / 4) || used.empty() ||
      used.size() > 2)
    return false;
  auto [first, slope] = used.front();
  Interval values =
      boundOf(slope, *constant, bracket->kind == Atom::Kind::EqualZero);
  if (used.size() == 1) {
    bounds[first] = intersect(bounds[first], values);
    return true;
  }
  auto [second, blockSlope] = used.back();
  if (first >= Ctaid || second < Ctaid || second >= Counter ||
      blockSlope != slope * shape().block[first])
    return false;
  return addGlobalBound({first, second - Ctaid, values});
}

bool AccessDomain::addGlobalBound(GlobalBound bound) {
  for (GlobalBound &other : globalBounds) {
    if (other.thread == bound.thread && other.block == bound.block) {
      other.values = intersect(other.values, bound.values);
      return true;
    }
    if (other.thread == bound.thread || other.block == bound.block)
      return false;
  }
  globalBounds.push_back(bound);
  return true;
}

//===----------------------------------------------------------------------===//
// Parts of the launch
//===----------------------------------------------------------------------===//

std::optional<double> AccessPattern::append(const BlockBox &blocks,
                                            llvm::ArrayRef<Interval> iterations,
                                            AddressSet &set) const {
  llvm::SmallVector<Interval, 8> window;
  for (unsigned axis = 0; axis < 3; ++axis)
    window.push_back({0, shape->domain->shape().block[axis] - 1});
  window.append(blocks.begin(), blocks.end());
  window.append(iterations.begin(), iterations.end());
  if (shape->digits)
    return shape->digits->append(window, constant, set);
  if (!shape->cases.empty()) {
    double executions = 0;
    for (const AccessPattern &ofCase : shape->cases) {
      auto added = ofCase.movedBy(constant).append(blocks, iterations, set);
      if (!added)
        return std::nullopt;
      executions += *added;
    }
    return executions;
  }
  if (!shape->isBox)
    return appendPieces(window, set);
  for (auto [side, bound] : llvm::zip(window, shape->domain->bounds))
    side = intersect(side, bound);
  return emit(window, true, set);
}

std::optional<double> AccessPattern::emit(llvm::ArrayRef<Interval> box,
                                          bool withGlobalBounds,
                                          AddressSet &set) const {
  if (llvm::any_of(box, isEmpty))
    return 0;
  bool clamped = shape->clamped && shape->clamped->isPlainIn(box);
  if (shape->clamped && !clamped)
    if (auto parts = shape->clamped->partsOf(box); parts) {
      double all = 0;
      for (const auto &part : *parts) {
        auto added = emit(part, withGlobalBounds, set);
        if (!added)
          return std::nullopt;
        all += *added;
      }
      return all;
    }
  StridedAccess access{constant, shape->bytes, {}};
  double executions = 1;
  bool fits = true;
  auto add = [&](int64_t slope, Interval side) {
    executions *= static_cast<double>(sizeOf(side));
    fits &= addSide(access, slope, side);
  };
  llvm::SmallVector<bool, 8> done(box.size(), false);
  if (withGlobalBounds)
    for (const AccessDomain::GlobalBound &bound : shape->domain->globalBounds) {
      Interval block = box[Ctaid + bound.block], thread = box[bound.thread];
      int64_t extent = shape->domain->shape().block[bound.thread];
      Interval global = intersect(
          {block.low * extent + thread.low, block.high * extent + thread.high},
          bound.values);
      if (isEmpty(global))
        return 0;
      add(shape->slopes[Tid + bound.thread], global);
      done[Tid + bound.thread] = done[Ctaid + bound.block] = true;
    }
  if (clamped) {
    access.first += shape->clamped->constant;
    for (const ClampedIndex &index : shape->clamped->indices) {
      if (auto values = index.valuesIn(box)) {
        fits &= addSide(access, index.scale, *values);
        continue;
      }
      access.first += index.scale * index.first;
      for (auto [symbol, slope] : index.slopes)
        fits &= addSide(access, index.scale * slope, box[symbol]);
    }
  }
  int64_t points = 1;
  for (unsigned symbol : shape->mixed) {
    done[symbol] = true;
    if (clamped) {
      executions *= static_cast<double>(sizeOf(box[symbol]));
      continue;
    }
    if (sizeOf(box[symbol]) > MaxPoints / points)
      return std::nullopt;
    points *= sizeOf(box[symbol]);
  }
  for (unsigned symbol = 0; symbol < box.size(); ++symbol)
    if (!done[symbol])
      add(shape->slopes[symbol], box[symbol]);
  if (!fits || set.size() + points > MostAccesses)
    return std::nullopt;
  if (shape->mixed.empty() || clamped) {
    set.push_back(std::move(access));
    return executions;
  }
  set.reserve(set.size() + points);
  // As many points at a time as a warp has lanes.
  std::vector<LaneValues> values(box.size());
  for (int64_t first = 0; first < points; first += LaunchShape::WarpSize) {
    int64_t count = std::min(points - first, LaunchShape::WarpSize);
    for (int64_t i = 0; i < count; ++i) {
      int64_t position = first + i;
      for (unsigned symbol : shape->mixed) {
        values[symbol][i] = box[symbol].low + position % sizeOf(box[symbol]);
        position /= sizeOf(box[symbol]);
      }
    }
    uint32_t failed = 0;
    LaneValues places = shape->rest.evaluateLanes(values, {}, failed);
    for (int64_t i = 0; i < count; ++i) {
      set.push_back(access);
      int64_t &place = set.back().first;
      if ((failed >> i & 1) || llvm::AddOverflow(place, places[i], place))
        return std::nullopt;
    }
  }
  return executions * static_cast<double>(points);
}

std::optional<double>
AccessPattern::appendPieces(llvm::ArrayRef<Interval> window,
                            AddressSet &set) const {
  double executions = 0;
  for (const IterationDomain::Piece &piece : shape->domain->domain->pieces()) {
    llvm::SmallVector<Interval, 8> box(window.begin(), window.end());
    for (auto [side, part] : llvm::zip(llvm::drop_begin(box, 3), piece.box))
      side = intersect(side, part);
    std::optional<double> added =
        appendThreads(*piece.masks, std::move(box), set);
    if (!added)
      return std::nullopt;
    executions += *added;
  }
  return executions;
}

/// The threads of the masks, in runs along x.
std::optional<double>
AccessPattern::appendThreads(const std::vector<uint32_t> &masks,
                             llvm::SmallVector<Interval, 8> box,
                             AddressSet &set) const {
  if (llvm::any_of(box, isEmpty))
    return 0;
  if (masks == shape->domain->fullMasks)
    return emit(box, false, set);
  auto isActive = [&](int64_t x, int64_t y, int64_t z) {
    int64_t thread = x + shape->domain->shape().block.x *
                             (y + shape->domain->shape().block.y * z);
    return masks[thread / LaunchShape::WarpSize] >>
               (thread % LaunchShape::WarpSize) &
           1;
  };
  double executions = 0;
  Interval sideX = box[0], sideY = box[1], sideZ = box[2];
  for (int64_t z = sideZ.low; z <= sideZ.high; ++z)
    for (int64_t y = sideY.low; y <= sideY.high; ++y)
      for (int64_t x = sideX.low; x <= sideX.high; ++x) {
        if (!isActive(x, y, z))
          continue;
        int64_t first = x;
        while (x < sideX.high && isActive(x + 1, y, z))
          ++x;
        box[0] = {first, x}, box[1] = {y, y}, box[2] = {z, z};
        std::optional<double> added = emit(box, false, set);
        if (!added)
          return std::nullopt;
        executions += *added;
      }
  return executions;
}
