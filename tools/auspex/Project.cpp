// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Project.h"

#include "ClangForCuda.h"
#include "Command.h"
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
        cache(kept.str(), {besideProgram("lib/AuspexClangProper.so"),
                           llvm::expectedToOptional(findClang()).value_or(""),
                           assembler.str()}) {}

  void compile(CompiledSource &source, size_t number, UseKernels use) {
    source.isKept = true;
    llvm::Error error = compileSource(source).moveInto(source.kernels);
    if (!error)
      error = use(number, source.kernels);
    source.problem = llvm::toString(std::move(error));
  }

private:
  llvm::ArrayRef<GPU> gpus;
  StringRef assembler;
  bool isKeeping;
  SummaryCache cache;

  Expected<std::vector<KernelsOnGPU>> compileSource(CompiledSource &source) {
    std::vector<std::string> flags = source.command.flags;
    std::vector<std::string> added = flagsForClang(trailingArguments());
    llvm::append_range(flags, added);
    unsigned stated = 0;
    if (gpus.empty()) {
      auto arch = archInFlags(added);
      if (!arch)
        return arch.takeError();
      if (*arch == 0) {
        flags.push_back("--offload-arch=" + source.command.arch);
        arch = archInFlags(flags);
        if (!arch)
          return arch.takeError();
      }
      stated = *arch;
    }
    return compileFor(gpus, stated, [&](unsigned arch) {
      return summarize(source, arch, flags);
    });
  }

  Expected<SummaryDocument> summarize(CompiledSource &source, unsigned arch,
                                      const std::vector<std::string> &flags) {
    const std::string &file = source.command.file;
    if (!isKeeping) {
      source.isKept = false;
      return compileCuda(file, arch, flags, assembler, /*quiet=*/true);
    }
    std::string name = source.command.name + "-sm_" + std::to_string(arch);
    std::vector<std::string> words = flags;
    words.insert(words.end(), {file, assembler.str()});
    if (auto kept = cache.find(name, words))
      return std::move(*kept);
    source.isKept = false;
    return compileAndKeep(source.command, arch, flags, name, words);
  }

  Expected<SummaryDocument>
  compileAndKeep(const CompileCommand &command, unsigned arch,
                 const std::vector<std::string> &flags, StringRef name,
                 const std::vector<std::string> &words) {
    auto rule = TemporaryFile::create("d");
    if (!rule)
      return rule.takeError();
    auto begin = std::chrono::system_clock::now();
    auto document = compileCuda(command.file, arch, flags, assembler,
                                /*quiet=*/true, rule->path());
    if (document)
      if (auto text = llvm::MemoryBuffer::getFile(rule->path()))
        cache.keep(name, words, command.directory, begin, (*text)->getBuffer(),
                   *document);
    return document;
  }
};

} // namespace

std::vector<CompiledSource>
auspex::compileProject(std::vector<CompileCommand> commands,
                       llvm::ArrayRef<GPU> gpus, StringRef assembler,
                       StringRef kept, UseKernels use) {
  std::vector<CompiledSource> sources(commands.size());
  ProjectCompiler compiler(gpus, assembler, kept);
  llvm::DefaultThreadPool pool;
  for (size_t i = 0; i < sources.size(); ++i) {
    sources[i].command = std::move(commands[i]);
    pool.async([&, i] { compiler.compile(sources[i], i, use); });
  }
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
