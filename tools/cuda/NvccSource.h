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
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace auspex {

/// \p source as clang takes it, line by line; nothing if it does so anyway.
std::optional<std::string> rewriteForClang(llvm::StringRef source);

/// Has clang read sources that are rewritten in the place of a file and of the
/// headers that it includes, as long as this is there.
class NvccSource {
public:
  /// Headers are those in quotes, beside what includes them or in a folder that
  /// \p flags give (-I, -iquote). An error if what clang is to read cannot be
  /// written. What cannot be read is clang's to complain about.
  static llvm::Expected<NvccSource> rewrite(llvm::StringRef file,
                                            llvm::ArrayRef<std::string> flags);

  /// Empty if clang takes all files as they are.
  std::vector<std::string> flags() const;

private:
  std::vector<TemporaryFile> sources;
  std::optional<TemporaryFile> overlay;
};

} // namespace auspex

#endif
