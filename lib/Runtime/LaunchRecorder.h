// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Gathers what the launches of a program did, by groups of launches that are
/// alike, and writes it down when the program ends, however it ends.
#ifndef AUSPEX_LIB_RUNTIME_LAUNCHRECORDER_H
#define AUSPEX_LIB_RUNTIME_LAUNCHRECORDER_H

#include "auspex/Kernel/DynamicProfile.h"
#include "auspex/Kernel/KernelSummary.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace auspex {

class LaunchRecorder {
public:
  /// Records if \p path is not empty.
  explicit LaunchRecorder(std::string path);
  ~LaunchRecorder();

  bool isOn() const { return !path.empty(); }

  /// A launch that ran to its end. \p parameters is the buffer it was given,
  /// \p offsets says where in it each parameter is; \p summary stays.
  void record(const KernelSummary &summary, const LaunchShape &shape,
              uint64_t dynamicSharedInBytes, llvm::ArrayRef<char> parameters,
              llvm::ArrayRef<uint64_t> offsets, const DynamicProfile &profile);

  /// Writes the record as it is now. Later calls replace it.
  void write();

private:
  std::string path;
  struct Groups;
  std::unique_ptr<Groups> groups;
};

} // namespace auspex

#endif
