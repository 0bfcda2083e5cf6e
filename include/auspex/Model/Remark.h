// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What Auspex says about places in the source. A remark is a rule: it looks at
/// a bound kernel and its prediction and makes findings. Rules are listed in
/// Remarks.def; each has a page in docs/remarks.
#ifndef AUSPEX_MODEL_REMARK_H
#define AUSPEX_MODEL_REMARK_H

#include "auspex/Model/Operational.h"

namespace auspex {

/// Accesses that stand at one place of the source and do the same: what loop
/// unrolling made of one, or the parts of a structure. Without a place each
/// stands alone.
struct AccessPlace {
  const Access *access = nullptr;
  SourceLocation location;
  bool isKnown = false;
  /// Sums over the launch.
  RequestCounts counts;
};

/// The places whose accesses run, in the order of the summary.
std::vector<AccessPlace> accessPlaces(const BoundKernel &kernel);

/// What a rule may look at.
struct RemarkContext {
  const BoundKernel &kernel;
  const GPU &gpu;
  const OperationalInput &input;
  /// Of the input.
  double timeInUs;
  const Prediction &prediction;
  llvm::ArrayRef<AccessPlace> places;

  /// What would be gained if the input were \p ideal, in us, at least 0.
  double gainInUs(const OperationalInput &ideal) const;
};

using RemarkRule = void (*)(const RemarkContext &, std::vector<Finding> &);

struct RemarkInfo {
  llvm::StringRef id;
  Finding::Kind kind;
  llvm::StringRef doc;
  /// Null for a notice.
  RemarkRule rule;
};

/// All remarks in the order of Remarks.def.
llvm::ArrayRef<RemarkInfo> remarkInfos();
/// The remark called \p id, whatever its case; null if there is none.
const RemarkInfo *findRemark(llvm::StringRef id);

/// "analysis", "missed".
llvm::StringRef toString(Finding::Kind kind);

/// The findings of all rules about \p prediction, which was made of \p kernel
/// with its \p places and \p input, for which the operational model gives \p
/// timeInUs; one a place and remark; advice by gain, largest first, after the
/// facts in source order.
std::vector<Finding> findAll(const BoundKernel &kernel, const GPU &gpu,
                             const OperationalInput &input, double timeInUs,
                             const Prediction &prediction,
                             llvm::ArrayRef<AccessPlace> places);

} // namespace auspex

#endif
