// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instances of one template of which people are told the same: shown once.
/// Documents have each by itself.
#ifndef AUSPEX_REPORT_INSTANCES_H
#define AUSPEX_REPORT_INSTANCES_H

#include "auspex/Model/Prediction.h"
#include "llvm/ADT/ArrayRef.h"

namespace auspex {

struct InstanceGroup {
  /// The first of them; if there are several, the template's name stands in its
  /// findings for the instance's.
  Prediction shown;
  /// The demangled names of all, in their order.
  std::vector<std::string> names;
};

/// Puts together the predictions, for one launch of instances of one template,
/// whose text differs in nothing but the instance's name. A group stands where
/// its first prediction does.
std::vector<InstanceGroup>
groupInstances(llvm::ArrayRef<Prediction> predictions);

} // namespace auspex

#endif
