// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instances of one template, and launches that differ in their arguments, of
/// which people are told the same: shown once. Documents have each by itself.
#ifndef AUSPEX_REPORT_INSTANCES_H
#define AUSPEX_REPORT_INSTANCES_H

#include "auspex/Model/Prediction.h"
#include "llvm/ADT/ArrayRef.h"

namespace auspex {

struct InstanceGroup {
  /// The first of them; if there are several instances, the template's name
  /// stands in its findings for theirs, and if there are several launches, the
  /// first finding says of how many it is, and what they differ in.
  Prediction shown;
  /// The demangled names of all kernels, in their order.
  std::vector<std::string> names;
};

/// Puts together the predictions, for one place of launches of one kernel or of
/// instances of one template, whose text differs in nothing but the instance's
/// name. A group stands where its first prediction does.
std::vector<InstanceGroup>
groupInstances(llvm::ArrayRef<Prediction> predictions);

} // namespace auspex

#endif
