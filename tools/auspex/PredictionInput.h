// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the commands that predict launches start from: kernels, GPUs and
/// launches, as their options name them.
#ifndef AUSPEX_TOOLS_PREDICTIONINPUT_H
#define AUSPEX_TOOLS_PREDICTIONINPUT_H

#include "HostLink.h"
#include "auspex/HW/GPU.h"
#include "auspex/Kernel/SummaryDocument.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace auspex {

/// The GPUs that --gpu names, each once.
llvm::Expected<std::vector<GPU>> findGPUs(llvm::ArrayRef<std::string> names);

/// The launches of --launch and of launches files.
llvm::Expected<std::vector<LaunchConfig>>
readLaunches(llvm::ArrayRef<std::string> texts,
             llvm::ArrayRef<std::string> files);

/// The assembler that --ptxas asks for, at \p path, or where toolkits have it
/// if that is empty: a note if there is none, and then registers are estimated:
/// "".
llvm::Expected<std::string> askedAssembler(llvm::StringRef path);

/// The kernels of a file as they are compiled for a GPU.
struct KernelsOnGPU {
  GPU gpu;
  std::shared_ptr<const SummaryDocument> document;
};

/// Notes for each of the \p sources what others launch of the kernels that it
/// alone has.
void shareLaunches(
    std::vector<HostSource> &sources,
    llvm::function_ref<llvm::ArrayRef<KernelsOnGPU>(size_t)> kernelsOf);

/// Gives \p kernels the launches of \p source, their host code, if others call
/// that, and those elsewhere; \p read reads it for another architecture than
/// that of the first.
llvm::Error
takeLaunches(const HostSource &source,
             llvm::function_ref<llvm::Expected<SummaryDocument>(unsigned)> read,
             std::vector<KernelsOnGPU> &kernels);

/// Compiles for a compute capability.
using Compile = llvm::function_ref<llvm::Expected<SummaryDocument>(unsigned)>;

/// Compiles once an architecture of \p gpus; without them for the GPU that
/// stands for \p arch, or for a usual one if that is 0.
llvm::Expected<std::vector<KernelsOnGPU>>
compileFor(llvm::ArrayRef<GPU> gpus, unsigned arch, Compile compile);

/// Reads a file for each GPU: CUDA is compiled for its architecture, IR and
/// summaries are what they are. Without \p gpus the architecture that was
/// compiled for names one. A file without kernels is noted, and may have no
/// GPU.
llvm::Expected<std::vector<KernelsOnGPU>>
readKernels(llvm::StringRef file, llvm::ArrayRef<GPU> gpus,
            llvm::StringRef assembler);

/// Reads files of one program in the same way. The launches of CUDA are those
/// with which the others call its functions; C and C++ is there for that alone,
/// and has no kernels. What is wrong with one of several is one of the
/// \p problems.
llvm::Expected<std::vector<std::vector<KernelsOnGPU>>>
readProgram(llvm::ArrayRef<std::string> files, llvm::ArrayRef<GPU> gpus,
            llvm::StringRef assembler, std::vector<std::string> &problems);

} // namespace auspex

#endif
