// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running clang on a CUDA source: the device side only, no assembler, no shell.
#include "KernelInput.h"

#include "Command.h"
#include "auspex/Support/Document.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace auspex;
using llvm::StringRef;

/// A path next to the directory this program is in: ../lib, ../share.
static std::string besideProgram(llvm::Twine relative) {
  static int anchor;
  llvm::SmallString<256> path(
      llvm::sys::fs::getMainExecutable("auspex", &anchor));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "..", relative);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

static llvm::Expected<std::string> findClang() {
  // The plugin fits the LLVM it was built with and no other.
  for (StringRef name : {AUSPEX_CLANG, "clang++-" AUSPEX_LLVM_MAJOR})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return makeInputError({}, "clang " AUSPEX_LLVM_MAJOR
                            " is not found; install clang-" AUSPEX_LLVM_MAJOR);
}

static bool isToolkit(const llvm::Twine &path) {
  return llvm::sys::fs::exists(path + "/include/cuda.h") &&
         llvm::sys::fs::exists(path + "/nvvm/libdevice/libdevice.10.bc");
}

/// CUDA_PATH decides if it is set, also if it is empty: then there is none.
static std::optional<std::string> findToolkit() {
  std::string path = "/usr/local/cuda";
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *stated = std::getenv(variable))
      path = stated;
  return isToolkit(path) ? std::optional(path) : std::nullopt;
}

/// How clang finds CUDA: by what the user says, a toolkit, or the small header.
static void addToolkit(std::vector<std::string> &command,
                       llvm::ArrayRef<std::string> flags) {
  bool stated = llvm::any_of(flags, [](StringRef flag) {
    return flag.starts_with("--cuda-path") || flag == "-nocudainc";
  });
  if (stated)
    return;
  if (std::optional<std::string> toolkit = findToolkit()) {
    command.push_back("--cuda-path=" + *toolkit);
    command.push_back("-Wno-unknown-cuda-version");
    command.push_back("--no-cuda-version-check");
    return;
  }
  static bool told = false;
  if (!told)
    note("no CUDA toolkit found (CUDA_PATH, /usr/local/cuda): compiling with "
         "the small header of Auspex");
  told = true;
  std::string headers = besideProgram("share/auspex/cuda");
  for (const std::string &flag :
       {std::string("--cuda-path=/nonexistent"), std::string("-nocudainc"),
        std::string("-nocudalib"), std::string("--cuda-feature=+ptx88"),
        std::string("-include"), headers + "/auspex_cuda.h",
        std::string("-idirafter"), headers, std::string("-Xclang"),
        std::string("-target-sdk-version=12.8")})
    command.push_back(flag);
}

/// The oldest architecture that clang still compiles for.
static constexpr unsigned OldestArch = 50;

llvm::Expected<SummaryDocument>
auspex::compileCuda(StringRef file, unsigned arch,
                    llvm::ArrayRef<std::string> flags, StringRef assembler) {
  auto stated = archInFlags(flags);
  if (!stated)
    return stated.takeError();
  auto clang = findClang();
  if (!clang)
    return clang.takeError();
  llvm::SmallString<128> summary;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("auspex", "json", summary))
    return makeInputError({}, "no temporary file: " + code.message());
  llvm::FileRemover removeSummary(summary);

  std::vector<std::string> command{
      *clang,
      "-x",
      "cuda",
      "--cuda-device-only",
      "-S",
      "-O2",
      "-fplugin=" + besideProgram("lib/AuspexClang.so"),
      "-fplugin-arg-auspex-summary=" + summary.str().str()};
  if (!assembler.empty())
    command.push_back(("-fplugin-arg-auspex-ptxas=" + assembler).str());
  addToolkit(command, flags);
  if (*stated == 0)
    command.push_back("--cuda-gpu-arch=sm_" +
                      std::to_string(std::max(arch, OldestArch)));
  llvm::append_range(command, flags);
  command.insert(command.end(), {file.str(), "-o", "/dev/null"});

  std::vector<StringRef> arguments(command.begin(), command.end());
  std::string problem;
  int code = llvm::sys::ExecuteAndWait(*clang, arguments, std::nullopt, {}, 0,
                                       0, &problem);
  if (code != 0)
    return makeInputError({file.str(), 0, ""},
                          problem.empty() ? "clang does not compile it"
                                          : "clang does not run: " + problem);
  auto document = loadDocument(summary);
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
