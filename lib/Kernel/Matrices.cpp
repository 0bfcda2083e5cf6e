// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/Matrices.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace auspex;
using llvm::StringRef;

unsigned auspex::elementBits(MatrixElement type) {
  switch (type) {
  case MatrixElement::F64:
    return 64;
  case MatrixElement::F32:
  case MatrixElement::TF32:
  case MatrixElement::S32:
    return 32;
  case MatrixElement::F16:
  case MatrixElement::BF16:
    return 16;
  case MatrixElement::E4M3:
  case MatrixElement::E5M2:
  case MatrixElement::S8:
  case MatrixElement::U8:
    return 8;
  case MatrixElement::S4:
  case MatrixElement::U4:
    return 4;
  case MatrixElement::B1:
    return 1;
  }
  return 0;
}

std::optional<MatrixElement> auspex::matrixElement(StringRef name) {
  return llvm::StringSwitch<std::optional<MatrixElement>>(name)
      .Case("f16", MatrixElement::F16)
      .Case("bf16", MatrixElement::BF16)
      .Case("tf32", MatrixElement::TF32)
      .Case("f32", MatrixElement::F32)
      .Case("f64", MatrixElement::F64)
      .Case("e4m3", MatrixElement::E4M3)
      .Case("e5m2", MatrixElement::E5M2)
      .Case("s8", MatrixElement::S8)
      .Case("u8", MatrixElement::U8)
      .Case("s4", MatrixElement::S4)
      .Case("u4", MatrixElement::U4)
      .Case("b1", MatrixElement::B1)
      .Case("s32", MatrixElement::S32)
      .Default(std::nullopt);
}

std::optional<MatrixShape> auspex::parseMatrixShape(StringRef word) {
  MatrixShape shape;
  if (!word.consume_front("m") || word.consumeInteger(10, shape.m) ||
      !word.consume_front("n") || word.consumeInteger(10, shape.n) ||
      !word.consume_front("k") || word.consumeInteger(10, shape.k) ||
      !word.empty())
    return std::nullopt;
  return shape;
}

std::optional<MatrixWords> MatrixWords::parse(llvm::ArrayRef<StringRef> words,
                                              std::optional<MatrixRole> role) {
  static constexpr StringRef Plain[] = {
      "sync", "aligned", "mma", "popc",   "load",   "store", "a",     "b",
      "c",    "d",       "and", "shared", "global", "cta",   "stride"};
  MatrixWords result;
  llvm::SmallVector<MatrixElement, 4> types;
  for (StringRef word : words) {
    if (std::optional<MatrixShape> shape = parseMatrixShape(word))
      result.shape = *shape;
    else if (std::optional<MatrixElement> type = matrixElement(word))
      types.push_back(*type);
    else if (word == "row" || word == "col")
      result.columnMajor.push_back(word == "col");
    else if (word == "satfinite")
      result.isSaturating = true;
    else if (word == "xor")
      result.isXor = true;
    else if (word == "rn") // as if it was not there
      continue;
    else if (word.starts_with("p") && word != "popc") // an address space
      continue;
    else if (word.starts_with("shared::")) // the only block of the cluster
      continue;
    else if (!llvm::is_contained(Plain, word))
      return std::nullopt;
  }
  if (types.empty() || result.shape.m == 0)
    return std::nullopt;
  MatrixElement first = types[0];
  if (role) {
    result.a = result.b = result.c = result.d = first;
    return result.columnMajor.size() == 1 ? std::optional(result)
                                          : std::nullopt;
  }
  bool isInteger = first >= MatrixElement::S8 && first <= MatrixElement::B1;
  if (types.size() == 4) {
    result.d = first;
    result.a = types[1];
    result.b = types[2];
    result.c = types[3];
  } else if (types.size() == 2 && !isInteger) {
    // What is written are the accumulators.
    result.a = result.b = MatrixElement::F16;
    result.d = first;
    result.c = types[1];
  } else {
    result.a = first;
    result.b = types.back();
    result.c = result.d = first == MatrixElement::F64 ? first
                          : isInteger                 ? MatrixElement::S32
                                                      : MatrixElement::F32;
  }
  // The quarter warps of the first tensor cores are laid out in another way.
  if (result.shape.k == 4 && result.shape.m == 8 && elementBits(result.a) == 16)
    return std::nullopt;
  bool floats = result.d <= MatrixElement::E5M2;
  if (floats != (result.a <= MatrixElement::E5M2) ||
      (floats && result.isSaturating) ||
      (result.d == MatrixElement::F64) != (result.a == MatrixElement::F64))
    return std::nullopt;
  return result;
}

std::optional<MatrixTransfer>
MatrixTransfer::parse(llvm::ArrayRef<StringRef> words) {
  auto has = [&](StringRef word) { return llvm::is_contained(words, word); };
  bool isStore = has("store");
  if (!isStore && !has("load"))
    return std::nullopt;
  MatrixRole role = !isStore && has("a")   ? MatrixRole::A
                    : !isStore && has("b") ? MatrixRole::B
                                           : MatrixRole::C;
  auto parsed = MatrixWords::parse(words, role);
  if (!parsed)
    return std::nullopt;
  return MatrixTransfer{role, *parsed, isStore, has("stride")};
}

unsigned MatrixTransfer::instructions(bool isShared) const {
  unsigned count = move().count;
  if (!isShared || role == MatrixRole::C || elementBits(element()) != 16)
    return count;
  constexpr unsigned MostMatrices = 4;
  return llvm::divideCeil(count, MostMatrices);
}

MatrixPosition MatrixTransfer::position(unsigned lane, unsigned number) const {
  MatrixMove move = this->move();
  auto [row, column] = matrixPosition(role, words.shape, element(), lane,
                                      number * move.elements);
  return move.isTransposed ? transposeInBlock({row, column})
                           : MatrixPosition{row, column};
}

std::optional<MatrixRows> MatrixRows::parse(StringRef instruction,
                                            llvm::ArrayRef<StringRef> words) {
  auto has = [&](StringRef word) { return llvm::is_contained(words, word); };
  bool isStore = instruction == "stmatrix";
  if ((!isStore && instruction != "ldmatrix") || !has("m8n8") || !has("b16"))
    return std::nullopt;
  return MatrixRows{has("x4")   ? 4u
                    : has("x2") ? 2u
                                : 1u,
                    isStore, has("trans")};
}

llvm::SmallVector<StringRef, 12> auspex::wordsOfIntrinsic(StringRef intrinsic) {
  llvm::SmallVector<StringRef, 12> words;
  if (intrinsic.consume_front("llvm.nvvm."))
    intrinsic.split(words, '.');
  return words;
}

// Lanes are in 8 groups of 4. A register of A holds neighbours in a row of the
// group's number, further ones are 8 rows below, then so many columns to the
// right; B is the same turned over. Of C, pairs of neighbours in a row.
MatrixPosition auspex::matrixPosition(MatrixRole role, const MatrixShape &shape,
                                      MatrixElement type, unsigned lane,
                                      unsigned index) {
  unsigned group = lane / 4, inGroup = lane % 4;
  if (role == MatrixRole::C) {
    unsigned pair = index / 2, blocks = shape.m / 8;
    return {group + 8 * (pair % blocks),
            2 * inGroup + index % 2 + 8 * (pair / blocks)};
  }
  unsigned perRegister = std::max(1u, 32 / elementBits(type));
  unsigned number = index / perRegister;
  unsigned alongK = inGroup * perRegister + index % perRegister;
  unsigned step = 4 * perRegister;
  if (role == MatrixRole::A) {
    unsigned blocks = shape.m / 8;
    return {group + 8 * (number % blocks), alongK + step * (number / blocks)};
  }
  unsigned blocks = shape.k / step;
  return {alongK + step * (number % blocks), group + 8 * (number / blocks)};
}

MatrixMove::MatrixMove(MatrixRole role, const MatrixShape &shape,
                       MatrixElement type, bool isColumnMajor) {
  // Neighbours in a register, or of C in two, are of a row; of B of a column.
  unsigned bits = elementBits(type);
  bool isAlongMemory = isColumnMajor == (role == MatrixRole::B);
  isTransposed = !isAlongMemory && bits == 16;
  unsigned together = !isAlongMemory && !isTransposed ? std::max(8u, bits)
                      : role == MatrixRole::C         ? 2 * bits
                                                      : std::max(32u, bits);
  elements = together / bits;
  bytes = together / 8;
  count = shape.elements(role) / elements;
}
