// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an instruction of the tensor cores multiplies and adds.
#ifndef AUSPEX_LIB_ANALYSIS_TENSORWORK_H
#define AUSPEX_LIB_ANALYSIS_TENSORWORK_H

#include "auspex/Kernel/InstructionMix.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>

namespace auspex {

/// The work of one warp, in units of its class: products of 16x8x8 halves.
struct TensorWork {
  InstructionClass id;
  double count;
};

/// Of an instruction in PTX or an intrinsic: "mma" and "sync", "aligned",
/// "m16n8k16", "row", "col", "f32", "bf16", "bf16", "f32". None for what
/// multiplies no matrices or has its shape elsewhere, as tcgen05.mma has.
std::optional<TensorWork> tensorWork(llvm::StringRef instruction,
                                     llvm::ArrayRef<llvm::StringRef> words);

} // namespace auspex

#endif
