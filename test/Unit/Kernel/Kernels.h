// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels and small helpers for the tests of launches.
#ifndef AUSPEX_TEST_UNIT_KERNEL_KERNELS_H
#define AUSPEX_TEST_UNIT_KERNEL_KERNELS_H

#include "auspex/Kernel/LaunchConfig.h"
#include "llvm/Demangle/Demangle.h"

namespace auspex::test {

inline KernelSummary kernel(llvm::StringRef mangled) {
  KernelSummary summary;
  summary.name = mangled.str();
  summary.demangled = llvm::demangle(mangled);
  return summary;
}

/// saxpy(int n, float a, float const *x, float *y) with its names.
inline KernelSummary saxpy() {
  KernelSummary summary = kernel("_Z5saxpyifPKfPf");
  summary.arguments = {{Argument::Kind::Integer, 4, "n"},
                       {Argument::Kind::Float, 4, "a"},
                       {Argument::Kind::Pointer, 8, "x"},
                       {Argument::Kind::Pointer, 8, "y"}};
  summary.registers = 32;
  return summary;
}

inline GPU a100() { return llvm::cantFail(findGPU("A100-40GB")); }

template <typename T> std::string errorText(llvm::Expected<T> result) {
  return result ? "no error" : llvm::toString(result.takeError());
}
inline std::string errorText(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "no error";
}

} // namespace auspex::test

#endif
