// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices that a warp holds, and their way from and to memory;
// compiled for every instruction set.
//
// Floats of less than 32 bits are multiplied exactly and summed up in float in
// the order of k, then rounded once to D's type; tensor cores sum up in an
// order and with roundings of their own.
#include "Arithmetic.h"
#include "Handlers.h"
#include "Launch.h"
#include "Matrices.h"
#include "Slots.h"

namespace auspex::emulator::AUSPEX_ISA {
namespace {

/// Elements of the largest operands, which are of bits, and results.
constexpr unsigned LargestOperand = 16 * 256, LargestResult = 256;

/// The bits of element \p index of all lanes.
void readElements(const Warp &warp, const Fragment &fragment, unsigned index,
                  uint64_t *elements) {
  unsigned bits = elementBits(fragment.type);
  unsigned perSlot = fragment.elementsPerSlot();
  SlotOffset offset = fragment.slots[index / perSlot];
  unsigned shift = index % perSlot * bits;
  uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  auto read = [&](auto *values) {
    for (unsigned lane = 0; lane < Lanes; ++lane)
      elements[lane] = static_cast<uint64_t>(values[lane]) >> shift & mask;
  };
  if (fragment.width == Width::W16)
    read(slot<uint16_t>(warp, offset));
  else if (fragment.width == Width::W32)
    read(slot<uint32_t>(warp, offset));
  else
    read(slot<uint64_t>(warp, offset));
}

/// The lanes of \p mask only; the elements of a slot in their order.
void writeElements(const Warp &warp, const Fragment &fragment, unsigned index,
                   const uint64_t *elements, uint32_t mask = FullMask) {
  unsigned bits = elementBits(fragment.type);
  unsigned perSlot = fragment.elementsPerSlot();
  SlotOffset offset = fragment.slots[index / perSlot];
  unsigned shift = index % perSlot * bits;
  auto write = [&](auto *values) {
    using T = std::remove_reference_t<decltype(*values)>;
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (mask >> lane & 1)
        values[lane] =
            static_cast<T>((shift == 0 ? 0 : uint64_t(values[lane])) |
                           elements[lane] << shift);
  };
  if (fragment.width == Width::W16)
    write(slot<uint16_t>(warp, offset));
  else if (fragment.width == Width::W32)
    write(slot<uint32_t>(warp, offset));
  else
    write(slot<uint64_t>(warp, offset));
}

/// A float of 8 bits: 1 bit of sign, \p exponentBits, and the rest.
float smallFloat(uint64_t bits, unsigned exponentBits) {
  unsigned digits = 7 - exponentBits;
  auto exponent = static_cast<int>(bits >> digits & ((1u << exponentBits) - 1));
  auto fraction = static_cast<int>(bits & ((1u << digits) - 1));
  int bias = (1 << (exponentBits - 1)) - 1;
  bool isLast = exponent == (1 << exponentBits) - 1;
  float value;
  // E4M3 has one NaN and no infinity.
  if (exponentBits == 4 ? (bits & 0x7f) == 0x7f : isLast && fraction)
    value = std::numeric_limits<float>::quiet_NaN();
  else if (exponentBits == 5 && isLast)
    value = std::numeric_limits<float>::infinity();
  else if (exponent == 0)
    value = std::ldexp(static_cast<float>(fraction),
                       1 - bias - static_cast<int>(digits));
  else
    value = std::ldexp(static_cast<float>(fraction + (1 << digits)),
                       exponent - bias - static_cast<int>(digits));
  return bits & 0x80 ? -value : value;
}

template <class T, class Convert>
void gatherAs(const Warp &warp, const Fragment &fragment, T *matrix,
              Convert convert) {
  const uint16_t *places = fragment.places.data();
  for (unsigned i = 0; i < fragment.numElements; ++i, places += Lanes) {
    alignas(64) uint64_t elements[Lanes];
    alignas(64) T values[Lanes];
    readElements(warp, fragment, i, elements);
    for (unsigned lane = 0; lane < Lanes; ++lane)
      values[lane] = convert(elements[lane]);
    for (unsigned lane = 0; lane < Lanes; ++lane)
      matrix[places[lane]] = values[lane];
  }
}

void gatherMatrix(const Warp &warp, const Fragment &fragment, double *matrix) {
  gatherAs(warp, fragment, matrix,
           [](uint64_t bits) { return bitCast<double>(bits); });
}

void gatherMatrix(const Warp &warp, const Fragment &fragment, float *matrix) {
  switch (fragment.type) {
  case MatrixElement::F16:
    return gatherAs(warp, fragment, matrix, [](uint64_t bits) {
      return halfToFloat(static_cast<uint16_t>(bits));
    });
  case MatrixElement::BF16:
    return gatherAs(warp, fragment, matrix, [](uint64_t bits) {
      return bfloatToFloat(static_cast<uint16_t>(bits));
    });
  case MatrixElement::TF32:
    // The last 13 bits are not looked at.
    return gatherAs(warp, fragment, matrix, [](uint64_t bits) {
      return bitCast<float>(static_cast<uint32_t>(bits) & 0xffffe000);
    });
  case MatrixElement::E4M3:
    return gatherAs(warp, fragment, matrix,
                    [](uint64_t bits) { return smallFloat(bits, 4); });
  case MatrixElement::E5M2:
    return gatherAs(warp, fragment, matrix,
                    [](uint64_t bits) { return smallFloat(bits, 5); });
  default:
    return gatherAs(warp, fragment, matrix, [](uint64_t bits) {
      return bitCast<float>(static_cast<uint32_t>(bits));
    });
  }
}

void gatherMatrix(const Warp &warp, const Fragment &fragment, int32_t *matrix) {
  unsigned left = 32 - elementBits(fragment.type);
  bool isSigned = fragment.type == MatrixElement::S8 ||
                  fragment.type == MatrixElement::S4 ||
                  fragment.type == MatrixElement::S32;
  gatherAs(warp, fragment, matrix, [=](uint64_t bits) {
    uint32_t shifted = static_cast<uint32_t>(bits) << left;
    return isSigned ? static_cast<int32_t>(shifted) >> left
                    : static_cast<int32_t>(shifted >> left);
  });
}

template <class T, class Convert>
void scatterAs(const Warp &warp, const Fragment &fragment, const T *matrix,
               Convert convert) {
  const uint16_t *places = fragment.places.data();
  for (unsigned i = 0; i < fragment.numElements; ++i, places += Lanes) {
    alignas(64) uint64_t elements[Lanes];
    for (unsigned lane = 0; lane < Lanes; ++lane)
      elements[lane] = convert(matrix[places[lane]]);
    writeElements(warp, fragment, i, elements);
  }
}

/// \p combine adds the product of its last two operands to the first.
template <class T, class Combine>
void multiply(const MatrixShape &shape, const T *a, const T *b, T *c,
              Combine combine) {
  constexpr unsigned Strip = 8;
  for (unsigned i = 0; i < shape.m; ++i)
    for (unsigned j = 0; j < shape.n; j += Strip) {
      T sums[Strip];
      for (unsigned x = 0; x < Strip; ++x)
        sums[x] = c[i * shape.n + j + x];
      for (unsigned k = 0; k < shape.k; ++k)
        for (unsigned x = 0; x < Strip; ++x)
          sums[x] =
              combine(sums[x], a[i * shape.k + k], b[k * shape.n + j + x]);
      for (unsigned x = 0; x < Strip; ++x)
        c[i * shape.n + j + x] = sums[x];
    }
}

template <class T> struct Matrices {
  alignas(64) T a[LargestOperand];
  alignas(64) T b[LargestOperand];
  alignas(64) T c[LargestResult];
};

void multiplyDoubles(const Warp &warp, const MatrixInfo &info) {
  Matrices<double> m;
  gatherMatrix(warp, info.a, m.a);
  gatherMatrix(warp, info.b, m.b);
  gatherMatrix(warp, info.c, m.c);
  multiply(info.shape, m.a, m.b, m.c,
           [](double sum, double a, double b) { return std::fma(a, b, sum); });
  scatterAs(warp, info.d, m.c,
            [](double value) { return bitCast<uint64_t>(value); });
}

void multiplyFloats(const Warp &warp, const MatrixInfo &info) {
  Matrices<float> m;
  gatherMatrix(warp, info.a, m.a);
  gatherMatrix(warp, info.b, m.b);
  gatherMatrix(warp, info.c, m.c);
  multiply(info.shape, m.a, m.b, m.c,
           [](float sum, float a, float b) { return sum + a * b; });
  if (info.d.type == MatrixElement::F16)
    scatterAs(warp, info.d, m.c,
              [](float value) { return uint64_t(floatToHalf(value)); });
  else
    scatterAs(warp, info.d, m.c,
              [](float value) { return uint64_t(bitCast<uint32_t>(value)); });
}

void multiplyIntegers(const Warp &warp, const MatrixInfo &info) {
  Matrices<int32_t> m;
  gatherMatrix(warp, info.a, m.a);
  gatherMatrix(warp, info.b, m.b);
  // The products' sum cannot overflow, the sum with C can.
  alignas(64) int32_t products[LargestResult] = {};
  if (info.a.type != MatrixElement::B1)
    multiply(info.shape, m.a, m.b, products,
             [](int32_t sum, int32_t a, int32_t b) { return sum + a * b; });
  else if (info.isXor)
    multiply(info.shape, m.a, m.b, products,
             [](int32_t sum, int32_t a, int32_t b) { return sum + (a ^ b); });
  else
    multiply(info.shape, m.a, m.b, products,
             [](int32_t sum, int32_t a, int32_t b) { return sum + (a & b); });
  gatherMatrix(warp, info.c, m.c);
  for (unsigned i = 0; i < info.shape.m * info.shape.n; ++i) {
    int64_t sum = int64_t(m.c[i]) + products[i];
    if (info.isSaturating)
      sum = sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum;
    m.c[i] = static_cast<int32_t>(sum);
  }
  scatterAs(warp, info.d, m.c, [](int32_t value) {
    return uint64_t(static_cast<uint32_t>(value));
  });
}

const Operation *multiplyMatrices(const Operation *op, Warp &warp) {
  const auto &info = *static_cast<const MatrixInfo *>(op->extra);
  if (info.a.type == MatrixElement::F64)
    multiplyDoubles(warp, info);
  else if (info.a.type <= MatrixElement::E5M2)
    multiplyFloats(warp, info);
  else
    multiplyIntegers(warp, info);
  return op + 1;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Calls \p move with the first element and the addresses of every piece of
/// memory that all lanes read or write at once: a register where its elements
/// lie side by side, else one element. False for a fault.
template <class Move>
bool forPieces(const Operation *op, Warp &warp, Move move) {
  const auto &info = *static_cast<const MatrixInfo *>(op->extra);
  const Fragment &fragment = info.c;
  const uint64_t *pointers = slot<uint64_t>(warp, op->operands[0]);
  const uint32_t *strides = slot<uint32_t>(warp, op->operands[1]);
  unsigned columns = info.shape.columns(fragment.role);
  unsigned bits = elementBits(fragment.type);
  unsigned bytes = op->operands[3], perPiece = 8 * bytes / bits;
  for (unsigned i = 0; i < fragment.numElements; i += perPiece) {
    alignas(64) uint64_t addresses[Lanes];
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      uint64_t place = fragment.places[i * Lanes + lane];
      uint64_t row = place / columns, column = place % columns;
      uint64_t element = info.isColumnMajor ? column * strides[lane] + row
                                            : row * strides[lane] + column;
      addresses[lane] = pointers[lane] + element * bits / 8;
    }
    if (!requestFunction()(op, warp, addresses, bytes))
      return false;
    for (unsigned lane = 0; lane < Lanes; ++lane)
      addresses[lane] += static_cast<uint64_t>(op->immediate);
    move(i, perPiece, addresses);
  }
  return true;
}

const Operation *loadMatrix(const Operation *op, Warp &warp) {
  const Fragment &fragment = static_cast<const MatrixInfo *>(op->extra)->c;
  unsigned bytes = op->operands[3], bits = elementBits(fragment.type);
  bool isFine = forPieces(
      op, warp,
      [&](unsigned first, unsigned perPiece, const uint64_t *addresses) {
        uint64_t words[Lanes] = {};
        for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
          unsigned lane = __builtin_ctz(lanes);
          std::memcpy(&words[lane],
                      reinterpret_cast<const char *>(addresses[lane]), bytes);
        }
        for (unsigned i = 0; i < perPiece; ++i) {
          uint64_t elements[Lanes];
          uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
          for (unsigned lane = 0; lane < Lanes; ++lane)
            elements[lane] = words[lane] >> (i * bits % 64) & mask;
          writeElements(warp, fragment, first + i, elements, warp.active);
        }
      });
  if (!isFine)
    return nullptr;
  // Registers that hold what others do.
  size_t distinct = fragment.numElements / fragment.elementsPerSlot();
  for (size_t i = distinct; i < fragment.slots.size(); ++i)
    std::memcpy(slot<char>(warp, fragment.slots[i]),
                slot<char>(warp, fragment.slots[i % distinct]),
                slotBytes(fragment.width));
  return op + 1;
}

const Operation *storeMatrix(const Operation *op, Warp &warp) {
  const Fragment &fragment = static_cast<const MatrixInfo *>(op->extra)->c;
  unsigned bytes = op->operands[3], bits = elementBits(fragment.type);
  bool isFine = forPieces(
      op, warp,
      [&](unsigned first, unsigned perPiece, const uint64_t *addresses) {
        uint64_t words[Lanes] = {};
        for (unsigned i = 0; i < perPiece; ++i) {
          uint64_t elements[Lanes];
          readElements(warp, fragment, first + i, elements);
          for (unsigned lane = 0; lane < Lanes; ++lane)
            words[lane] |= elements[lane] << (i * bits % 64);
        }
        for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
          unsigned lane = __builtin_ctz(lanes);
          std::memcpy(reinterpret_cast<char *>(addresses[lane]), &words[lane],
                      bytes);
        }
      });
  return isFine ? op + 1 : nullptr;
}

/// Moves matrices of 8 times 8 halves, whose rows 8 lanes each point to: lane 4
/// i + j has elements 2 j and 2 j + 1 of row i.
template <class Move>
const Operation *moveRows(const Operation *op, Warp &warp, Move move) {
  const auto &info = *static_cast<const MatrixInfo *>(op->extra);
  const uint64_t *pointers = slot<uint64_t>(warp, op->operands[0]);
  auto count = static_cast<unsigned>(info.c.slots.size());
  uint32_t active = warp.active;
  if (count < 4)
    warp.active &= (1u << 8 * count) - 1;
  bool isFine = !warp.active || requestFunction()(op, warp, pointers, 16);
  if (!isFine)
    return nullptr;
  warp.active = active;
  for (unsigned i = 0; i < count; ++i)
    for (unsigned lane = 0; lane < Lanes; ++lane)
      for (unsigned half = 0; half < 2; ++half) {
        unsigned row = lane / 4, column = lane % 4 * 2 + half;
        if (info.isColumnMajor)
          std::swap(row, column);
        auto *at = reinterpret_cast<char *>(
            pointers[8 * i + row] + static_cast<uint64_t>(op->immediate) +
            2 * column);
        if ((active >> (8 * i + row) & 1) && (active >> lane & 1))
          move(at, slot<uint16_t>(warp, info.c.slots[i]) + 2 * lane + half);
      }
  return op + 1;
}

const Operation *loadRows(const Operation *op, Warp &warp) {
  return moveRows(op, warp, [](char *memory, uint16_t *value) {
    std::memcpy(value, memory, sizeof(*value));
  });
}
const Operation *storeRows(const Operation *op, Warp &warp) {
  return moveRows(op, warp, [](char *memory, uint16_t *value) {
    std::memcpy(memory, value, sizeof(*value));
  });
}

} // namespace

void addMatrixHandlers(HandlerTable &table) {
  table[indexOf(Opcode::MultiplyMatrices)] = multiplyMatrices;
  table[indexOf(Opcode::LoadMatrix)] = loadMatrix;
  table[indexOf(Opcode::StoreMatrix)] = storeMatrix;
  table[indexOf(Opcode::LoadRows)] = loadRows;
  table[indexOf(Opcode::StoreRows)] = storeRows;
}

} // namespace auspex::emulator::AUSPEX_ISA
