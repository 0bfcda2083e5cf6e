// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ClangForCuda.h"

#include "auspex/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

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
                  llvm::ArrayRef<std::string> userFlags) {
  if (llvm::is_contained(userFlags, "-nocudainc"))
    return {};
  std::optional<std::string> path = toolkit;
  for (StringRef flag : userFlags)
    if (flag.consume_front("--cuda-path="))
      path = flag.str();
  auto configuration = [](StringRef name) {
    return "--config=" + besideProgram("share/auspex/cuda/" + name);
  };
  if (!path)
    return {configuration("without-toolkit.cfg")};
  std::vector<std::string> flags{configuration("with-toolkit.cfg"),
                                 "--cuda-path=" + *path};
  // Where CUDA 13 has Thrust, CUB and libcu++; nvcc looks there by itself.
  std::string libraries = *path + "/include/cccl";
  if (llvm::sys::fs::is_directory(libraries))
    llvm::append_values(flags, "-isystem", libraries);
  return flags;
}

/// In the child: never comes back.
[[noreturn]] static void become(const std::vector<char *> &words,
                                const char *messages) {
#ifdef __linux__
  // It would write its results after they were removed.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
  int file = messages ? open(messages, O_WRONLY | O_TRUNC) : -1;
  if (file >= 0)
    dup2(file, STDERR_FILENO);
  execv(words.front(), words.data());
  constexpr int CannotRun = 127;
  _exit(CannotRun);
}

llvm::Expected<int> auspex::runCommand(llvm::ArrayRef<std::string> command,
                                       StringRef messages) {
  auto doesNotRun = [&](const std::string &why) {
    return makeInputError({}, "clang does not run: " + why);
  };
  if (!llvm::sys::fs::can_execute(command.front()))
    return doesNotRun("'" + command.front() + "' is no program");
  std::vector<char *> words;
  for (const std::string &word : command)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  std::string file = messages.str();
  pid_t child = fork();
  if (child == 0)
    become(words, file.empty() ? nullptr : file.c_str());
  int status = 0;
  if (child < 0 ||
      llvm::sys::RetryAfterSignal(-1, waitpid, child, &status, 0) < 0)
    return doesNotRun(strerror(errno));
  if (WIFSIGNALED(status))
    return doesNotRun(strsignal(WTERMSIG(status)));
  return WEXITSTATUS(status);
}
