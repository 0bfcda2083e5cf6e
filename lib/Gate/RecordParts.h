// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reading one prediction of a document.
#ifndef AUSPEX_LIB_GATE_RECORDPARTS_H
#define AUSPEX_LIB_GATE_RECORDPARTS_H

#include "auspex/Gate/Record.h"
#include "auspex/Support/Document.h"

namespace auspex {

/// Reads a member of `predictions` or `baseline`. Keys that are not known are
/// left alone: later versions add some.
llvm::Expected<KernelRecord> readRecord(const Node &node);

/// Reads what listValues(OperationalInput) writes; nothing if a number is
/// missing.
std::optional<OperationalInput> readOperationalInput(const Node &node);

} // namespace auspex

#endif
