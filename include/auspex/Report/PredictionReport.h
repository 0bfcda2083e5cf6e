// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Predictions as text and as JSON. The JSON document is what `auspex predict`,
/// the clang plugin's out=DIR and (later) the gate exchange:
/// docs/predictions.md.
#ifndef AUSPEX_REPORT_PREDICTIONREPORT_H
#define AUSPEX_REPORT_PREDICTIONREPORT_H

#include "auspex/Report/RemarkFilter.h"

namespace auspex {

/// The version of the predictions document.
constexpr unsigned PredictionsSchemaVersion = 1;

/// {"schemaVersion": 1, "predictions": [...]} with a fixed order of keys.
void writePredictionsJSON(llvm::ArrayRef<Prediction> predictions,
                          llvm::raw_ostream &os);

/// What an access is, as attributes of the object that is being written: kind,
/// operation, space, bytes a lane, object, argument; and whether its address is
/// known.
void writeIdentity(llvm::json::OStream &out, const AccessVolume &access);

/// For people: the first line, stations, facts and advice of a prediction,
/// without the kernel's name.
void writePredictionText(const Prediction &prediction, llvm::raw_ostream &os,
                         const RemarkFilter &filter = {});

/// The same for each, under its name, or once under the names of all instances
/// of a template (Instances.h).
void writePredictionsText(llvm::ArrayRef<Prediction> predictions,
                          llvm::raw_ostream &os,
                          const RemarkFilter &filter = {});

/// A table with one line a prediction, for many of them.
void writePredictionsTable(llvm::ArrayRef<Prediction> predictions,
                           llvm::raw_ostream &os);

} // namespace auspex

#endif
