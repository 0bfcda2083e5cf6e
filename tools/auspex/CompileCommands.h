// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// compile_commands.json, as CMake and Bear write it, for nvcc and for clang:
/// https://clang.llvm.org/docs/JSONCompilationDatabase.html
#ifndef AUSPEX_TOOLS_COMPILECOMMANDS_H
#define AUSPEX_TOOLS_COMPILECOMMANDS_H

#include "KernelInput.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace auspex {

/// How one source is compiled.
struct CompileCommand {
  /// The source and the folder that the build runs in, absolute.
  std::string file, directory;
  InputKind kind = InputKind::Cuda;
  ProgramCompiler compiler = ProgramCompiler::Clang;
  /// Clang's flags, of CUDA for device code; no architecture.
  std::vector<std::string> flags;
  /// "sm_80", and those that are named after it.
  std::string arch;
  std::vector<std::string> otherArchs;
  /// Flags of nvcc that have an effect which clang cannot have.
  std::vector<std::string> dropped;
  /// Tells the command from all others: the source's name and a hash of where
  /// it is and what it is compiled to. The flags are not part of it.
  std::string name;
  /// Why it is none that clang can do; empty if it is one.
  std::string problem;
};

/// Reads the commands of CUDA sources, and behind them those of C and C++, from
/// the file at \p path, or from that of the folder, sorted by source. A source
/// is CUDA by its ending, .cu, or by -x; without any it is an error.
llvm::Expected<std::vector<CompileCommand>>
readCompileCommands(llvm::StringRef path);

} // namespace auspex

#endif
