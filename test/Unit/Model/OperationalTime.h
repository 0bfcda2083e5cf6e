// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the tests of the operational model ask it most.
#ifndef AUSPEX_TEST_UNIT_MODEL_OPERATIONALTIME_H
#define AUSPEX_TEST_UNIT_MODEL_OPERATIONALTIME_H

#include "auspex/HW/GPU.h"
#include "auspex/Model/Operational.h"

namespace auspex::test {

inline double timeOf(const OperationalInput &input, const GPU &gpu) {
  return evaluateOperational(input, gpu).timeInUs;
}

} // namespace auspex::test

#endif
