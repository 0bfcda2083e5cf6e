// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Launches as some editors format them: `k << <grid, block >> > (x)`. nvcc
/// takes them for what they are meant to be, clang does not.
#ifndef AUSPEX_TOOLS_CUDA_LAUNCHBRACKETS_H
#define AUSPEX_TOOLS_CUDA_LAUNCHBRACKETS_H

#include "auspex/Support/TemporaryFile.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace auspex {

/// \p source with the brackets of its launches joined, everything else in its
/// place; nothing if none are apart.
std::optional<std::string> withJoinedBrackets(llvm::StringRef source);

/// Has clang read a source with joined brackets in the place of a file, as long
/// as this is there.
class LaunchBrackets {
public:
  /// An error if what clang is to read cannot be written. A \p file that cannot
  /// be read is clang's to complain about.
  static llvm::Expected<LaunchBrackets> join(llvm::StringRef file);

  /// Empty if the file has no such launches.
  std::vector<std::string> flags() const;

private:
  std::optional<TemporaryFile> source, overlay;
};

} // namespace auspex

#endif
