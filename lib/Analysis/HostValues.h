// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What kernels read that the host alone sets, so that it is the same in a
/// whole launch: arguments, and variables that nothing on the GPU writes.
#ifndef AUSPEX_LIB_ANALYSIS_HOSTVALUES_H
#define AUSPEX_LIB_ANALYSIS_HOSTVALUES_H

#include "auspex/Kernel/KernelSummary.h"
#include "llvm/IR/Argument.h"

namespace auspex {

/// "arg2".
std::string symbolOf(const llvm::Argument &argument);

/// The symbol of what \p value, a load or an element of one, reads at a
/// constant offset of a struct argument, "arg2.8", or of a variable,
/// "@name.8"; empty for other values.
std::string hostValue(const llvm::Value &value);

/// What \p name, of \p type, is as an argument or variable.
Argument describe(llvm::StringRef name, llvm::Type &type,
                  const llvm::DataLayout &layout);

/// The variables of which what \p function reads has a symbol.
std::vector<Argument> hostVariables(const llvm::Function &function);

} // namespace auspex

#endif
