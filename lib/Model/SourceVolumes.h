// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The demands of a launch, place by place of the source.
#ifndef AUSPEX_LIB_MODEL_SOURCEVOLUMES_H
#define AUSPEX_LIB_MODEL_SOURCEVOLUMES_H

#include "auspex/Model/Remark.h"

namespace auspex {

/// What runs of \p kernel, in the order of its summary, accesses by their \p
/// places; lines by file and number.
std::vector<AccessVolume> accessVolumes(const BoundKernel &kernel,
                                        llvm::ArrayRef<AccessPlace> places);
std::vector<LineVolume> lineVolumes(const BoundKernel &kernel);
std::vector<LoopVolume> loopVolumes(const BoundKernel &kernel);

} // namespace auspex

#endif
