// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which launch of one side is which of the other, through renames of
/// parameters, other types, other blocks.
#ifndef AUSPEX_GATE_MATCHING_H
#define AUSPEX_GATE_MATCHING_H

#include "auspex/Gate/Record.h"

namespace auspex {

/// One launch on both sides; one of them is null if there is no counterpart.
struct RecordPair {
  const KernelRecord *base = nullptr, *head = nullptr;

  const KernelRecord &any() const { return head ? *head : *base; }
  /// What differs in signature and launch, in words: "block 256x1x1 -> 32x1x1".
  std::vector<std::string> differences() const;
};

/// Pairs in passes; each takes what the ones before left:
///   1. mangled name, GPU and launch;
///   2. qualified name without parameter types, GPU, file, and position among
///      the launches of that kernel in its file;
///   3. the same without the position and the file, in order;
///   4. the same without template arguments;
///   5. the same without namespaces and classes, where only one kernel is left
///      of that name on either side.
/// What is left is alone in its pair. Sorted by kernel, GPU and launch.
std::vector<RecordPair> matchRecords(llvm::ArrayRef<KernelRecord> base,
                                     llvm::ArrayRef<KernelRecord> head);

} // namespace auspex

#endif
