// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory accesses of a kernel: what they touch, and at which address.
#ifndef AUSPEX_LIB_ANALYSIS_ACCESSES_H
#define AUSPEX_LIB_ANALYSIS_ACCESSES_H

#include "ValueTranslator.h"

namespace auspex {

/// Appends the accesses that \p instruction makes: none, one, or one for each
/// piece of a small memcpy or memset. Reads of parameters are no accesses.
void collectAccesses(llvm::Instruction &instruction, unsigned block,
                     ValueTranslator &values, llvm::ScalarEvolution &evolution,
                     std::vector<Access> &accesses);

} // namespace auspex

#endif
