// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matrices in the slots of a warp.
#ifndef AUSPEX_LIB_EMULATOR_MATRICES_H
#define AUSPEX_LIB_EMULATOR_MATRICES_H

#include "Operation.h"
#include "auspex/Kernel/Matrices.h"

#include <vector>

namespace auspex::emulator {

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
  /// Of moves to and from memory, as MatrixMove has it.
  bool isTransposed = false;
};

} // namespace auspex::emulator

#endif
