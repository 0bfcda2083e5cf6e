// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From a file to kernel summaries: CUDA through clang and the plugin, LLVM IR
/// through the analysis in this process, summaries as they are. Of C and C++
/// the plugin reads what host code says.
#ifndef AUSPEX_TOOLS_KERNELINPUT_H
#define AUSPEX_TOOLS_KERNELINPUT_H

#include "auspex/Kernel/SummaryDocument.h"

namespace auspex {

/// What a file holds, by its name.
enum class InputKind { Cuda, Host, IR, Summary };

/// Whether a file holds C or C++, by its name.
bool isHostSource(llvm::StringRef file);

/// An error if the name ends in nothing that is known, or there is no such
/// file.
llvm::Expected<InputKind> inputKind(llvm::StringRef file);

/// Reads LLVM IR. Registers are those of \p assembler, a ptxas, unless it is
/// empty.
llvm::Expected<SummaryDocument> readIR(llvm::StringRef file,
                                       llvm::StringRef assembler);
/// Reads a summary.
llvm::Expected<SummaryDocument> readSummaryFile(llvm::StringRef file);

/// Who compiles the program that is to be predicted.
enum class ProgramCompiler { Nvcc, Clang };

/// Compiles a CUDA source for compute capability \p arch with the clang that
/// belongs to this build, \p flags and the plugin, which writes the summary, to
/// such code as \p compiler has; nothing is assembled. A toolkit is taken from
/// the flags, from CUDA_PATH or from its usual place; else the small header
/// stands in, with a note. What clang says goes to stderr, or is part of the
/// error if it is to be \p quiet. The files that are read go to \p
/// dependencies, as a rule for make, unless it is empty. Several threads may
/// compile.
llvm::Expected<SummaryDocument> compileCuda(llvm::StringRef file, unsigned arch,
                                            llvm::ArrayRef<std::string> flags,
                                            ProgramCompiler compiler,
                                            llvm::StringRef assembler,
                                            bool quiet = false,
                                            llvm::StringRef dependencies = "");

/// Reads, in the same way, what the host code of a CUDA, C or C++ source says
/// if other files make the calls \p callers: its launches, and what it calls.
llvm::Expected<SummaryDocument> readHostCode(llvm::StringRef file,
                                             InputKind kind, unsigned arch,
                                             llvm::ArrayRef<std::string> flags,
                                             llvm::ArrayRef<HostCall> callers,
                                             bool quiet,
                                             llvm::StringRef dependencies = "");

/// \p flags for clang, where some are nvcc's. Says once what is left out
/// although it would have had an effect.
std::vector<std::string> flagsForClang(llvm::ArrayRef<std::string> flags);

/// The compute capability that --cuda-gpu-arch or --offload-arch in \p flags
/// names; 0 if none. An error for more than one.
llvm::Expected<unsigned> archInFlags(llvm::ArrayRef<std::string> flags);

} // namespace auspex

#endif
