// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores, and the check and the counts of every request; compiled for
// every instruction set.
#include "Arithmetic.h"
#include "Handlers.h"
#include "Launch.h"
#include "MemoryFaults.h"
#include "RequestCounting.h"
#include "Slots.h"

namespace auspex::emulator::AUSPEX_ISA {
namespace {

using Shape = RequestPattern::Shape;

/// A request that was checked.
struct Request {
  bool isFault = false;
  Shape shape = Shape::Other;
};

bool matches(const RequestPattern &pattern, const uint64_t *pointers,
             uint64_t first) {
  uint64_t different = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    different |= (pointers[lane] - first) ^
                 static_cast<uint64_t>(pattern.distances[lane]);
  return different == 0;
}
bool matches(const RequestPattern &pattern, const uint64_t *pointers,
             uint64_t first, const uint64_t *lanes) {
  uint64_t different = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    different |= ((pointers[lane] - first) ^
                  static_cast<uint64_t>(pattern.distances[lane])) &
                 lanes[lane];
  return different == 0;
}

RequestPattern *findPattern(AccessState &state, const uint64_t *pointers,
                            uint32_t mask, uint64_t first) {
  if (mask == FullMask) {
    for (unsigned i = 0; i < state.numPatterns; ++i)
      if (state.patterns[i]->mask == mask &&
          matches(*state.patterns[i], pointers, first))
        return state.patterns[i].get();
    return nullptr;
  }
  alignas(64) uint64_t lanes[Lanes];
  bool expanded = false;
  for (unsigned i = 0; i < state.numPatterns; ++i) {
    if (state.patterns[i]->mask != mask)
      continue;
    if (!expanded)
      expandMask(mask, lanes);
    expanded = true;
    if (matches(*state.patterns[i], pointers, first, lanes))
      return state.patterns[i].get();
  }
  return nullptr;
}

/// Where the addresses lie and what they are not aligned to.
struct Bounds {
  uint64_t low = ~uint64_t(0), high = 0, misaligned = 0;
};

Bounds boundsOf(const uint64_t *pointers, uint32_t mask) {
  Bounds bounds;
  if (mask == FullMask) {
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      uint64_t pointer = pointers[lane];
      bounds.low = pointer < bounds.low ? pointer : bounds.low;
      bounds.high = pointer > bounds.high ? pointer : bounds.high;
      bounds.misaligned |= pointer;
    }
    return bounds;
  }
  for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
    uint64_t pointer = pointers[__builtin_ctz(lanes)];
    bounds.low = pointer < bounds.low ? pointer : bounds.low;
    bounds.high = pointer > bounds.high ? pointer : bounds.high;
    bounds.misaligned |= pointer;
  }
  return bounds;
}

/// The hardware interleaves local memory, so that lanes that read the same
/// element read side by side.
void interleaveLocal(const Warp &warp, const uint64_t *pointers,
                     uint64_t displacement, unsigned bytes,
                     uint64_t *addresses) {
  auto local = reinterpret_cast<uint64_t>(warp.local);
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    uint64_t offset =
        pointers[lane] + displacement - local - lane * warp.localStride;
    addresses[lane] = (offset / bytes * Lanes + lane) * bytes + offset % bytes;
  }
}

void noteExtent(AccessState &state, uint64_t low, uint64_t high) {
  int64_t from = static_cast<int64_t>(low - state.range.begin);
  int64_t to = static_cast<int64_t>(high - state.range.begin);
  state.low = from < state.low ? from : state.low;
  state.high = to > state.high ? to : state.high;
}

/// The addresses that the counts are of.
const uint64_t *countedAddresses(const Warp &warp, const AccessState &state,
                                 const uint64_t *pointers,
                                 uint64_t displacement, unsigned bytes,
                                 uint64_t *buffer) {
  if (state.range.kind == MemoryRange::Kind::Local)
    interleaveLocal(warp, pointers, displacement, bytes, buffer);
  else
    for (unsigned lane = 0; lane < Lanes; ++lane)
      buffer[lane] = pointers[lane] + displacement;
  return buffer;
}

void countKnown(const Warp &warp, AccessState &state, RequestPattern &pattern,
                const uint64_t *pointers, uint64_t displacement, uint64_t first,
                unsigned bytes) {
  const LaunchRun &launch = *warp.context->launch;
  uint64_t position = first & (launch.period - 1);
  KnownRequest *known = pattern.known[position];
  if (!known) {
    uint64_t addresses[Lanes];
    countedAddresses(warp, state, pointers, displacement, bytes, addresses);
    const MemoryGranularity &granularity = launch.options->granularity;
    Bounds bounds = boundsOf(addresses, pattern.mask);
    uint64_t unused = 0;
    RequestFigures figures = countRequestFast(
        addresses, pattern.mask, bytes, bounds.low, bounds.high + bytes,
        bounds.misaligned, granularity, nullptr, 0, unused);
    known = &AccessState::know(pattern, position, figures, addresses, bytes,
                               granularity);
  }
  ++known->hits;
  noteExtent(state, first + pattern.low, first + pattern.high);
  if (SectorMap *map = state.range.sectors) {
    unsigned shift = __builtin_ctz(launch.options->granularity.sectorInBytes);
    uint64_t sector =
        ((first + pattern.low) >> shift) - (state.range.begin >> shift);
    state.newSectors += map->touch(sector, known->sectorBits);
    for (uint32_t more : known->moreSectors)
      state.newSectors += map->touch(sector + more, 1);
  }
}

/// Whether the lanes of each row of \p length read the same, or side by side.
bool isInRows(const RequestPattern &pattern, unsigned length, int64_t step) {
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (pattern.distances[lane] !=
        pattern.distances[lane / length * length] +
            static_cast<int64_t>(lane % length) * step)
      return false;
  return true;
}

Shape shapeOf(const RequestPattern &pattern, unsigned bytes) {
  if (isInRows(pattern, Lanes, 0))
    return Shape::Uniform; // whatever the mask is: others are at distance 0
  if (pattern.mask != FullMask)
    return Shape::Other;
  if (isInRows(pattern, Lanes, bytes))
    return Shape::Consecutive;
  if (isInRows(pattern, 16, 0))
    return Shape::UniformHalves;
  if (isInRows(pattern, 16, bytes))
    return Shape::ConsecutiveHalves;
  if (isInRows(pattern, 8, 0))
    return Shape::UniformQuarters;
  if (isInRows(pattern, 8, bytes))
    return Shape::ConsecutiveQuarters;
  return Shape::Other;
}

RequestPattern &addPattern(AccessState &state, const uint64_t *pointers,
                           uint32_t mask, uint64_t first, const Bounds &bounds,
                           unsigned bytes, uint64_t period) {
  RequestPattern &pattern = state.newPattern(period);
  pattern.mask = mask;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    bool isActive = mask >> lane & 1;
    int64_t distance =
        isActive ? static_cast<int64_t>(pointers[lane] - first) : 0;
    pattern.distances[lane] = distance;
    pattern.misaligned |= static_cast<uint64_t>(distance);
  }
  pattern.shape = shapeOf(pattern, bytes);
  pattern.low = static_cast<int64_t>(bounds.low - first);
  pattern.high = static_cast<int64_t>(bounds.high + bytes - first);
  return pattern;
}

/// Looks for the memory that the access goes to now. False for a fault.
[[gnu::noinline]] bool enterRange(const Operation *op, Warp &warp,
                                  AccessState &state, const uint64_t *pointers,
                                  unsigned bytes, uint64_t low, uint64_t high) {
  MemoryRange range = warp.context->findRange(warp, low, high);
  if (range.kind == MemoryRange::Kind::None &&
      !spansRanges(op, warp, pointers, bytes))
    return false;
  if ((range.kind == MemoryRange::Kind::Local) !=
      (state.range.kind == MemoryRange::Kind::Local))
    state.forgetPatterns(); // local memory is counted in another way
  state.range = range;
  uint32_t allocation = range.kind == MemoryRange::Kind::Global
                            ? range.allocation
                            : AccessState::specialAllocation(range.kind);
  if (range.kind == MemoryRange::Kind::None ||
      (state.allocation != AccessState::NoAllocation &&
       state.allocation != allocation))
    state.allocation = AccessState::SeveralAllocations;
  else
    state.allocation = allocation;
  return true;
}

[[gnu::noinline]] Request newRequest(const Operation *op, Warp &warp,
                                     AccessState &state,
                                     const uint64_t *pointers, unsigned bytes);

[[gnu::always_inline]] inline Request makeRequest(const Operation *op,
                                                  Warp &warp,
                                                  const uint64_t *pointers,
                                                  unsigned bytes) {
  AccessState &state = warp.context->accesses[op->index];
  uint32_t mask = warp.active;
  if (state.pause != 0)
    return newRequest(op, warp, state, pointers, bytes);
  uint64_t first = pointers[__builtin_ctz(mask)];
  RequestPattern *pattern = findPattern(state, pointers, mask, first);
  if (!pattern)
    return newRequest(op, warp, state, pointers, bytes);
  state.credit += state.credit < AccessState::MaxCredit;
  uint64_t displacement = static_cast<uint64_t>(op->immediate);
  first += displacement;
  if (((first | pattern->misaligned) & (op->second - 1)) != 0) {
    misalignedFault(op, warp, pointers, bytes);
    return {true};
  }
  uint64_t low = first + pattern->low, high = first + pattern->high;
  if (!state.range.contains(low, high) &&
      !enterRange(op, warp, state, pointers, bytes, low, high))
    return {true};
  if (__builtin_expect(state.numPatterns == 0, 0))
    return newRequest(op, warp, state, pointers, bytes);
  if (warp.context->profiling)
    countKnown(warp, state, *pattern, pointers, displacement, first, bytes);
  return {false, pattern->shape};
}

Request newRequest(const Operation *op, Warp &warp, AccessState &state,
                   const uint64_t *pointers, unsigned bytes) {
  uint32_t mask = warp.active;
  uint64_t displacement = static_cast<uint64_t>(op->immediate);
  Bounds bounds = boundsOf(pointers, mask);
  uint64_t low = bounds.low + displacement;
  uint64_t high = bounds.high + displacement + bytes;
  // The displacement may carry into the low bits.
  uint64_t first = pointers[__builtin_ctz(mask)];
  uint64_t misaligned = bounds.misaligned;
  if (displacement) {
    misaligned = 0;
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1)
      misaligned |= pointers[__builtin_ctz(lanes)] + displacement;
  }
  if ((misaligned & (op->second - 1)) != 0) {
    misalignedFault(op, warp, pointers, bytes);
    return {true};
  }
  if (!state.range.contains(low, high) &&
      !enterRange(op, warp, state, pointers, bytes, low, high))
    return {true};
  const LaunchRun &launch = *warp.context->launch;
  if (state.pause != 0) {
    if (--state.pause == 0)
      state.credit = AccessState::RetryCredit;
  } else if ((state.credit -= AccessState::PatternCost) <= 0) {
    state.pause = state.nextPause;
    if (state.nextPause < AccessState::LongestPause)
      state.nextPause *= 2;
  } else if (state.range.kind != MemoryRange::Kind::None) {
    RequestPattern &pattern =
        addPattern(state, pointers, mask, first, bounds, bytes, launch.period);
    if (warp.context->profiling)
      countKnown(warp, state, pattern, pointers, displacement,
                 first + displacement, bytes);
    return {false, pattern.shape};
  }
  if (!warp.context->profiling)
    return {};
  if (state.range.kind == MemoryRange::Kind::None) {
    countSpanning(op, warp, state, pointers, bytes);
    return {};
  }
  noteExtent(state, low, high);
  uint64_t buffer[Lanes];
  const uint64_t *addresses = pointers;
  if (displacement || state.range.kind == MemoryRange::Kind::Local) {
    addresses =
        countedAddresses(warp, state, pointers, displacement, bytes, buffer);
    if (state.range.kind == MemoryRange::Kind::Local) {
      Bounds local = boundsOf(addresses, mask);
      low = local.low;
      high = local.high + bytes;
      misaligned = local.misaligned;
    }
  }
  const MemoryGranularity &granularity = launch.options->granularity;
  state.count(countRequestFast(addresses, mask, bytes, low, high, misaligned,
                               granularity, state.range.sectors,
                               state.range.begin >>
                                   __builtin_ctz(granularity.sectorInBytes),
                               state.newSectors),
              1);
  return {};
}

bool checkRequest(const Operation *op, Warp &warp, const uint64_t *pointers,
                  unsigned bytes) {
  return !makeRequest(op, warp, pointers, bytes).isFault;
}

/// Calls \p visit with every active lane.
template <class Visit>
[[gnu::always_inline]] inline void forActive(uint32_t mask, Visit visit) {
  if (mask == FullMask) {
    for (unsigned lane = 0; lane < Lanes; ++lane)
      visit(lane);
    return;
  }
  for (; mask; mask &= mask - 1)
    visit(static_cast<unsigned>(__builtin_ctz(mask)));
}

template <class T> const char *at(uint64_t pointer) {
  return reinterpret_cast<const char *>(pointer);
}
template <class T> T readAt(uint64_t pointer) {
  T value;
  std::memcpy(&value, reinterpret_cast<const char *>(pointer), sizeof(T));
  return value;
}
template <class T> void writeAt(uint64_t pointer, T value) {
  std::memcpy(reinterpret_cast<char *>(pointer), &value, sizeof(T));
}

template <class T, unsigned length>
[[gnu::always_inline]] inline void moveRows(T *result, const uint64_t *pointers,
                                            uint64_t displacement) {
  for (unsigned lane = 0; lane < Lanes; lane += length)
    std::memcpy(result + lane, at<T>(pointers[lane] + displacement),
                length * sizeof(T));
}
template <class T, unsigned length>
[[gnu::always_inline]] inline void
moveUniformRows(T *result, const uint64_t *pointers, uint64_t displacement) {
  for (unsigned first = 0; first < Lanes; first += length) {
    T value = readAt<T>(pointers[first] + displacement);
    for (unsigned lane = 0; lane < length; ++lane)
      result[first + lane] = value;
  }
}

template <class T>
[[gnu::always_inline]] inline void
moveIn(const Operation *op, Warp &warp, const uint64_t *pointers, Shape shape) {
  T *__restrict result = slot<T>(warp, op->result);
  uint64_t displacement = static_cast<uint64_t>(op->immediate);
  uint32_t mask = warp.active;
  // The lanes' accesses are side by side; so are these parts of them only if
  // they are the whole.
  bool isWhole = op->operands[3] == sizeof(T);
  for (uint32_t i = 0; i < op->count; ++i) {
    if (shape == Shape::Uniform) {
      T value = readAt<T>(pointers[__builtin_ctz(mask)] + displacement);
      for (unsigned lane = 0; lane < Lanes; ++lane)
        result[lane] = value;
    } else if (shape == Shape::UniformHalves) {
      moveUniformRows<T, 16>(result, pointers, displacement);
    } else if (shape == Shape::UniformQuarters) {
      moveUniformRows<T, 8>(result, pointers, displacement);
    } else if (shape == Shape::Consecutive && isWhole) {
      moveRows<T, Lanes>(result, pointers, displacement);
    } else if (shape == Shape::ConsecutiveHalves && isWhole) {
      moveRows<T, 16>(result, pointers, displacement);
    } else if (shape == Shape::ConsecutiveQuarters && isWhole) {
      moveRows<T, 8>(result, pointers, displacement);
    } else {
      forActive(mask, [&](unsigned lane) __attribute__((always_inline)) {
        result[lane] = readAt<T>(pointers[lane] + displacement);
      });
    }
    result += Lanes;
    displacement += sizeof(T);
  }
}

template <class T>
[[gnu::always_inline]] inline void moveOut(const Operation *op, Warp &warp,
                                           const uint64_t *pointers,
                                           Shape shape) {
  const T *values = slot<T>(warp, op->operands[1]);
  uint64_t displacement = static_cast<uint64_t>(op->immediate);
  for (uint32_t i = 0; i < op->count; ++i) {
    if (shape == Shape::Consecutive && op->operands[3] == sizeof(T))
      std::memcpy(const_cast<char *>(at<T>(pointers[0] + displacement)), values,
                  Lanes * sizeof(T));
    else
      forActive(warp.active, [&](unsigned lane) __attribute__((always_inline)) {
        writeAt<T>(pointers[lane] + displacement, values[lane]);
      });
    values += Lanes;
    displacement += sizeof(T);
  }
}

// Operands[2] of the first operation of a mixed struct is not used; its size is
// the access's.
template <class T> const Operation *load(const Operation *op, Warp &warp) {
  const auto *pointers = slot<uint64_t>(warp, op->operands[0]);
  unsigned bytes = static_cast<unsigned>(op->operands[3]);
  Request request = makeRequest(op, warp, pointers, bytes);
  if (__builtin_expect(request.isFault, 0))
    return nullptr;
  moveIn<T>(op, warp, pointers, request.shape);
  return op + 1;
}
template <class T> const Operation *store(const Operation *op, Warp &warp) {
  const auto *pointers = slot<uint64_t>(warp, op->operands[0]);
  unsigned bytes = static_cast<unsigned>(op->operands[3]);
  Request request = makeRequest(op, warp, pointers, bytes);
  if (__builtin_expect(request.isFault, 0))
    return nullptr;
  moveOut<T>(op, warp, pointers, request.shape);
  return op + 1;
}
template <class T> const Operation *moreLoad(const Operation *op, Warp &warp) {
  moveIn<T>(op, warp, slot<uint64_t>(warp, op->operands[0]), Shape::Other);
  return op + 1;
}
template <class T> const Operation *moreStore(const Operation *op, Warp &warp) {
  moveOut<T>(op, warp, slot<uint64_t>(warp, op->operands[0]), Shape::Other);
  return op + 1;
}

} // namespace

const RequestFunction request = checkRequest;

void addMemoryHandlers(HandlerTable &table) {
#define FAMILY(name, function)                                                 \
  table[indexOf(Opcode::name##8)] = function<uint8_t>;                         \
  table[indexOf(Opcode::name##16)] = function<uint16_t>;                       \
  table[indexOf(Opcode::name##32)] = function<uint32_t>;                       \
  table[indexOf(Opcode::name##64)] = function<uint64_t>;                       \
  table[indexOf(Opcode::name##128)] = function<uint128_t>;
  FAMILY(Load, load)
  FAMILY(Store, store)
  FAMILY(MoreLoad, moreLoad)
  FAMILY(MoreStore, moreStore)
#undef FAMILY
}

} // namespace auspex::emulator::AUSPEX_ISA
