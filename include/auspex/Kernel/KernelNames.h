// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names a kernel goes by.
#ifndef AUSPEX_KERNEL_KERNELNAMES_H
#define AUSPEX_KERNEL_KERNELNAMES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace auspex {

struct KernelSummary;

/// The mangled name as the source's declaration has it: with -fgpu-rdc the
/// compiler appends "__intern__" and a hash to static kernels, of which their
/// launches know nothing.
llvm::StringRef sourceName(llvm::StringRef mangled);

/// "ns::k<float>" for the mangled name of void ns::k<float>(int, float*).
std::string qualifiedName(llvm::StringRef mangled);

/// "ns::k" for "ns::k<float, 3>"; what is no instance of a template stays.
llvm::StringRef withoutTemplateArguments(llvm::StringRef name);

/// Where the last component of "a<b::c>::k<d::e>" starts.
size_t lastComponent(llvm::StringRef name);

/// "values" for "@_ZZ1kPfE6values", a variable.
std::string variableName(llvm::StringRef base);

/// What the source calls the argument or object \p symbol: "x" for "arg2",
/// "p+24" for byte 24 of the structure p, "arg0.24", or what it points to;
/// empty if it is none of the arguments, or has no name.
std::string argumentName(const KernelSummary &summary, llvm::StringRef symbol);

} // namespace auspex

#endif
