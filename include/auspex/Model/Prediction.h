// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a model says about one launch of one kernel: plain values that the
/// renderers print. It is the same whether it ends as a remark, a line of text
/// or JSON.
#ifndef AUSPEX_MODEL_PREDICTION_H
#define AUSPEX_MODEL_PREDICTION_H

#include "auspex/HW/Occupancy.h"
#include "auspex/Kernel/BoundKernel.h"
#include "auspex/Model/MemoryTraffic.h"
#include "auspex/Model/SharedAtomics.h"
#include "auspex/Model/Values.h"

namespace auspex {

/// One shared unit of the GPU, or one latency, and how busy it is.
struct Station {
  std::string name;
  /// SM cycles that one warp's life asks of it.
  double demandInCycles = 0;
  /// Share of the time it is busy, in [0, 1]; 0 for a pure delay.
  double utilization = 0;
  /// A latency that warps wait through side by side, not a queue.
  bool isDelay = false;
};

/// What would be gained if one thing were ideal.
struct Benefit {
  std::string id, description;
  double gainInUs = 0;
};

/// A change the user can make, evaluated by the operational model
/// (docs/fixes.md).
struct Fix {
  /// The kind of change; and what to do, with numbers.
  std::string id, description;
  SourceLocation location;
  /// The launch to make, if that is the change.
  std::optional<LaunchConfig> launch;
  /// The launch with it, and by how much that is less than without.
  double timeInUs = 0, gainInUs = 0;
};

/// One fact or piece of advice about a place in the source. The name is that of
/// the remark.
struct Finding {
  enum class Kind { Analysis, Missed };
  std::string id;
  Kind kind = Kind::Analysis;
  SourceLocation location;
  std::string message;
  /// Numbers of the message by CamelCase name.
  NamedValues args;
  /// Predicted gain of following the advice; 0 for facts.
  double gainInUs = 0;
  /// The reason in the source for which it is not to be shown.
  std::string ignoredBecause;
};

/// What the accesses at one place of the source do in the launch.
struct AccessVolume {
  SourceLocation location;
  AccessKind kind = AccessKind::Load;
  MemorySpace space = MemorySpace::Global;
  /// The operation of an atomic.
  std::string operation;
  unsigned bytesPerLane = 0;
  /// As in ObjectTraffic; empty if it is not known.
  std::string object, argument;
  bool isKnown = false;
  /// Sums over the launch.
  RequestCounts counts;
};

/// The machine instructions of one line of the source, mean over the warps of
/// the launch.
struct LineVolume {
  SourceLocation location;
  InstructionMix instructions;
};

/// A loop of the machine code.
struct LoopVolume {
  SourceLocation location;
  /// How often a warp runs the body, mean over the launch.
  double iterations = 0;
  /// Iterations of the source that one of the machine code does.
  unsigned unroll = 1;
};

struct Coverage {
  /// Shares in [0, 1] of memory accesses with an address and of loops with a
  /// trip count.
  double accesses = 1, loops = 1;
};

struct Prediction {
  std::string kernel, demangled;
  SourceLocation location;
  std::string gpu;
  /// The GPU's name and whose numbers it borrows, for people.
  std::string gpuProvenance;
  LaunchConfig launch;
  /// What the source calls those of its arguments that have a name there, by
  /// symbol.
  std::vector<std::pair<std::string, std::string>> argumentNames;
  std::string model;
  /// Where it hangs on something unknown, what is expected, and the range;
  /// nothing if there is no upper end.
  std::optional<double> timeInUs;
  std::optional<std::pair<double, double>> timeRangeInUs;
  /// The station or delay with the largest effect, and how close the launch
  /// comes to what it allows at best, in [0, 1].
  std::string limiter;
  double shareOfLimit = 0;
  /// The least time each station alone would take, by name, in us.
  NamedValues bounds;
  std::vector<Station> stations;
  std::vector<Benefit> benefits;
  std::vector<Fix> fixes;
  std::vector<Finding> findings;
  /// Where the demands come from: places that run, in the order of the code.
  std::vector<AccessVolume> accesses;
  std::vector<LineVolume> lines;
  std::vector<LoopVolume> loops;
  /// What moves between the levels of memory.
  MemoryTraffic traffic;
  /// How busy the units for atomics on shared memory are, if there are any.
  /// Addresses that come from data are spread evenly.
  std::optional<SharedAtomicsOutput> sharedAtomics;
  /// What went into each model, by its name.
  std::vector<std::pair<std::string, NamedValues>> inputs;
  /// What came out of the seed models, by their names.
  std::vector<std::pair<std::string, NamedValues>> outputs;
  /// Of an executed instruction, mean over the launch; in [0, 32].
  double activeLanes = 32;
  /// Sentences: what was taken for granted, and what is open and makes the time
  /// a range or unknown.
  std::vector<std::string> assumptions, unknowns;
  Coverage coverage;
  Occupancy occupancy;
  unsigned registers = 0;
  RegisterOrigin registerOrigin = RegisterOrigin::Estimated;
};

} // namespace auspex

#endif
