// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What nvcc takes in a source and clang does not, as clang takes it:
///
///   k << <grid, block >> > (x)     as some editors format launches
///   k<<<grid, {32, 8}>>>(x)        braces where a dim3 is expected
///   extern __shared__ float s[64]  the size of a launch, whatever stands there
///   asm("mov.u32 %0, %smid;" : ...)  one % before a register with a name
#ifndef AUSPEX_TOOLS_CUDA_NVCCSOURCE_H
#define AUSPEX_TOOLS_CUDA_NVCCSOURCE_H

#include "auspex/Support/TemporaryFile.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace auspex {

/// \p source as clang takes it, line by line; nothing if it does so anyway.
std::optional<std::string> rewriteForClang(llvm::StringRef source);

/// Has clang read a source that is rewritten in the place of a file, as long as
/// this is there.
class NvccSource {
public:
  /// An error if what clang is to read cannot be written. A \p file that cannot
  /// be read is clang's to complain about.
  static llvm::Expected<NvccSource> rewrite(llvm::StringRef file);

  /// Empty if clang takes the file as it is.
  std::vector<std::string> flags() const;

private:
  std::optional<TemporaryFile> source, overlay;
};

} // namespace auspex

#endif
