// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matrices that the lanes of a warp hold together, as mma, wmma and ldmatrix
/// have them.
///
/// A lane's part of a matrix, its fragment, is a few registers. Which elements
/// these hold is as the PTX ISA's section on mma shows it for all shapes but
/// m8n8k4 of halves; wmma, whose fragments are nobody's business, has the same
/// for its larger shapes.
#ifndef AUSPEX_KERNEL_MATRICES_H
#define AUSPEX_KERNEL_MATRICES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace auspex {

enum class MatrixElement : uint8_t {
  F16,
  BF16,
  TF32,
  F32,
  F64,
  E4M3,
  E5M2,
  S8,
  U8,
  S4,
  U4,
  B1,
  S32,
};
unsigned elementBits(MatrixElement type);
std::optional<MatrixElement> matrixElement(llvm::StringRef name);

/// D = A * B + C, with A of m times k and B of k times n elements. C stands for
/// D too.
enum class MatrixRole : uint8_t { A, B, C };
struct MatrixShape {
  unsigned m = 0, n = 0, k = 0;

  unsigned rows(MatrixRole role) const { return role == MatrixRole::B ? k : m; }
  unsigned columns(MatrixRole role) const {
    return role == MatrixRole::A ? k : n;
  }
  /// That a lane holds.
  unsigned elements(MatrixRole role) const {
    return rows(role) * columns(role) / 32;
  }
};

/// Of "m16n8k16"; none for other words.
std::optional<MatrixShape> parseMatrixShape(llvm::StringRef word);

/// What an instruction's name says, of PTX or of an intrinsic.
struct MatrixWords {
  MatrixShape shape;
  MatrixElement a, b, c, d;
  bool isSaturating = false;
  /// For single bits: counts those that differ, else those both have.
  bool isXor = false;
  /// Where it is written: the layouts of A and B, or of the matrix in memory.
  llvm::SmallVector<bool, 2> columnMajor;

  /// None for what there is not. \p role says which matrix is moved to or from
  /// memory; none for a product.
  static std::optional<MatrixWords> parse(llvm::ArrayRef<llvm::StringRef> words,
                                          std::optional<MatrixRole> role);
};

/// Where element \p index of those that \p lane holds stands in the matrix; the
/// same distance from each lane to the fourth one after it, and from each of
/// four lanes to the next.
struct MatrixPosition {
  unsigned row, column;
};
MatrixPosition matrixPosition(MatrixRole role, const MatrixShape &shape,
                              MatrixElement type, unsigned lane,
                              unsigned index);
/// The place that changes with it if blocks of 8 times 8 are transposed.
constexpr MatrixPosition transposeInBlock(MatrixPosition place) {
  return {place.row / 8 * 8 + place.column % 8,
          place.column / 8 * 8 + place.row % 8};
}

/// How wmma moves a matrix to or from memory, as ptxas makes it: each lane in
/// \p count accesses of so many elements that lie side by side in memory.
struct MatrixMove {
  unsigned count, elements, bytes;
  /// Halves that are neighbours in memory but not in a lane: between memory and
  /// the fragment, each block of 8 times 8 is transposed in registers.
  bool isTransposed;

  MatrixMove(MatrixRole role, const MatrixShape &shape, MatrixElement type,
             bool isColumnMajor);
};

/// A matrix that wmma moves between memory and a warp.
struct MatrixTransfer {
  MatrixRole role;
  MatrixWords words;
  bool isStore, hasStride;

  MatrixElement element() const { return isStore ? words.d : words.a; }
  bool isColumnMajor() const { return words.columnMajor[0]; }
  /// Elements from a row or column to the next where no stride is stated.
  unsigned denseStride() const {
    return isColumnMajor() ? words.shape.rows(role) : words.shape.columns(role);
  }
  MatrixMove move() const {
    return {role, words.shape, element(), isColumnMajor()};
  }
  /// Where the first element of access \p number of \p lane stands.
  MatrixPosition position(unsigned lane, unsigned number) const;
  /// Instructions that ptxas makes of it: halves of A and B in shared memory
  /// are moved by ldmatrix.
  unsigned instructions(bool isShared) const;

  /// \p words follow wmma: "m16n16k16", "load", "a", "row", "stride", "f16".
  /// None for products.
  static std::optional<MatrixTransfer>
  parse(llvm::ArrayRef<llvm::StringRef> words);
};

/// Matrices of 8 times 8 halves whose rows ldmatrix or stmatrix moves, each
/// where a lane says.
struct MatrixRows {
  static constexpr unsigned BytesPerRow = 16;
  unsigned matrices;
  bool isStore, isTransposed;

  unsigned lanes() const { return 8 * matrices; }

  /// None for other instructions, and other matrices.
  static std::optional<MatrixRows> parse(llvm::StringRef instruction,
                                         llvm::ArrayRef<llvm::StringRef> words);
};

/// "wmma", "m16n16k16", "load" ... of "llvm.nvvm.wmma.m16n16k16.load ..."; none
/// of other names.
llvm::SmallVector<llvm::StringRef, 12>
wordsOfIntrinsic(llvm::StringRef intrinsic);

} // namespace auspex

#endif
