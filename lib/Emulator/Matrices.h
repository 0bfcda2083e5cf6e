// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matrices that the lanes of a warp hold together, as mma, wmma and ldmatrix
/// have them.
///
/// A lane's part of a matrix, its fragment, is a few registers. Which elements
/// these hold is as the PTX ISA's section on mma shows it for all shapes but
/// m8n8k4 of halves; wmma, whose fragments are nobody's business, has the same
/// for its larger shapes.
#ifndef AUSPEX_LIB_EMULATOR_MATRICES_H
#define AUSPEX_LIB_EMULATOR_MATRICES_H

#include "Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <vector>

namespace auspex::emulator {

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
};

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

/// A matrix in registers.
struct Fragment {
  MatrixElement type = MatrixElement::F32;
  MatrixRole role = MatrixRole::C;
  /// Elements of a lane that are not there twice.
  unsigned numElements = 0;
  /// A slot holds several elements if it is wider than one.
  llvm::SmallVector<SlotOffset, 8> slots;
  Width width = Width::W32;
  /// Row times columns plus column, by element of a lane times 32 plus lane.
  std::vector<uint16_t> places;

  Fragment() = default;
  Fragment(MatrixRole role, MatrixElement type, const MatrixShape &shape);
  unsigned elementsPerSlot() const {
    return 8 * bytesPerLane(width) / elementBits(type);
  }
};

/// What operations on matrices need.
struct MatrixInfo {
  MatrixShape shape;
  /// Moves to and from memory have C only, in the role that it says.
  Fragment a, b, c, d;
  bool isSaturating = false, isXor = false, isColumnMajor = false;
};

} // namespace auspex::emulator

#endif
