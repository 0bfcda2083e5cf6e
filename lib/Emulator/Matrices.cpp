// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Matrices.h"

using namespace auspex;
using namespace auspex::emulator;

Fragment::Fragment(MatrixRole role, MatrixElement type,
                   const MatrixShape &shape)
    : type(type), role(role), numElements(shape.elements(role)) {
  for (unsigned i = 0; i < numElements; ++i)
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      auto [row, column] = matrixPosition(role, shape, type, lane, i);
      places.push_back(
          static_cast<uint16_t>(row * shape.columns(role) + column));
    }
}
