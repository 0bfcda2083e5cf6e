// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The launches and kernels that a CUDA source states, read from clang's AST at
/// the end of a translation unit.
///
/// Seen are k<<<grid, block, shared, stream>>>(args) in all code that is not in
/// a system header, in every instance of every template, and the calls of the
/// runtime library that launch. What a launch says is read without running the
/// program: an expression is known if it is constant, or if the last write of
/// the local variables in it is. Everything else stays unset: never a guess.
#ifndef AUSPEX_FRONTEND_LAUNCHES_H
#define AUSPEX_FRONTEND_LAUNCHES_H

#include "auspex/Kernel/HostInterface.h"
#include "auspex/Kernel/LaunchConfig.h"

namespace clang {
class ASTContext;
}

namespace auspex {

struct LaunchPragma;

/// A kernel that the translation unit defines.
struct KernelSignature {
  struct Parameter {
    std::string name, type;
    /// Of a struct, or of a variable that is an array.
    std::vector<Argument::Member> members;
  };

  /// Mangled, as in the device code (with -fgpu-rdc a static kernel has a
  /// suffix there that is not known here).
  std::string name;
  /// As KernelSummary has it.
  std::string spelling;
  std::vector<Parameter> parameters;
  /// The variables of the GPU that its code mentions, by mangled name.
  std::vector<Parameter> variables;
  bool isTemplateInstance = false;
  SourceLocation location;
};

struct LaunchSet {
  /// False if there was no source to read, only its IR (-x ir).
  bool hostCodeSeen = false;
  /// In the order of the source; the same launch twice is there once, at its
  /// first place. The kernel is mangled; grid, block and dynamicShared are set
  /// if known, integer, boolean and enum arguments by symbol ("arg2").
  std::vector<LaunchConfig> launches;
  std::vector<KernelSignature> kernels;
  /// Launches through a pointer of which the kernel is not known.
  std::vector<SourceLocation> unknownKernels;
  HostInterface interface;

  /// The signature of the kernel called \p mangled in the device code, or null.
  const KernelSignature *find(llvm::StringRef mangled) const;
};

/// Reads a translation unit without errors. \p pragmas become launches of the
/// kernels they stand before; what is wrong with one is reported as a warning
/// at its place.
LaunchSet collectLaunches(clang::ASTContext &context,
                          llvm::ArrayRef<LaunchPragma> pragmas,
                          const ProgramFacts &program = {});

/// Gives \p summary the names of the source that the compiler dropped: those of
/// its arguments and of enumerators in its own.
void takeSourceNames(KernelSummary &summary, const LaunchSet &launches);

} // namespace auspex

#endif
