// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics: one lane after the other, with atomics of the host where other
// threads of it may be at the same memory.
#include "AtomicOperations.h"
#include "Handlers.h"
#include "Launch.h"
#include "Slots.h"

#include <cstring>
#include <mutex>

using namespace auspex;
using namespace auspex::emulator;

std::optional<AtomicKind>
emulator::atomicKind(llvm::AtomicRMWInst::BinOp operation,
                     const llvm::Type *type) {
  using R = llvm::AtomicRMWInst;
  auto floating = [&](AtomicKind kind,
                      unsigned ofHalf) -> std::optional<AtomicKind> {
    if (type->isFloatTy() || type->isDoubleTy())
      return kind;
    if (!type->isHalfTy() && !type->isBFloatTy())
      return std::nullopt;
    unsigned first = static_cast<unsigned>(
        type->isHalfTy() ? AtomicKind::HalfAdd : AtomicKind::BfloatAdd);
    return static_cast<AtomicKind>(first + ofHalf);
  };
  switch (operation) {
  case R::Xchg:
    return AtomicKind::Exchange;
  case R::Add:
    return AtomicKind::Add;
  case R::Sub:
    return AtomicKind::Sub;
  case R::And:
    return AtomicKind::And;
  case R::Nand:
    return AtomicKind::Nand;
  case R::Or:
    return AtomicKind::Or;
  case R::Xor:
    return AtomicKind::Xor;
  case R::Max:
    return AtomicKind::SMax;
  case R::Min:
    return AtomicKind::SMin;
  case R::UMax:
    return AtomicKind::UMax;
  case R::UMin:
    return AtomicKind::UMin;
  case R::UIncWrap:
    return AtomicKind::Increment;
  case R::UDecWrap:
    return AtomicKind::Decrement;
  case R::USubCond:
    return AtomicKind::ConditionalSub;
  case R::USubSat:
    return AtomicKind::SaturatingSub;
  case R::FAdd:
    return floating(AtomicKind::FAdd, 0);
  case R::FSub:
    return floating(AtomicKind::FSub, 1);
  case R::FMax:
  case R::FMaximum:
    return floating(AtomicKind::FMax, 2);
  case R::FMin:
  case R::FMinimum:
    return floating(AtomicKind::FMin, 3);
  default:
    return std::nullopt;
  }
}

template <class T> static T *at(uint64_t address) {
  return reinterpret_cast<T *>(address);
}

/// What is wider than the host's atomics.
static std::mutex &wideMutex() {
  static std::mutex mutex;
  return mutex;
}

/// One lane's operation; the value before.
template <class T, class Compute>
static T exchange(uint64_t address, bool isShared, Compute compute) {
  if (!isShared) {
    T old;
    std::memcpy(&old, at<char>(address), sizeof(T));
    T value = compute(old);
    std::memcpy(at<char>(address), &value, sizeof(T));
    return old;
  }
  if constexpr (sizeof(T) == 16) {
    std::lock_guard<std::mutex> lock(wideMutex());
    return exchange<T>(address, false, compute);
  } else {
    T old = __atomic_load_n(at<T>(address), __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(at<T>(address), &old, compute(old),
                                        false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
      ;
    return old;
  }
}

/// Whether other threads of the host may be at the memory of the request just
/// made.
static bool isSharedByThreads(const Operation *op, const Warp &warp) {
  return !warp.context->launch->isSingleThread &&
         warp.context->accesses[op->index].range.kind !=
             MemoryRange::Kind::Shared;
}

template <class T, class Compute>
static void forLanes(const Operation *op, Warp &warp, const uint64_t *pointers,
                     Compute compute) {
  T *result = slot<T>(warp, op->result);
  auto displacement = static_cast<uint64_t>(op->immediate);
  bool isShared = isSharedByThreads(op, warp);
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
    unsigned lane = llvm::countr_zero(lanes);
    result[lane] = exchange<T>(pointers[lane] + displacement, isShared,
                               [&](T old) { return compute(lane, old); });
  }
}

template <class T>
static const Operation *atomic(const Operation *op, Warp &warp) {
  const uint64_t *pointers = slot<uint64_t>(warp, op->operands[0]);
  if (!requestFunction()(op, warp, pointers, sizeof(T)))
    return nullptr;
  const T *values = slot<T>(warp, op->operands[1]);
  auto kind = static_cast<AtomicKind>(static_cast<uint32_t>(op->count));
  if (kind == AtomicKind::CompareAndSwap) {
    const T *compared = slot<T>(warp, op->operands[2]);
    forLanes<T>(op, warp, pointers, [&](unsigned lane, T old) {
      return old == compared[lane] ? values[lane] : old;
    });
  } else if (kind == AtomicKind::Add) {
    // The common one, without a look at the kind for every lane.
    forLanes<T>(op, warp, pointers,
                [&](unsigned lane, T old) { return T(old + values[lane]); });
  } else {
    forLanes<T>(op, warp, pointers, [&](unsigned lane, T old) {
      return applyAtomic<T>(kind, old, values[lane]);
    });
  }
  return op + 1;
}

/// Two halves in a word.
static const Operation *atomicPair(const Operation *op, Warp &warp) {
  const uint64_t *pointers = slot<uint64_t>(warp, op->operands[0]);
  if (!requestFunction()(op, warp, pointers, 4))
    return nullptr;
  const uint16_t *low = slot<uint16_t>(warp, op->operands[1]);
  const uint16_t *high = slot<uint16_t>(warp, op->operands[2]);
  uint16_t *result = slot<uint16_t>(warp, op->result);
  auto kind = static_cast<AtomicKind>(static_cast<uint32_t>(op->count));
  bool isShared = isSharedByThreads(op, warp);
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
    unsigned lane = llvm::countr_zero(lanes);
    auto old = exchange<uint32_t>(
        pointers[lane] + static_cast<uint64_t>(op->immediate), isShared,
        [&](uint32_t word) {
          auto a = applyAtomic<uint16_t>(kind, word & 0xffff, low[lane]);
          auto b = applyAtomic<uint16_t>(kind, word >> 16, high[lane]);
          return uint32_t(b) << 16 | a;
        });
    result[lane] = old & 0xffff;
    result[Lanes + lane] = old >> 16;
  }
  return op + 1;
}

void emulator::addAtomicHandlers(HandlerTable &table) {
  table[indexOf(Opcode::Atomic8)] = atomic<uint8_t>;
  table[indexOf(Opcode::Atomic16)] = atomic<uint16_t>;
  table[indexOf(Opcode::Atomic32)] = atomic<uint32_t>;
  table[indexOf(Opcode::Atomic64)] = atomic<uint64_t>;
  table[indexOf(Opcode::Atomic128)] = atomic<uint128_t>;
  table[indexOf(Opcode::AtomicPair16)] = atomicPair;
}
