// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The time of a wave: the queueing network of one SM, and what its warps take
/// at least because they keep step.
#ifndef AUSPEX_LIB_MODEL_OPERATIONALNETWORK_H
#define AUSPEX_LIB_MODEL_OPERATIONALNETWORK_H

#include "OperationalStations.h"

namespace auspex {

/// SM cycles from the start of a wave to its end. Fills stations, cycleTime,
/// activeSMs and residentWarps of \p result unless it is null.
double cyclesOfWave(const OperationalInput &input, const GPU &gpu,
                    const SMLoad &load, OperationalResult *result);

} // namespace auspex

#endif
