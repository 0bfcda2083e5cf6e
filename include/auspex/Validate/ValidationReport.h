// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A validation as text, Markdown, CSV, JSON and a picture.
#ifndef AUSPEX_VALIDATE_VALIDATIONREPORT_H
#define AUSPEX_VALIDATE_VALIDATIONREPORT_H

#include "auspex/Validate/Validation.h"
#include "llvm/Support/raw_ostream.h"

namespace auspex {

/// For people: the scores of every set, its worst launches, and what was not
/// predicted and why.
void writeValidationText(const Validation &validation, llvm::raw_ostream &os);

/// A row a record; the columns of every model bear its name. Numbers in full.
void writeValidationCSV(const Validation &validation, llvm::raw_ostream &os);

/// {"schemaVersion": 1, "models": [], "sets": [], "records": []} with a fixed
/// order of keys; docs/validate.md has the keys.
void writeValidationJSON(const Validation &validation, llvm::raw_ostream &os);

/// For pages: the scores of every set, and which kernels under which limiter
/// the first model misses.
void writeValidationMarkdown(const Validation &validation,
                             llvm::raw_ostream &os);

/// Predicted against measured times, both axes logarithmic, a colour a model.
void writeValidationSVG(const Validation &validation, llvm::raw_ostream &os);

} // namespace auspex

#endif
