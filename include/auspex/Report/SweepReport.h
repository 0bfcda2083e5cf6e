// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sweeps as text, CSV and JSON: docs/sweep.md.
#ifndef AUSPEX_REPORT_SWEEPREPORT_H
#define AUSPEX_REPORT_SWEEPREPORT_H

#include "auspex/Search/Sweep.h"

namespace auspex {

/// The version of the sweeps document.
constexpr unsigned SweepsSchemaVersion = 1;

/// What was swept on one GPU, and what came of it.
struct SweepReport {
  const KernelSummary *kernel = nullptr;
  SweepSpace space;
  SweepResult result;

  /// The argument as people know it: its parameter's name, else its symbol.
  std::string argumentName(const ArgumentRange &argument) const;
};

/// A table for people, a GPU each.
void writeSweepsText(llvm::ArrayRef<SweepReport> sweeps, llvm::raw_ostream &os);

/// A line a configuration, the impossible ones last; numbers in full.
void writeSweepsCSV(llvm::ArrayRef<SweepReport> sweeps, llvm::raw_ostream &os);

/// {"schemaVersion": 1, "sweeps": [...]} with a fixed order of keys.
void writeSweepsJSON(llvm::ArrayRef<SweepReport> sweeps, llvm::raw_ostream &os);

} // namespace auspex

#endif
