// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the user asked for, taken apart with clang's own table of options.
#ifndef AUSPEX_TOOLS_CUDA_COMMANDLINE_H
#define AUSPEX_TOOLS_CUDA_COMMANDLINE_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace auspex {

/// Something on the command line that has a place in the link: a file, or a
/// flag for the linker.
struct LinkItem {
  enum class Kind { CudaSource, Source, Object, Flag };
  Kind kind = Kind::Flag;
  /// The file, or the words of the flag.
  std::vector<std::string> words;
  /// Of a source, as -x gave it; empty: by its ending.
  std::string language;

  const std::string &file() const { return words.front(); }
};

struct CommandLine {
  /// What it all ends in.
  enum class Goal {
    /// A program or shared library.
    Link,
    /// Objects (-c).
    Compile,
    /// The device's code of all objects in one (-dlink), for builds that link
    /// with another program.
    DeviceLink,
    /// Something that has no device code in it (-E, -S, --version ...), which
    /// is left to clang.
    Other,
  };
  Goal goal = Goal::Link;
  std::vector<LinkItem> items;
  /// Flags for compiling, of both sides (the link gets them too: some of them
  /// decide about libraries); those that only the host's side takes (-g, -MD
  /// ...); and those for linking without a place of their own.
  std::vector<std::string> compileFlags, hostFlags, linkFlags;
  /// -o; empty if not given.
  std::string output;
  /// "sm_80".
  std::string arch;
  /// The architectures that are left out.
  std::vector<std::string> otherArchs;
  bool isRelocatable = false;
  /// The device's code is optimised whatever the host's is.
  bool isOptimized = false;
  /// -###, -v: show the commands; the first runs none.
  bool isDryRun = false, isVerbose = false;

  bool hasCuda() const;
};

/// \p arguments are clang's, without the program; -dlink is not.
llvm::Expected<CommandLine>
parseCommandLine(const std::vector<std::string> &arguments, bool isDeviceLink);

} // namespace auspex

#endif
