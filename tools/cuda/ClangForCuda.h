// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where clang is, where CUDA is, and how the one is told of the other: for
/// every program here that runs clang on CUDA sources.
#ifndef AUSPEX_TOOLS_CUDA_CLANGFORCUDA_H
#define AUSPEX_TOOLS_CUDA_CLANGFORCUDA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace auspex {

/// A path next to the folder this program is in: "lib", "share/auspex/cuda".
std::string besideProgram(const llvm::Twine &relative);

/// clang++ of the LLVM that Auspex was built with: the plugin fits no other.
llvm::Expected<std::string> findClang();

/// The toolkit that CUDA_PATH or CUDA_HOME names (none, where it is set and
/// empty), or /usr/local/cuda. Headers and libdevice suffice.
std::optional<std::string> findToolkit();

/// The oldest architecture that clang compiles for.
constexpr unsigned OldestArch = 30;

/// How clang finds CUDA: in the toolkit that \p userFlags name, in \p toolkit,
/// or in the small headers that come with Auspex where there is none. Nothing
/// with -nocudainc among \p userFlags.
std::vector<std::string> cudaFlags(const std::optional<std::string> &toolkit,
                                   llvm::ArrayRef<std::string> userFlags);

/// Runs \p command, whose first word is the program, and waits. The exit code;
/// an error if it does not run. What it writes to stderr goes to the file \p
/// messages, if there is one.
llvm::Expected<int> runCommand(llvm::ArrayRef<std::string> command,
                               llvm::StringRef messages = "");

} // namespace auspex

#endif
