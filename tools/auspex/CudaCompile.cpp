// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running clang on a CUDA source: the device side only, no assembler, no shell.
#include "KernelInput.h"

#include "ClangForCuda.h"
#include "Command.h"
#include "LaunchBrackets.h"
#include "NvccOptimizer.h"
#include "auspex/Support/Document.h"
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
  std::vector<std::string> flags =
      cudaFlags(toolkit, userFlags, CompilationSide::Device);
  static std::once_flag told;
  if (!toolkit && !flags.empty())
    std::call_once(told, [] {
      note("no CUDA toolkit found (CUDA_PATH, /usr/local/cuda): compiling with "
           "the small header of Auspex");
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

llvm::Expected<SummaryDocument>
auspex::compileCuda(StringRef file, unsigned arch,
                    llvm::ArrayRef<std::string> flags, StringRef assembler,
                    bool quiet, StringRef dependencies) {
  auto stated = archInFlags(flags);
  if (!stated)
    return stated.takeError();
  auto clang = findClang();
  if (!clang)
    return clang.takeError();
  auto summary = TemporaryFile::create("json");
  if (!summary)
    return summary.takeError();
  auto brackets = LaunchBrackets::join(file);
  if (!brackets)
    return brackets.takeError();

  std::vector<std::string> command{
      *clang, "-x", "cuda", "--cuda-device-only", "-S",
      // The plugin generates code itself; the same again would go unread.
      "-emit-llvm", "-O3",
      // Who compiles the program reads what is odd in it; here only what
      // changes the time counts.
      "-Wno-everything", "-Wpass-failed",
      "-fplugin=" + besideProgram("lib/AuspexClang.so"),
      "-fplugin-arg-auspex-summary=" + summary->path()};
  if (!assembler.empty())
    command.push_back(("-fplugin-arg-auspex-ptxas=" + assembler).str());
  llvm::append_range(command, flagsToOptimizeAsNvcc(flags));
  llvm::append_range(command, flagsForCuda(flags));
  if (*stated == 0)
    command.push_back("--cuda-gpu-arch=sm_" +
                      std::to_string(std::max(arch, OldestArch)));
  llvm::append_range(command, flags);
  llvm::append_range(command, brackets->flags());
  // The driver has -MD for the host alone.
  if (!dependencies.empty())
    for (StringRef word :
         {StringRef("-dependency-file"), dependencies, StringRef("-MT"),
          StringRef("kernels"), StringRef("-sys-header-deps")})
      command.insert(command.end(), {"-Xclang", word.str()});
  command.insert(command.end(), {file.str(), "-o", "/dev/null"});

  std::optional<TemporaryFile> said;
  if (quiet) {
    auto created = TemporaryFile::create("txt");
    if (!created)
      return created.takeError();
    said.emplace(std::move(*created));
  }
  llvm::Expected<int> code =
      runCommand(command, said ? StringRef(said->path()) : StringRef());
  if (!code)
    return code.takeError();
  if (*code != 0)
    return makeInputError({file.str(), 0, ""},
                          "clang does not compile it" +
                              (said ? firstError(said->path()) : ""));
  auto document = loadDocument(summary->path());
  if (!document) {
    llvm::consumeError(document.takeError());
    return makeInputError(
        {file.str(), 0, ""},
        flags.empty()
            ? "the plugin wrote no summary; is " +
                  besideProgram("lib/AuspexClang.so") + " in its place?"
            : "there is no optimised device code with the flags "
              "after '--'; leave out -O0 and what compiles only in "
              "part, such as -E or --cuda-host-only");
  }
  return readSummaries(*document);
}
