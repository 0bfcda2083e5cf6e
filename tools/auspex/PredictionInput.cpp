// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PredictionInput.h"

#include "Command.h"
#include "HostLink.h"
#include "KernelInput.h"
#include "auspex/Analysis/Assembler.h"
#include "auspex/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>

using namespace auspex;
using llvm::Expected;
using llvm::StringRef;

Expected<std::vector<GPU>> auspex::findGPUs(llvm::ArrayRef<std::string> names) {
  std::vector<GPU> gpus;
  for (const std::string &name : names) {
    auto gpu = findGPU(name);
    if (!gpu)
      return gpu.takeError();
    bool isNew = llvm::none_of(
        gpus, [&](const GPU &other) { return other.name == gpu->name; });
    if (isNew)
      gpus.push_back(std::move(*gpu));
  }
  return gpus;
}

Expected<std::vector<LaunchConfig>>
auspex::readLaunches(llvm::ArrayRef<std::string> texts,
                     llvm::ArrayRef<std::string> files) {
  std::vector<LaunchConfig> launches;
  for (const std::string &text : texts) {
    auto launch = parseNamedLaunchText(text, {"--launch", 0, ""});
    if (!launch)
      return launch.takeError();
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
  if (!document.kernels.empty())
    return;
  auto source = llvm::MemoryBuffer::getFile(file);
  bool hasSome = source && (*source)->getBuffer().contains("__global__");
  note(file + " has no kernels" +
       (hasSome ? ": nothing instantiates its templates, or #if leaves them out"
                : ""));
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
  std::map<unsigned, std::shared_ptr<const SummaryDocument>> byArch;
  for (GPU &gpu : targets) {
    std::shared_ptr<const SummaryDocument> &shared = byArch[gpu.arch];
    if (!shared) {
      auto document = compile(gpu.arch);
      if (!document)
        return document.takeError();
      shared = std::make_shared<SummaryDocument>(std::move(*document));
    }
    compiled.push_back({std::move(gpu), shared});
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
  return compileFor(
      gpus, stated, [&](unsigned arch) -> Expected<SummaryDocument> {
        auto document =
            compileCuda(file, arch, flags, ProgramCompiler::Nvcc, assembler);
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
  if (*kind == InputKind::Host)
    return makeInputError({file.str(), 0, ""},
                          "it is C or C++, which has no kernels; name the CUDA "
                          "sources (.cu) whose functions it calls too, or say "
                          "that it is CUDA with -- -x cuda");
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

void auspex::shareLaunches(
    std::vector<HostSource> &sources,
    llvm::function_ref<llvm::ArrayRef<KernelsOnGPU>(size_t)> kernelsOf) {
  SoleDefinitions definedIn;
  for (size_t i = 0; i < sources.size(); ++i)
    if (llvm::ArrayRef<KernelsOnGPU> kernels = kernelsOf(i); !kernels.empty())
      for (const KernelSummary &kernel : kernels.front().document->kernels)
        definedIn.add(kernel.name, i);
  for (size_t i = 0; i < sources.size(); ++i)
    if (sources[i].host)
      for (const LaunchConfig &launch : sources[i].host->launches)
        if (auto source = definedIn.find(launch.kernel); source && *source != i)
          sources[*source].launchesElsewhere.push_back(launch);
}

llvm::Error auspex::takeLaunches(
    const HostSource &source,
    llvm::function_ref<Expected<SummaryDocument>(unsigned)> read,
    std::vector<KernelsOnGPU> &kernels) {
  if (source.callers.empty() && source.launchesElsewhere.empty())
    return llvm::Error::success();
  std::map<unsigned, std::vector<LaunchConfig>> launches;
  for (KernelsOnGPU &compiled : kernels) {
    auto [entry, isNew] = launches.try_emplace(compiled.gpu.arch);
    if (isNew && source.callers.empty()) {
      entry->second = compiled.document->launches;
    } else if (isNew && launches.size() == 1) {
      entry->second = source.host->launches;
    } else if (isNew) {
      auto host = read(compiled.gpu.arch);
      if (!host)
        return host.takeError();
      entry->second = std::move(host->launches);
    }
    auto document = std::make_shared<SummaryDocument>(*compiled.document);
    document->launches = entry->second;
    llvm::append_range(document->launches, source.launchesElsewhere);
    compiled.document = std::move(document);
  }
  return llvm::Error::success();
}

namespace {

/// The files of one program.
class ProgramFiles {
public:
  ProgramFiles(llvm::ArrayRef<GPU> gpus, StringRef assembler)
      : gpus(gpus), assembler(assembler) {}

  llvm::Error read(llvm::ArrayRef<std::string> files);
  /// Has the launches of all from what they call each other with.
  llvm::Error link(std::vector<std::string> &problems);
  std::vector<std::vector<KernelsOnGPU>> take() { return std::move(kernels); }

private:
  llvm::ArrayRef<GPU> gpus;
  StringRef assembler;
  const std::vector<std::string> flags = flagsForClang(trailingArguments());
  std::vector<InputKind> kinds;
  std::vector<HostSource> sources;
  std::vector<std::vector<KernelsOnGPU>> kernels;

  Expected<SummaryDocument> readHost(size_t number, unsigned arch,
                                     llvm::ArrayRef<HostCall> callers) const {
    return readHostCode(sources[number].file, kinds[number], arch, flags,
                        callers, /*quiet=*/true);
  }
};

} // namespace

llvm::Error ProgramFiles::read(llvm::ArrayRef<std::string> files) {
  for (const std::string &file : files)
    if (llvm::Error error = inputKind(file).moveInto(kinds.emplace_back()))
      return error;
  bool isCudaAmong = llvm::is_contained(kinds, InputKind::Cuda);
  for (auto [file, kind] : llvm::zip(files, kinds)) {
    HostSource &source = sources.emplace_back();
    source.file = file;
    source.isNamed = true;
    std::vector<KernelsOnGPU> &read = kernels.emplace_back();
    if (kind == InputKind::Host && isCudaAmong)
      continue;
    llvm::Error error = readKernels(file, gpus, assembler).moveInto(read);
    if (error && files.size() == 1)
      return error;
    source.problem = llvm::toString(std::move(error));
    if (!read.empty())
      source.host = hostCodeOf(*read.front().document);
  }
  return llvm::Error::success();
}

llvm::Error ProgramFiles::link(std::vector<std::string> &problems) {
  unsigned arch = 0;
  for (const auto &[kind, compiled] : llvm::zip(kinds, kernels))
    if (kind == InputKind::Cuda && arch == 0 && !compiled.empty())
      arch = compiled.front().gpu.arch;
  linkHostCode(sources, [&](size_t number, llvm::ArrayRef<HostCall> callers) {
    return readHost(number, arch, callers);
  });
  shareLaunches(sources, [&](size_t number) {
    return llvm::ArrayRef<KernelsOnGPU>(kernels[number]);
  });
  for (size_t i = 0; i < sources.size(); ++i) {
    const HostSource &source = sources[i];
    if (!source.problem.empty())
      problems.push_back(source.problem);
    else if (kinds[i] == InputKind::Host && !source.host)
      note(source.file + " mentions no function that launches kernels");
    auto readFor = [&](unsigned other) {
      return readHost(i, other, source.callers);
    };
    if (llvm::Error error = takeLaunches(source, readFor, kernels[i]))
      return error;
  }
  return llvm::Error::success();
}

Expected<std::vector<std::vector<KernelsOnGPU>>>
auspex::readProgram(llvm::ArrayRef<std::string> files, llvm::ArrayRef<GPU> gpus,
                    StringRef assembler, std::vector<std::string> &problems) {
  ProgramFiles program(gpus, assembler);
  if (llvm::Error error = program.read(files))
    return std::move(error);
  if (llvm::Error error = program.link(problems))
    return std::move(error);
  return program.take();
}

llvm::Expected<std::string> auspex::askedAssembler(StringRef path) {
  auto found = findAssembler(path);
  if (found || !path.empty())
    return found;
  note(llvm::toString(found.takeError()) + "; registers are estimated");
  return "";
}
