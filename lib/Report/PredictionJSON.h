// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One prediction in the documents that have some.
#ifndef AUSPEX_LIB_REPORT_PREDICTIONJSON_H
#define AUSPEX_LIB_REPORT_PREDICTIONJSON_H

#include "auspex/Model/Prediction.h"

namespace auspex {

/// Writes an object; \p writeMore adds attributes at its end.
void writePrediction(
    llvm::json::OStream &out, const Prediction &prediction,
    llvm::function_ref<void()> writeMore = [] {});

} // namespace auspex

#endif
