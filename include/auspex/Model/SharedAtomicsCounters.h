// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The model of atomics on shared memory on counters of a profiler instead of
/// plain numbers: the second tool of the paper (section 3.4).
#ifndef AUSPEX_MODEL_SHAREDATOMICSCOUNTERS_H
#define AUSPEX_MODEL_SHAREDATOMICSCOUNTERS_H

#include "auspex/Model/SharedAtomics.h"

namespace auspex {

/// One profiled launch.
struct ProfiledKernel {
  std::string id, kernel;
  SharedAtomicsInput input;
};

/// What a profiler cannot tell: whether the fetch-and-op instructions it
/// counted are POPC.INC.
enum class CountedAs { FetchAndOp, PopcInc };

/// Reads what `ncu --csv` prints, with or without `--page raw`; lines before
/// the header are skipped. Launches without atomics on shared memory are left
/// out. \p gpu has the number of SMs and the tables. The error names the line
/// and what is missing.
llvm::Expected<std::vector<ProfiledKernel>>
readCounters(llvm::StringRef csv, llvm::StringRef fileName, const GPU &gpu,
             CountedAs countedAs);

} // namespace auspex

#endif
