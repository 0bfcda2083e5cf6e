// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A snapshot is device code as bitcode, exactly as the analysis looked at it,
/// together with what it found: the blocks of a kernel are those of its
/// summary, in the same order. The Analysis room writes it, the Emulator room
/// runs it, and so both count the same things.
#ifndef AUSPEX_KERNEL_SNAPSHOTMETADATA_H
#define AUSPEX_KERNEL_SNAPSHOTMETADATA_H

#include "llvm/ADT/StringRef.h"

namespace auspex {

/// The name of the metadata that gives an instruction the index of its (first)
/// access in the kernel summary: !{i32 3}. An instruction without it makes no
/// access that the summary has; where no instruction of a kernel has it,
/// accesses are numbered in the order of the code.
constexpr llvm::StringLiteral AccessMetadata = "auspex.access";

/// The name of the module's metadata that holds the summary document
/// (writeSummaries): !{!"{...}"}.
constexpr llvm::StringLiteral SummariesMetadata = "auspex.summaries";

} // namespace auspex

#endif
