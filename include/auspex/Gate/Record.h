// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the gate knows of one predicted launch: what a predictions document or
/// a baseline says about it.
#ifndef AUSPEX_GATE_RECORD_H
#define AUSPEX_GATE_RECORD_H

#include "auspex/Model/Operational.h"

#include <map>

namespace auspex {

/// A remark, as read.
struct FindingRecord {
  std::string id, message;
  SourceLocation location;
  std::map<std::string, double> args;

  /// The number called \p name, or \p otherwise.
  double arg(llvm::StringRef name, double otherwise = 0) const;
};

struct KernelRecord {
  std::string kernel, demangled, gpu, model;
  LaunchConfig launch;
  /// What the source calls arguments of the launch, by symbol, as far as the
  /// document says it; baselines do not.
  std::map<std::string, std::string> argumentNames;
  std::optional<double> timeInUs;
  std::optional<std::pair<double, double>> timeRangeInUs;
  /// The time hangs on nothing unknown.
  bool isCertain() const { return timeInUs && !timeRangeInUs; }
  std::string limiter;
  unsigned activeBlocksPerSM = 0, activeWarpsPerSM = 0, registers = 0;
  std::string occupancyLimiter;
  /// Those that causes are read from.
  std::vector<FindingRecord> findings;
  /// Empty in documents of older versions; in baselines without locations.
  std::vector<AccessVolume> accesses;
  std::vector<LineVolume> lines;
  std::vector<LoopVolume> loops;
  /// What moves between the caches and DRAM, by object; empty in baselines.
  std::vector<ObjectTraffic> traffic;
  /// What the operational model made the time of, if the document has it.
  std::optional<OperationalInput> input;
  Coverage coverage;
  /// Of the kernel; not known without line tables and in baselines.
  SourceLocation location;
  /// The name of the file it is in, without folders; empty if not known.
  std::string source;
  /// Among the launches of kernels of this qualified name on this GPU in its
  /// document, from 0.
  unsigned position = 0;
  /// The document and the line in it.
  Place place;

  /// "ns::k<float>".
  std::string qualifiedName() const;
  /// Whether it is of the kernel that users call \p name, as in --launch.
  bool isCalled(llvm::StringRef name) const;
  const FindingRecord *find(llvm::StringRef id) const;
  /// Two launches of one place in the source may differ in nothing else.
  bool isSameLaunch(const KernelRecord &other) const;
  /// Kernel, GPU and launch: an order that no input order changes.
  bool operator<(const KernelRecord &other) const;
};

/// The number of the baseline's format.
constexpr int64_t BaselineSchemaVersion = 1;

/// One side of a comparison.
struct RecordSet {
  /// As given on the command line.
  std::string path;
  bool isBaseline = false;
  /// Sorted.
  std::vector<KernelRecord> records;
  /// What a person should know about the input.
  std::vector<std::string> notes;

  /// Names, each once.
  std::vector<std::string> gpus() const;
};

/// Reads a predictions document, a baseline, or a folder of predictions
/// documents (*.json, its folders too). The same kernel twice in one document
/// is an error, and so is the same kernel with different numbers in two;
/// kernels of headers that several sources include say the same several times,
/// and are kept once.
llvm::Expected<RecordSet> readRecords(llvm::StringRef path);

/// Lets the places in the source start at \p root, if they are in it.
void makeRelative(RecordSet &set, llvm::StringRef root);

/// Writes what readRecords reads of a baseline: one line a record, without
/// places in the source, so that edits elsewhere leave it as it is.
std::string writeBaseline(const RecordSet &set);

} // namespace auspex

#endif
