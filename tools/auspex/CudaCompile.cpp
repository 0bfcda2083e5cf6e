// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running clang on a CUDA source: the device side only, no assembler, no shell.
#include "KernelInput.h"

#include "ClangForCuda.h"
#include "Command.h"
#include "NvccOptimizer.h"
#include "NvccSource.h"
#include "auspex/Support/Document.h"
#include "auspex/Support/File.h"
#include "auspex/Support/TemporaryFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <mutex>

using namespace auspex;
using llvm::StringRef;

/// The flags for CUDA; says once that there is no toolkit.
static std::vector<std::string>
flagsForCuda(llvm::ArrayRef<std::string> userFlags) {
  std::optional<std::string> toolkit = findToolkit();
  std::vector<std::string> flags = cudaFlags(toolkit, userFlags);
  static std::once_flag told;
  if (!toolkit && !flags.empty())
    std::call_once(told, [] {
      note("no CUDA toolkit found (CUDA_PATH, CUDA_HOME, /usr/local/cuda): "
           "compiling with the small header of Auspex");
    });
  return flags;
}

/// The first error in what clang said.
static std::string firstError(StringRef file) {
  auto said = llvm::MemoryBuffer::getFile(file);
  if (!said)
    return "";
  for (StringRef line : llvm::split((*said)->getBuffer(), '\n'))
    if (size_t at = line.find("error: "); at != StringRef::npos)
      return (": " + line.drop_front(at + strlen("error: "))).str();
  return "";
}

/// What else there is where a toolkit's headers do not have what a source asks
/// for, as those of CUDA 13 lack members that older ones have.
static std::string otherHeaders(llvm::ArrayRef<std::string> command) {
  for (StringRef word : command)
    if (word.consume_front("--cuda-path="))
      return (" with the CUDA toolkit in " + word +
              "; CUDA_PATH=DIR takes another one, CUDA_PATH= the small header "
              "of Auspex")
          .str();
  return "";
}

namespace {

/// A run of clang on one source, with the plugin, which writes the summary.
class PluginRun {
public:
  /// An error without clang, or a place for what is to be written.
  /// \p output is the plugin's option for what it writes.
  static llvm::Expected<PluginRun> create(StringRef file, StringRef output,
                                          bool quiet);

  void add(std::initializer_list<std::string> words) {
    command.insert(command.end(), words);
  }
  void add(llvm::ArrayRef<std::string> words) {
    llvm::append_range(command, words);
  }
  /// The driver has -MD for the host alone.
  void addDependencies(StringRef rule);

  /// The summary; an error if clang fails, and \p noSummary if it writes none.
  llvm::Expected<SummaryDocument> run(const llvm::Twine &noSummary);

private:
  std::string file;
  std::vector<std::string> command;
  TemporaryFile summary;
  std::optional<TemporaryFile> said;

  PluginRun(StringRef file, TemporaryFile summary)
      : file(file), summary(std::move(summary)) {}
};

} // namespace

llvm::Expected<PluginRun> PluginRun::create(StringRef file, StringRef output,
                                            bool quiet) {
  auto clang = findClang();
  if (!clang)
    return clang.takeError();
  auto summary = TemporaryFile::create("json");
  if (!summary)
    return summary.takeError();
  PluginRun run(file, std::move(*summary));
  if (quiet) {
    auto said = TemporaryFile::create("txt");
    if (!said)
      return said.takeError();
    run.said.emplace(std::move(*said));
  }
  run.add({*clang, "-fplugin=" + besideProgram("lib/AuspexClang.so"),
           ("-fplugin-arg-auspex-" + output + "=" + run.summary.path()).str(),
           // Who compiles the program reads what is odd in it; here only what
           // changes the time counts.
           "-Wno-everything", "-Wpass-failed"});
  return run;
}

void PluginRun::addDependencies(StringRef rule) {
  if (rule.empty())
    return;
  for (StringRef word : {StringRef("-dependency-file"), rule, StringRef("-MT"),
                         StringRef("kernels"), StringRef("-sys-header-deps")})
    add({"-Xclang", word.str()});
}

llvm::Expected<SummaryDocument> PluginRun::run(const llvm::Twine &noSummary) {
  add({file, "-o", "/dev/null"});
  llvm::Expected<int> code =
      runCommand(command, said ? StringRef(said->path()) : StringRef());
  if (!code)
    return code.takeError();
  if (*code != 0)
    return makeInputError({file, 0, ""}, "clang does not compile it" +
                                             (said ? firstError(said->path())
                                                   : otherHeaders(command)));
  auto document = loadDocument(summary.path());
  if (document)
    return readSummaries(*document);
  llvm::consumeError(document.takeError());
  return makeInputError({file, 0, ""}, noSummary);
}

/// What clang has to be told to see the device side of a source. \p arch counts
/// if the flags name none.
static llvm::Expected<std::vector<std::string>>
flagsForDevice(unsigned arch, llvm::ArrayRef<std::string> flags) {
  auto stated = archInFlags(flags);
  if (!stated)
    return stated.takeError();
  std::vector<std::string> result{"-x", "cuda", "--cuda-device-only"};
  llvm::append_range(result, flagsForCuda(flags));
  if (*stated == 0)
    result.push_back("--cuda-gpu-arch=sm_" +
                     std::to_string(std::max(arch, OldestArch)));
  llvm::append_range(result, flags);
  return result;
}

llvm::Expected<SummaryDocument>
auspex::compileCuda(StringRef file, unsigned arch,
                    llvm::ArrayRef<std::string> flags, ProgramCompiler compiler,
                    StringRef assembler, bool quiet, StringRef dependencies) {
  auto device = flagsForDevice(arch, flags);
  if (!device)
    return device.takeError();
  auto rewritten = NvccSource::rewrite(file, flags);
  if (!rewritten)
    return rewritten.takeError();
  auto run = PluginRun::create(file, "summary", quiet);
  if (!run)
    return run.takeError();
  // The plugin generates code itself; the same again would go unread.
  run->add({"-S", "-emit-llvm", "-O3"});
  if (!assembler.empty())
    run->add({("-fplugin-arg-auspex-ptxas=" + assembler).str()});
  if (compiler == ProgramCompiler::Nvcc)
    run->add(flagsToOptimizeAsNvcc(flags));
  run->add(*device);
  run->add(rewritten->flags());
  run->addDependencies(dependencies);
  return run->run(
      flags.empty() ? "the plugin wrote no summary; is " +
                          besideProgram("lib/AuspexClang.so") + " in its place?"
                    : "there is no optimised device code with the flags "
                      "after '--'; leave out -O0 and what compiles only in "
                      "part, such as -E or --cuda-host-only");
}

/// The same for a source that has no device side.
static std::vector<std::string>
flagsForHost(StringRef file, llvm::ArrayRef<std::string> flags) {
  std::vector<std::string> result{"-x", file.ends_with(".c") ? "c" : "c++"};
  if (std::optional<std::string> toolkit = findToolkit())
    result.insert(result.end(), {"-idirafter", *toolkit + "/include"});
  result.insert(result.end(),
                {"-idirafter", besideProgram("share/auspex/cuda")});
  llvm::append_range(result, flags);
  return result;
}

llvm::Expected<SummaryDocument>
auspex::readHostCode(StringRef file, InputKind kind, unsigned arch,
                     llvm::ArrayRef<std::string> flags,
                     llvm::ArrayRef<HostCall> callers, bool quiet,
                     StringRef dependencies) {
  auto run = PluginRun::create(file, "host", quiet);
  if (!run)
    return run.takeError();
  auto others = TemporaryFile::create("json");
  if (!others)
    return others.takeError();
  if (!callers.empty()) {
    if (llvm::Error error = writeFile(
            others->path(), writeSummaries({}, {}, {{}, callers.vec()})))
      return std::move(error);
    run->add({"-fplugin-arg-auspex-callers=" + others->path()});
  }
  // There while clang reads it.
  std::optional<NvccSource> source;
  if (kind == InputKind::Cuda) {
    auto rewritten = NvccSource::rewrite(file, flags);
    if (!rewritten)
      return rewritten.takeError();
    source.emplace(std::move(*rewritten));
    auto device = flagsForDevice(arch, flags);
    if (!device)
      return device.takeError();
    run->add(*device);
    run->add(source->flags());
  } else {
    run->add(flagsForHost(file, flags));
  }
  run->add({"-fsyntax-only"});
  run->addDependencies(dependencies);
  return run->run("the plugin wrote nothing about its host code");
}
