// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Records to compare.
#ifndef AUSPEX_TEST_UNIT_GATE_RECORDS_H
#define AUSPEX_TEST_UNIT_GATE_RECORDS_H

#include "auspex/Gate/Gate.h"
#include "llvm/Demangle/Demangle.h"

namespace auspex {

inline KernelRecord makeRecord(llvm::StringRef mangled, double timeInUs,
                               int64_t block = 256, unsigned position = 0) {
  KernelRecord record;
  record.kernel = mangled.str();
  record.demangled = llvm::demangle(record.kernel);
  record.gpu = "A100-40GB";
  record.model = "operational";
  record.timeInUs = timeInUs;
  record.launch.grid = {{80, 1, 1}, LaunchOrigin::Source};
  record.launch.block = {{block, 1, 1}, LaunchOrigin::Source};
  record.position = position;
  record.source = "k.cu";
  return record;
}

inline RecordSet makeSet(std::vector<KernelRecord> records) {
  RecordSet set;
  set.path = "set.json";
  set.records = std::move(records);
  llvm::sort(set.records);
  return set;
}

} // namespace auspex

#endif
