// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Project.h"

#include "ClangForCuda.h"
#include "Command.h"
#include "HostLink.h"
#include "KernelInput.h"
#include "SummaryCache.h"
#include "auspex/Support/TemporaryFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"

#include <set>

using namespace auspex;
using llvm::Expected;
using llvm::StringRef;

namespace {

/// Compiles one source after the other; several threads may ask.
class ProjectCompiler {
public:
  ProjectCompiler(llvm::ArrayRef<GPU> gpus, StringRef assembler, StringRef kept)
      : gpus(gpus), assembler(assembler), isKeeping(!kept.empty()),
        added(flagsForClang(trailingArguments())),
        cache(kept.str(), {besideProgram("lib/AuspexClangProper.so"),
                           llvm::expectedToOptional(findClang()).value_or(""),
                           assembler.str()}) {}

  void compile(CompiledSource &source) {
    source.isKept = true;
    source.problem =
        llvm::toString(compileSource(source).moveInto(source.kernels));
  }

  /// What the host code of \p command says, if others make the calls
  /// \p callers; if \p arch is 0, for the first GPU.
  Expected<SummaryDocument> readHost(const CompileCommand &command,
                                     llvm::ArrayRef<HostCall> callers,
                                     unsigned arch = 0);

private:
  llvm::ArrayRef<GPU> gpus;
  StringRef assembler;
  bool isKeeping;
  std::vector<std::string> added;
  SummaryCache cache;

  using Read = llvm::function_ref<Expected<SummaryDocument>(StringRef)>;

  std::vector<std::string> flagsOf(const CompileCommand &command) const {
    std::vector<std::string> flags = command.flags;
    llvm::append_range(flags, added);
    return flags;
  }
  /// The architecture that is compiled for where no GPU is named; adds it to \p
  /// flags if the user has not.
  Expected<unsigned> chooseArch(const CompileCommand &command,
                                std::vector<std::string> &flags) const;
  Expected<std::vector<KernelsOnGPU>> compileSource(CompiledSource &source);
  /// What was kept as \p name for \p words; else what \p read reads, which gets
  /// the file for a rule for make, "" where nothing is kept.
  Expected<SummaryDocument> findOrRead(const CompileCommand &command,
                                       const std::string &name,
                                       const std::vector<std::string> &words,
                                       Read read);
};

} // namespace

Expected<unsigned>
ProjectCompiler::chooseArch(const CompileCommand &command,
                            std::vector<std::string> &flags) const {
  auto arch = archInFlags(added);
  if (!arch || *arch != 0)
    return arch;
  flags.push_back("--offload-arch=" + command.arch);
  return archInFlags(flags);
}

Expected<std::vector<KernelsOnGPU>>
ProjectCompiler::compileSource(CompiledSource &source) {
  const CompileCommand &command = source.command;
  std::vector<std::string> flags = flagsOf(command);
  unsigned stated = 0;
  if (gpus.empty())
    if (llvm::Error error = chooseArch(command, flags).moveInto(stated))
      return std::move(error);
  return compileFor(gpus, stated, [&](unsigned arch) {
    std::string name = command.name + "-sm_" + std::to_string(arch);
    std::vector<std::string> words = flags;
    bool isNvccs = command.compiler == ProgramCompiler::Nvcc;
    words.insert(words.end(), {command.file, assembler.str(),
                               isNvccs ? "as nvcc" : "as clang"});
    return findOrRead(command, name, words, [&](StringRef rule) {
      source.isKept = false;
      return compileCuda(command.file, arch, flags, command.compiler, assembler,
                         /*quiet=*/true, rule);
    });
  });
}

Expected<SummaryDocument>
ProjectCompiler::readHost(const CompileCommand &command,
                          llvm::ArrayRef<HostCall> callers, unsigned arch) {
  std::vector<std::string> flags = flagsOf(command);
  if (arch == 0 && !gpus.empty())
    arch = gpus.front().arch;
  bool isCuda = command.kind == InputKind::Cuda;
  if (gpus.empty() && isCuda)
    if (llvm::Error error = chooseArch(command, flags).moveInto(arch))
      return std::move(error);
  // A file in the middle is read without its callers first.
  std::string name = command.name + "-sm_" + std::to_string(arch) +
                     (callers.empty() ? "-host" : "-called");
  std::vector<std::string> words = flags;
  words.insert(words.end(),
               {command.file, writeSummaries({}, {}, {{}, callers.vec()})});
  return findOrRead(command, name, words, [&](StringRef rule) {
    return readHostCode(command.file, command.kind, arch, flags, callers,
                        /*quiet=*/true, rule);
  });
}

Expected<SummaryDocument>
ProjectCompiler::findOrRead(const CompileCommand &command,
                            const std::string &name,
                            const std::vector<std::string> &words, Read read) {
  if (!isKeeping)
    return read("");
  if (auto kept = cache.find(name, words))
    return std::move(*kept);
  auto rule = TemporaryFile::create("d");
  if (!rule)
    return rule.takeError();
  auto begin = std::chrono::system_clock::now();
  auto document = read(rule->path());
  if (document)
    if (auto text = llvm::MemoryBuffer::getFile(rule->path()))
      cache.keep(name, words, command.directory, begin, (*text)->getBuffer(),
                 *document);
  return document;
}

/// Has the launches of all \p sources from what they call each other with.
static void link(std::vector<CompiledSource> &sources,
                 ProjectCompiler &compiler) {
  std::vector<HostSource> hosts;
  for (const CompiledSource &source : sources) {
    HostSource &host = hosts.emplace_back();
    host.file = source.command.file;
    host.problem = source.problem;
    if (!source.kernels.empty())
      host.host = hostCodeOf(*source.kernels.front().document);
  }
  linkHostCode(hosts, [&](size_t number, llvm::ArrayRef<HostCall> callers) {
    return compiler.readHost(sources[number].command, callers);
  });
  shareLaunches(hosts, [&](size_t number) {
    return llvm::ArrayRef<KernelsOnGPU>(sources[number].kernels);
  });
  for (auto [source, host] : llvm::zip(sources, hosts)) {
    source.problem = host.problem;
    const CompileCommand &command = source.command;
    auto readFor = [&](unsigned arch) {
      return compiler.readHost(command, host.callers, arch);
    };
    if (llvm::Error error = takeLaunches(host, readFor, source.kernels))
      source.problem = llvm::toString(std::move(error));
  }
}

std::vector<CompiledSource>
auspex::compileProject(std::vector<CompileCommand> commands,
                       llvm::ArrayRef<GPU> gpus, StringRef assembler,
                       StringRef kept, UseKernels use) {
  std::vector<CompiledSource> sources(commands.size());
  ProjectCompiler compiler(gpus, assembler, kept);
  llvm::DefaultThreadPool pool;
  for (size_t i = 0; i < sources.size(); ++i) {
    sources[i].command = std::move(commands[i]);
    sources[i].problem = sources[i].command.problem;
    if (sources[i].command.kind == InputKind::Cuda &&
        sources[i].problem.empty())
      pool.async([&, i] { compiler.compile(sources[i]); });
  }
  pool.wait();
  link(sources, compiler);
  for (size_t i = 0; i < sources.size(); ++i)
    if (!sources[i].kernels.empty() && sources[i].problem.empty())
      pool.async([&, i] {
        sources[i].problem = llvm::toString(use(i, sources[i].kernels));
      });
  pool.wait();
  return sources;
}

std::vector<std::string> auspex::leftOut(llvm::ArrayRef<CompiledSource> sources,
                                         bool areGpusNamed) {
  std::set<std::string> flags, archs;
  for (const CompiledSource &source : sources) {
    flags.insert(source.command.dropped.begin(), source.command.dropped.end());
    archs.insert(source.command.otherArchs.begin(),
                 source.command.otherArchs.end());
  }
  std::vector<std::string> sentences;
  if (!flags.empty())
    sentences.push_back("compiled without what clang does not have: " +
                        llvm::join(flags, ", "));
  if (!archs.empty() && !areGpusNamed)
    sentences.push_back(
        "of several architectures the first is predicted, not " +
        llvm::join(archs, ", ") + "; name GPUs with --gpu to choose");
  return sentences;
}
