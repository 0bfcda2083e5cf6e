// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The models of the papers that give a bound launch a time, beside the
/// operational one.
#ifndef AUSPEX_LIB_MODEL_PAPERMODELS_H
#define AUSPEX_LIB_MODEL_PAPERMODELS_H

#include "auspex/Kernel/BoundKernel.h"
#include "auspex/Model/MemoryTraffic.h"
#include "auspex/Model/Values.h"
#include "llvm/Support/Error.h"

namespace auspex {

struct ModelRun {
  double timeInUs;
  /// What goes into the model, and what comes out.
  NamedValues input, output;
};

struct PaperModel {
  llvm::StringLiteral name;
  /// An error names what the GPU's description lacks.
  llvm::Expected<ModelRun> (*run)(const BoundKernel &kernel,
                                  const MemoryTraffic &traffic, const GPU &gpu);
};

llvm::ArrayRef<PaperModel> paperModels();

} // namespace auspex

#endif
