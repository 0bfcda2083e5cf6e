// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ClangForCuda.h"

#include "auspex/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace auspex;
using llvm::StringRef;

std::string auspex::besideProgram(const llvm::Twine &relative) {
  static int anchor;
  llvm::SmallString<256> path(
      llvm::sys::fs::getMainExecutable("auspex", &anchor));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "..", relative);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

llvm::Expected<std::string> auspex::findClang() {
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

std::optional<std::string> auspex::findToolkit() {
  std::string path = "/usr/local/cuda";
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *stated = std::getenv(variable))
      path = stated;
  return isToolkit(path) ? std::optional(path) : std::nullopt;
}

std::vector<std::string>
auspex::cudaFlags(const std::optional<std::string> &toolkit,
                  llvm::ArrayRef<std::string> userFlags, CompilationSide side) {
  bool stated = llvm::any_of(userFlags, [](StringRef flag) {
    return flag.starts_with("--cuda-path") || flag == "-nocudainc";
  });
  if (stated)
    return {};
  if (toolkit) {
    std::vector<std::string> flags{"--cuda-path=" + *toolkit,
                                   "-Wno-unknown-cuda-version",
                                   "--no-cuda-version-check"};
    std::string asNvcc = besideProgram("share/auspex/cuda/auspex_toolkit.h");
    flags.insert(flags.end(), {"-include", asNvcc});
    // Where CUDA 13 has Thrust, CUB and libcu++; nvcc looks there by itself.
    std::string libraries = *toolkit + "/include/cccl";
    if (llvm::sys::fs::is_directory(libraries)) {
      flags.push_back("-isystem");
      flags.push_back(libraries);
    }
    return flags;
  }
  std::string headers = besideProgram("share/auspex/cuda");
  std::vector<std::string> flags{
      "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-include",
      headers + "/auspex_cuda.h", "-idirafter", headers,      "-Xclang",
      "-target-sdk-version=12.8"};
  if (side == CompilationSide::Device)
    flags.push_back("--cuda-feature=+ptx88");
  return flags;
}

llvm::Expected<int> auspex::runCommand(llvm::ArrayRef<std::string> command,
                                       StringRef messages) {
  std::vector<StringRef> arguments(command.begin(), command.end());
  std::optional<StringRef> redirects[3];
  if (!messages.empty())
    redirects[2] = messages;
  std::string problem;
  int code = llvm::sys::ExecuteAndWait(command.front(), arguments, std::nullopt,
                                       redirects, 0, 0, &problem);
  if (!problem.empty())
    return makeInputError({}, "clang does not run: " + problem);
  return code;
}
