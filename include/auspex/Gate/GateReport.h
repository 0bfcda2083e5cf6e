// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a gate found, for people and for other programs. All of them print the
/// same comparisons in the same order.
#ifndef AUSPEX_GATE_GATEREPORT_H
#define AUSPEX_GATE_GATEREPORT_H

#include "auspex/Gate/Gate.h"
#include "llvm/Support/raw_ostream.h"

namespace auspex {

/// The number of the JSON format.
constexpr unsigned GateSchemaVersion = 1;

void writeGateText(const GateResult &result, llvm::raw_ostream &os);
/// For a comment on a merge request: what changed, folded where it is long.
void writeGateMarkdown(const GateResult &result, llvm::raw_ostream &os);
void writeGateJSON(const GateResult &result, llvm::raw_ostream &os);
/// SARIF 2.1.0, a result for each launch that trips or is uncertain; \p version
/// is the program's.
void writeGateSARIF(const GateResult &result, llvm::StringRef version,
                    llvm::raw_ostream &os);
/// A test case for each launch on the head side.
void writeGateJUnit(const GateResult &result, llvm::raw_ostream &os);
/// Workflow commands of GitHub: ::error file=x.cu,line=3::...
void writeGateAnnotations(const GateResult &result, llvm::raw_ostream &os);

} // namespace auspex

#endif
