// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The device code that a program consists of, and what in it has a handle on
/// the host: kernels and variables, by the addresses of their shadows.
#ifndef AUSPEX_LIB_RUNTIME_MODULES_H
#define AUSPEX_LIB_RUNTIME_MODULES_H

#include "Runtime.h"
#include "auspex/Kernel/SummaryDocument.h"

namespace auspex::cuda {

/// The code of one fat binary. Nothing of it is read before it is needed: a
/// program may have much that it never launches.
class Module {
public:
  explicit Module(const void *binary) : binary(binary) {}

  /// Makes the code ready to run, once. Complains about code that cannot.
  Error load(Runtime &runtime);
  /// Of a loaded module.
  Program &program() { return *loaded; }
  /// What is known of a kernel of a loaded module; null if it is unknown.
  const KernelSummary *summary(llvm::StringRef kernel);
  /// The summaries that are in the code, all.
  llvm::ArrayRef<KernelSummary> summaries();
  /// Compute capability it was compiled for; 0 if the binary is not ours.
  unsigned arch() const;

private:
  const void *binary;
  std::optional<Error> state;
  std::unique_ptr<Program> loaded;
  /// The document until somebody asks for it.
  std::string summaryText;
  SummaryDocument document;

  Error read(Runtime &runtime);
  void readSummaryText();
};

/// What a kernel's shadow on the host stands for.
struct Kernel {
  Module *module = nullptr;
  /// Mangled.
  std::string name;
  /// Set once the module is loaded.
  const Program::KernelInfo *info = nullptr;
  /// What the program set (cudaFuncSetAttribute).
  std::optional<uint64_t> maxDynamicShared;
  int carveout = -1;

  const KernelSummary *summary() const { return module->summary(name); }
};

struct Variable {
  Module *module = nullptr;
  std::string name;
  uint64_t sizeInBytes = 0;
  /// Of a managed variable: the host's pointer to it.
  void **managed = nullptr;
};

/// The kernel behind a shadow, loaded; an error if there is none.
Error findKernel(Runtime &runtime, const void *shadow, Kernel *&kernel);
/// The memory of the variable behind a shadow.
Error findVariable(Runtime &runtime, const void *shadow,
                   Allocation &allocation);

} // namespace auspex::cuda

#endif
