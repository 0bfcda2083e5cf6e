// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What stands behind -fplugin-arg-auspex-..., checked.
#ifndef AUSPEX_TOOLS_CLANGPLUGIN_PLUGINOPTIONS_H
#define AUSPEX_TOOLS_CLANGPLUGIN_PLUGINOPTIONS_H

#include "auspex/HW/GPU.h"
#include "auspex/Kernel/HostInterface.h"
#include "auspex/Kernel/LaunchConfig.h"
#include "auspex/Report/RemarkFilter.h"

namespace auspex {

struct PluginOptions {
  /// The GPUs to predict for, each once; empty: that of the architecture
  /// compiled for.
  std::vector<GPU> gpus;
  /// The kernels that are predicted, as in launches; empty: all.
  std::vector<std::string> kernels;
  /// The launches of the files, in their order.
  std::vector<LaunchConfig> launches;
  /// Where JSON goes; empty: nowhere.
  std::string outputDirectory;
  /// Where the summary document goes, for `auspex predict`; empty: nowhere.
  std::string summaryFile;
  /// Where a document goes that has what host code says alone, and nothing else
  /// is done; empty: nowhere.
  std::string hostFile;
  /// What the callers' file and the arguments of the program say.
  ProgramFacts program;
  /// Where the analysed code goes, to be run; empty: nowhere.
  std::string snapshotFile;
  /// The remarks that are made.
  RemarkFilter filter;
  /// The ptxas to ask for registers; empty: they are estimated.
  std::string assembler;
  /// The most registers a thread, for kernels without launch bounds, as nvcc's
  /// -maxrregcount has it; 0: as many as the GPU gives.
  unsigned maxRegisters = 0;
  /// The program is compiled by nvcc, not by the clang that this is part of.
  bool isForNvcc = false;
  /// Prints what was read, for tests.
  bool debug = false;
};

/// Reads "gpu=A100-40GB", "kernel=NAME", "launches=FILE", "out=DIR", "ptxas" or
/// "ptxas=PATH", "maxrregcount=N", "summary=FILE", "host=FILE", "callers=FILE",
/// "program-args=ARGUMENTS", split as a shell does, "snapshot=FILE", "nvcc",
/// "debug", and the filters of remarks ("top=3"). The last one counts; GPUs,
/// kernels and launch files add up.
llvm::Expected<PluginOptions>
parsePluginOptions(llvm::ArrayRef<std::string> arguments);

} // namespace auspex

#endif
