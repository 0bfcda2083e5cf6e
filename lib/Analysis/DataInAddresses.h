// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is left of an address that data decide.
#ifndef AUSPEX_LIB_ANALYSIS_DATAINADDRESSES_H
#define AUSPEX_LIB_ANALYSIS_DATAINADDRESSES_H

#include "ValueTranslator.h"

namespace auspex {

/// An address that differs from lane to lane by data is not an expression,
/// unless it says which lanes agree, and these are served together: by loads
/// and stores of memory that is not in banks. Of shared memory it is one if the
/// bank does not hang on data. \p access, in \p block, then has no known
/// offset, but what it is picked by and stays within.
void dropDataDependence(Access &access, const llvm::BasicBlock &block,
                        ValueTranslator &values);

} // namespace auspex

#endif
