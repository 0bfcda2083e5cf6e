// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A module in parts that several threads can analyse: a kernel's summary does
/// not hang on the others'.
#ifndef AUSPEX_ANALYSIS_MODULEPARTS_H
#define AUSPEX_ANALYSIS_MODULEPARTS_H

#include "llvm/IR/Module.h"

#include <memory>
#include <vector>

namespace auspex {

/// Some kernels of a module, by their positions among its kernels, ascending.
using ModulePart = std::vector<unsigned>;

/// Divides the kernels of \p module into at most \p count parts of about the
/// same size; fewer for a small module. At least one, which may be empty.
std::vector<ModulePart> divideKernels(const llvm::Module &module,
                                      unsigned count);

/// The module of \p bitcode with the kernels of \p part alone, the functions
/// that they may call, and its variables. Errors are those of the reader.
llvm::Expected<std::unique_ptr<llvm::Module>>
readPart(llvm::StringRef bitcode, const ModulePart &part,
         llvm::LLVMContext &context);

} // namespace auspex

#endif
