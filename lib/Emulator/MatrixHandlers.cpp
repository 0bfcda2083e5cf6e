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

#include <array>

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

/// Elements as they lie in registers, one after the other.
struct PackedMatrix {
  alignas(64) unsigned char bytes[LargestOperand / 8 * 4];

  uint32_t element(unsigned index, unsigned bits) const {
    unsigned at = index * bits;
    return uint32_t(bytes[at / 8]) >> at % 8 & ((1u << bits) - 1);
  }
  template <class T> const T *as() const {
    return reinterpret_cast<const T *>(bytes);
  }
};

/// The 32 bits that each lane holds from element \p first on.
const uint32_t *wordsOf(const Warp &warp, const Fragment &fragment,
                        unsigned first, uint32_t *buffer) {
  unsigned perSlot = fragment.elementsPerSlot();
  if (fragment.width == Width::W32)
    return slot<uint32_t>(warp, fragment.slots[first / perSlot]);
  const auto *low = slot<uint16_t>(warp, fragment.slots[first / perSlot]);
  const auto *high = slot<uint16_t>(warp, fragment.slots[first / perSlot + 1]);
  for (unsigned lane = 0; lane < Lanes; ++lane)
    buffer[lane] = low[lane] | uint32_t(high[lane]) << 16;
  return buffer;
}

/// The rows of A or C, or the columns of B: four lanes side by side hold 128
/// bits of one of them.
void gatherPacked(const Warp &warp, const Fragment &fragment,
                  const MatrixShape &shape, PackedMatrix &packed) {
  constexpr unsigned Together = 4;
  unsigned bits = elementBits(fragment.type), perWord = 32 / bits;
  unsigned rows = shape.rows(fragment.role);
  unsigned columns = shape.columns(fragment.role);
  for (unsigned i = 0; i < fragment.numElements; i += perWord) {
    alignas(64) uint32_t buffer[Lanes];
    const uint32_t *words = wordsOf(warp, fragment, i, buffer);
    for (unsigned lane = 0; lane < Lanes; lane += Together) {
      unsigned place = fragment.places[i * Lanes + lane];
      if (fragment.role == MatrixRole::B)
        place = place % columns * rows + place / columns;
      std::memcpy(packed.bytes + place * bits / 8, words + lane,
                  Together * sizeof(uint32_t));
    }
  }
}

template <class From, class T, class Convert>
void convertAll(const PackedMatrix &packed, unsigned count, T *matrix,
                Convert convert) {
  const From *elements = packed.as<From>();
  for (unsigned i = 0; i < count; ++i)
    matrix[i] = convert(elements[i]);
}

template <unsigned exponentBits>
void convertSmallFloats(const PackedMatrix &packed, unsigned count,
                        float *matrix) {
  static const std::array<float, 256> values = [] {
    std::array<float, 256> all;
    for (unsigned i = 0; i < all.size(); ++i)
      all[i] = smallFloat(i, exponentBits);
    return all;
  }();
  convertAll<uint8_t>(packed, count, matrix,
                      [](uint8_t bits) { return values[bits]; });
}

void convertPacked(const PackedMatrix &packed, MatrixElement type,
                   unsigned count, float *matrix) {
  switch (type) {
  case MatrixElement::F16:
    return convertAll<uint16_t>(packed, count, matrix, halfToFloat);
  case MatrixElement::BF16:
    return convertAll<uint16_t>(packed, count, matrix, bfloatToFloat);
  case MatrixElement::E4M3:
    return convertSmallFloats<4>(packed, count, matrix);
  case MatrixElement::E5M2:
    return convertSmallFloats<5>(packed, count, matrix);
  default:
    // Of TF32, whose last 13 bits are not looked at.
    return convertAll<uint32_t>(packed, count, matrix, [](uint32_t bits) {
      return bitCast<float>(bits & 0xffffe000);
    });
  }
}

void convertPacked(const PackedMatrix &packed, MatrixElement type,
                   unsigned count, int32_t *matrix) {
  auto same = [](auto value) { return static_cast<int32_t>(value); };
  if (type == MatrixElement::S8)
    return convertAll<int8_t>(packed, count, matrix, same);
  if (type == MatrixElement::U8)
    return convertAll<uint8_t>(packed, count, matrix, same);
  unsigned bits = elementBits(type);
  uint32_t sign = type == MatrixElement::S4 ? 8 : 0;
  for (unsigned i = 0; i < count; ++i)
    matrix[i] = static_cast<int32_t>((packed.element(i, bits) ^ sign) - sign);
}

/// C of elements that fill a register.
template <class T>
void gatherWords(const Warp &warp, const Fragment &fragment, T *matrix) {
  const uint16_t *places = fragment.places.data();
  for (unsigned i = 0; i < fragment.numElements; ++i, places += Lanes) {
    const T *values = slot<T>(warp, fragment.slots[i]);
    for (unsigned lane = 0; lane < Lanes; ++lane)
      matrix[places[lane]] = values[lane];
  }
}

void gatherMatrix(const Warp &warp, const Fragment &fragment,
                  const MatrixShape &, double *matrix) {
  gatherWords(warp, fragment, matrix);
}

/// By rows.
template <class T>
void gatherMatrix(const Warp &warp, const Fragment &fragment,
                  const MatrixShape &shape, T *matrix) {
  if (fragment.role == MatrixRole::C && elementBits(fragment.type) == 32)
    return gatherWords(warp, fragment, matrix);
  PackedMatrix packed;
  gatherPacked(warp, fragment, shape, packed);
  unsigned rows = shape.rows(fragment.role);
  unsigned columns = shape.columns(fragment.role);
  if (fragment.role != MatrixRole::B)
    return convertPacked(packed, fragment.type, rows * columns, matrix);
  alignas(64) T turned[LargestOperand];
  convertPacked(packed, fragment.type, rows * columns, turned);
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < columns; ++column)
      matrix[row * columns + column] = turned[column * rows + row];
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

/// \p combine adds the product of its last two operands to the first, a strip
/// of a row; of each sum the products are taken in the order of k. Compilers do
/// not keep the sums in registers unless told that a strip is a vector.
template <class T, class Combine>
void multiply(const MatrixShape &shape, const T *a, const T *b, T *c,
              Combine combine) {
  // As many sums as are under way at a time.
  constexpr unsigned Rows = 4, Columns = 8;
  typedef T Strip __attribute__((vector_size(Columns * sizeof(T))));
  for (unsigned i = 0; i < shape.m; i += Rows)
    for (unsigned j = 0; j < shape.n; j += Columns) {
      Strip sums[Rows];
      for (unsigned y = 0; y < Rows; ++y)
        std::memcpy(&sums[y], &c[(i + y) * shape.n + j], sizeof(Strip));
      for (unsigned k = 0; k < shape.k; ++k) {
        Strip factors;
        std::memcpy(&factors, &b[k * shape.n + j], sizeof(Strip));
#pragma GCC unroll 4
        for (unsigned y = 0; y < Rows; ++y)
          combine(sums[y], a[(i + y) * shape.k + k], factors);
      }
      for (unsigned y = 0; y < Rows; ++y)
        std::memcpy(&c[(i + y) * shape.n + j], &sums[y], sizeof(Strip));
    }
}

template <class T> struct Matrices {
  alignas(64) T a[LargestOperand];
  alignas(64) T b[LargestOperand];
  alignas(64) T c[LargestResult];
};

void multiplyDoubles(const Warp &warp, const MatrixInfo &info) {
  Matrices<double> m;
  gatherMatrix(warp, info.a, info.shape, m.a);
  gatherMatrix(warp, info.b, info.shape, m.b);
  gatherMatrix(warp, info.c, info.shape, m.c);
  multiply(info.shape, m.a, m.b, m.c, [](auto &sum, double a, const auto &b) {
    for (unsigned x = 0; x < sizeof(sum) / sizeof(a); ++x)
      sum[x] = std::fma(a, b[x], sum[x]);
  });
  scatterAs(warp, info.d, m.c,
            [](double value) { return bitCast<uint64_t>(value); });
}

void multiplyFloats(const Warp &warp, const MatrixInfo &info) {
  Matrices<float> m;
  gatherMatrix(warp, info.a, info.shape, m.a);
  gatherMatrix(warp, info.b, info.shape, m.b);
  gatherMatrix(warp, info.c, info.shape, m.c);
  multiply(info.shape, m.a, m.b, m.c,
           [](auto &sum, float a, const auto &b) { sum += a * b; });
  if (info.d.type == MatrixElement::F16)
    scatterAs(warp, info.d, m.c,
              [](float value) { return uint64_t(floatToHalf(value)); });
  else
    scatterAs(warp, info.d, m.c,
              [](float value) { return uint64_t(bitCast<uint32_t>(value)); });
}

void multiplyIntegers(const Warp &warp, const MatrixInfo &info) {
  Matrices<int32_t> m;
  gatherMatrix(warp, info.a, info.shape, m.a);
  gatherMatrix(warp, info.b, info.shape, m.b);
  // The products' sum cannot overflow, the sum with C can.
  alignas(64) int32_t products[LargestResult] = {};
  if (info.a.type != MatrixElement::B1)
    multiply(info.shape, m.a, m.b, products,
             [](auto &sum, int32_t a, const auto &b) { sum += a * b; });
  else if (info.isXor)
    multiply(info.shape, m.a, m.b, products,
             [](auto &sum, int32_t a, const auto &b) { sum += a ^ b; });
  else
    multiply(info.shape, m.a, m.b, products,
             [](auto &sum, int32_t a, const auto &b) { sum += a & b; });
  gatherMatrix(warp, info.c, info.shape, m.c);
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

/// Calls \p use with an unsigned number of so many bytes.
template <class Use>
[[gnu::always_inline]] inline void withWordOf(unsigned bytes, Use use) {
  switch (bytes) {
  case 1:
    return use(uint8_t());
  case 2:
    return use(uint16_t());
  case 4:
    return use(uint32_t());
  case 8:
    return use(uint64_t());
  default:
    return use(uint128_t());
  }
}

/// The addresses of what each lane moves: elements that lie side by side, from
/// number \p first of those it holds, or where that is once blocks are
/// transposed. False for a fault.
bool findPieces(const Operation *op, Warp &warp, unsigned first,
                uint64_t *addresses) {
  const auto &info = *static_cast<const MatrixInfo *>(op->extra);
  const Fragment &fragment = info.c;
  const uint64_t *pointers = slot<uint64_t>(warp, op->operands[0]);
  const uint32_t *strides = slot<uint32_t>(warp, op->operands[1]);
  // A power of 2.
  unsigned columns = info.shape.columns(fragment.role);
  unsigned rowShift = __builtin_ctz(columns);
  unsigned bits = elementBits(fragment.type);
  const uint16_t *places = &fragment.places[size_t(first) * Lanes];
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    MatrixPosition place{unsigned(places[lane]) >> rowShift,
                         places[lane] & (columns - 1)};
    if (info.isTransposed)
      place = transposeInBlock(place);
    auto [row, column] = place;
    uint64_t element = info.isColumnMajor
                           ? uint64_t(column) * strides[lane] + row
                           : uint64_t(row) * strides[lane] + column;
    addresses[lane] = pointers[lane] + element * bits / 8;
  }
  if (!requestFunction()(op, warp, addresses, op->operands[3]))
    return false;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    addresses[lane] += static_cast<uint64_t>(op->immediate);
  return true;
}

/// Transposes a block of 8 times 8 halves, of which lane 4 i + j has elements
/// 2 j and 2 j + 1 of row i.
void transposeBlock(uint128_t (&pieces)[Lanes]) {
  uint128_t before[Lanes];
  std::copy(std::begin(pieces), std::end(pieces), before);
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    pieces[lane] = 0;
    for (unsigned half = 0; half < 2; ++half) {
      unsigned row = 2 * (lane % 4) + half, column = lane / 4;
      uint128_t word = before[4 * row + column / 2];
      pieces[lane] |= (word >> 16 * (column % 2) & 0xffff) << 16 * half;
    }
  }
}

const Operation *loadMatrix(const Operation *op, Warp &warp) {
  const auto &info = *static_cast<const MatrixInfo *>(op->extra);
  const Fragment &fragment = info.c;
  unsigned bytes = op->operands[3], bits = elementBits(fragment.type);
  unsigned first = op->count, elementsInPiece = 8 * bytes / bits;
  alignas(64) uint64_t addresses[Lanes];
  if (!findPieces(op, warp, first, addresses))
    return nullptr;
  uint128_t pieces[Lanes] = {};
  withWordOf(bytes, [&](auto word) {
    for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
      unsigned lane = __builtin_ctz(lanes);
      std::memcpy(&word, reinterpret_cast<const char *>(addresses[lane]),
                  sizeof(word));
      pieces[lane] = word;
    }
  });
  if (info.isTransposed)
    transposeBlock(pieces);
  uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  for (unsigned i = 0; i < elementsInPiece; ++i) {
    uint64_t elements[Lanes];
    for (unsigned lane = 0; lane < Lanes; ++lane)
      elements[lane] = static_cast<uint64_t>(pieces[lane] >> i * bits) & mask;
    writeElements(warp, fragment, first + i, elements, warp.active);
  }
  if (first + elementsInPiece < fragment.numElements)
    return op + 1;
  // Registers that hold what others do.
  size_t distinct = fragment.numElements / fragment.elementsPerSlot();
  for (size_t i = distinct; i < fragment.slots.size(); ++i)
    std::memcpy(slot<char>(warp, fragment.slots[i]),
                slot<char>(warp, fragment.slots[i % distinct]),
                slotBytes(fragment.width));
  return op + 1;
}

const Operation *storeMatrix(const Operation *op, Warp &warp) {
  const auto &info = *static_cast<const MatrixInfo *>(op->extra);
  const Fragment &fragment = info.c;
  unsigned bytes = op->operands[3], bits = elementBits(fragment.type);
  unsigned first = op->count, elementsInPiece = 8 * bytes / bits;
  alignas(64) uint64_t addresses[Lanes];
  if (!findPieces(op, warp, first, addresses))
    return nullptr;
  uint128_t pieces[Lanes] = {};
  for (unsigned i = 0; i < elementsInPiece; ++i) {
    uint64_t elements[Lanes];
    readElements(warp, fragment, first + i, elements);
    for (unsigned lane = 0; lane < Lanes; ++lane)
      pieces[lane] |= uint128_t(elements[lane]) << i * bits;
  }
  if (info.isTransposed)
    transposeBlock(pieces);
  withWordOf(bytes, [&](auto word) {
    for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
      unsigned lane = __builtin_ctz(lanes);
      word = static_cast<decltype(word)>(pieces[lane]);
      std::memcpy(reinterpret_cast<char *>(addresses[lane]), &word,
                  sizeof(word));
    }
  });
  return op + 1;
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
  if (active == FullMask && !info.isColumnMajor) {
    // A row is what four lanes hold side by side.
    for (unsigned i = 0; i < count; ++i)
      for (unsigned row = 0; row < 8; ++row)
        move(reinterpret_cast<char *>(pointers[8 * i + row] +
                                      static_cast<uint64_t>(op->immediate)),
             slot<char>(warp, info.c.slots[i]) + 16 * row, 16);
    return op + 1;
  }
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
          move(at, slot<char>(warp, info.c.slots[i]) + 4 * lane + 2 * half, 2);
      }
  return op + 1;
}

const Operation *loadRows(const Operation *op, Warp &warp) {
  return moveRows(op, warp, [](char *memory, char *values, unsigned bytes) {
    std::memcpy(values, memory, bytes);
  });
}
const Operation *storeRows(const Operation *op, Warp &warp) {
  return moveRows(op, warp, [](char *memory, char *values, unsigned bytes) {
    std::memcpy(memory, values, bytes);
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
