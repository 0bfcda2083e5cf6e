// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Gathers what the launches of a program did, by groups of launches that are
/// alike, and writes it down when the program ends, however it ends: by exit,
/// by SIGINT or SIGTERM, or after a fault, when some programs call abort().
#ifndef AUSPEX_LIB_RUNTIME_LAUNCHRECORDER_H
#define AUSPEX_LIB_RUNTIME_LAUNCHRECORDER_H

#include "auspex/Emulator/Emulator.h"
#include "auspex/Kernel/RunRecord.h"
#include "llvm/ADT/StringMap.h"

namespace auspex {

class LaunchRecorder {
public:
  /// Records if \p path is not empty.
  explicit LaunchRecorder(std::string path) : path(std::move(path)) {}

  bool isOn() const { return !path.empty(); }

  void setGpu(llvm::StringRef name) { contents.gpu = name.str(); }

  /// What a variable of the device holds, and where its integers are, as
  /// Program says.
  struct Variable {
    std::string name;
    llvm::ArrayRef<char> bytes;
    std::map<uint64_t, uint64_t> integers;
  };
  /// What a launch is given: a buffer, where in it each parameter is, and the
  /// variables of the summary.
  struct Input {
    llvm::ArrayRef<char> parameters;
    llvm::ArrayRef<Program::KernelInfo::Parameter> layout;
    std::vector<Variable> variables = {};
  };

  /// A launch that ran to its end, or was stopped. \p summary stays.
  void record(const KernelSummary &summary, const LaunchShape &shape,
              uint64_t dynamicSharedInBytes, const Input &input,
              const DynamicProfile &profile);

  /// A copy or the like has used memory of the device.
  void noteOtherWork() { last.reset(); }

  /// Launches so far.
  uint64_t count() const { return launches; }

  /// A full sentence about why something is missing.
  void addProblem(std::string problem);

  /// Writes the record as it is now, if there is something new in it.
  void write();

private:
  std::string path;
  bool isNew = true;
  RunRecord contents;
  uint64_t launches = 0;
  llvm::StringMap<std::vector<size_t>> groupsOfKey;
  llvm::StringMap<bool> knownKernels;
  bool isToldOfNearest = false;
  /// The launch before, unless other work came in between: its group, and the
  /// pointers that it was given, sorted.
  struct Last {
    size_t group;
    std::vector<int64_t> pointers;
  };
  std::optional<Last> last;
  /// How many launches of each group followed another one of it, with the same
  /// pointers in any order.
  std::vector<uint64_t> repeated;

  LaunchGroup &findGroup(const LaunchConfig &launch,
                         const DynamicProfile &profile);
};

} // namespace auspex

#endif
