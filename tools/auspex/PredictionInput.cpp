// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PredictionInput.h"

#include "Command.h"
#include "KernelInput.h"
#include "auspex/Analysis/Assembler.h"
#include "auspex/Support/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace auspex;
using llvm::Expected;
using llvm::StringRef;

Expected<std::vector<GPU>> auspex::findGPUs(llvm::ArrayRef<std::string> names) {
  std::vector<GPU> gpus;
  for (const std::string &name : names) {
    auto gpu = findGPU(name);
    if (!gpu)
      return gpu.takeError();
    gpus.push_back(std::move(*gpu));
  }
  return gpus;
}

Expected<std::vector<LaunchConfig>>
auspex::readLaunches(llvm::ArrayRef<std::string> texts,
                     llvm::ArrayRef<std::string> files) {
  std::vector<LaunchConfig> launches;
  for (const std::string &text : texts) {
    auto launch =
        parseLaunchText(text, LaunchOrigin::CommandLine, {"--launch", 0, ""});
    if (!launch)
      return launch.takeError();
    if (launch->kernel.empty())
      return makeInputError({"--launch", 0, "kernel"},
                            "the name is missing; write 'NAME=" + text + "'");
    launches.push_back(std::move(*launch));
  }
  for (const std::string &file : files) {
    auto more = loadLaunchFile(file);
    if (!more)
      return more.takeError();
    llvm::append_range(launches, *more);
  }
  return launches;
}

/// Where nobody names a GPU, the architecture that is compiled for does.
static Expected<GPU> gpuOfArch(unsigned arch) {
  constexpr unsigned DefaultArch = 80;
  return findGPU("sm_" + std::to_string(arch ? arch : DefaultArch));
}

static void noteIfEmpty(const SummaryDocument &document, StringRef file) {
  if (document.kernels.empty())
    note(file + " has no kernels");
}

Expected<std::vector<KernelsOnGPU>>
auspex::compileFor(llvm::ArrayRef<GPU> gpus, unsigned arch, Compile compile) {
  std::vector<GPU> targets = gpus.vec();
  if (targets.empty()) {
    auto gpu = gpuOfArch(arch);
    if (!gpu)
      return gpu.takeError();
    targets.push_back(std::move(*gpu));
  }
  std::vector<KernelsOnGPU> compiled;
  for (GPU &gpu : targets) {
    auto document = compile(gpu.arch);
    if (!document)
      return document.takeError();
    compiled.push_back({std::move(gpu), std::make_shared<SummaryDocument>(
                                            std::move(*document))});
  }
  return compiled;
}

static Expected<std::vector<KernelsOnGPU>>
compileKernels(StringRef file, llvm::ArrayRef<GPU> gpus, StringRef assembler) {
  const std::vector<std::string> flags = flagsForClang(trailingArguments());
  unsigned stated = 0;
  if (gpus.empty()) {
    auto arch = archInFlags(flags);
    if (!arch)
      return arch.takeError();
    stated = *arch;
  }
  return compileFor(gpus, stated,
                    [&](unsigned arch) -> Expected<SummaryDocument> {
                      auto document = compileCuda(file, arch, flags, assembler);
                      if (document)
                        noteIfEmpty(*document, file);
                      return document;
                    });
}

Expected<std::vector<KernelsOnGPU>>
auspex::readKernels(StringRef file, llvm::ArrayRef<GPU> gpus,
                    StringRef assembler) {
  auto kind = inputKind(file);
  if (!kind)
    return kind.takeError();
  if (*kind == InputKind::Cuda)
    return compileKernels(file, gpus, assembler);
  auto document =
      *kind == InputKind::IR ? readIR(file, assembler) : readSummaryFile(file);
  if (!document)
    return document.takeError();
  noteIfEmpty(*document, file);
  std::vector<GPU> targets = gpus.vec();
  if (targets.empty() && !document->kernels.empty()) {
    auto gpu = gpuOfArch(document->kernels.front().arch);
    if (!gpu)
      return gpu.takeError();
    targets.push_back(std::move(*gpu));
  }
  auto shared = std::make_shared<SummaryDocument>(std::move(*document));
  std::vector<KernelsOnGPU> read;
  for (GPU &gpu : targets)
    read.push_back({std::move(gpu), shared});
  return read;
}

std::string auspex::askedAssembler(StringRef path) {
  auto found = findAssembler(path);
  if (found)
    return std::move(*found);
  note(llvm::toString(found.takeError()) + "; registers are estimated");
  return "";
}

std::string auspex::knownKernels(StringRef name,
                                 llvm::ArrayRef<std::string> kernels) {
  std::string near = didYouMean(name, kernels);
  constexpr size_t Few = 8;
  if (!near.empty() || kernels.empty())
    return near;
  std::string text = "; there is " + llvm::join(kernels.take_front(Few), ", ");
  if (kernels.size() > Few)
    text += " and " + std::to_string(kernels.size() - Few) + " more";
  return text;
}
