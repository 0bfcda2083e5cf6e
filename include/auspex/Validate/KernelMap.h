// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From a measured record to the launch to predict: by the record's own fields,
/// and by a map file where they do not say all. docs/validate.md describes map
/// files.
#ifndef AUSPEX_VALIDATE_KERNELMAP_H
#define AUSPEX_VALIDATE_KERNELMAP_H

#include "auspex/Expr/Expr.h"
#include "auspex/HW/Clocks.h"
#include "auspex/Kernel/LaunchConfig.h"
#include "auspex/Validate/Measurement.h"

namespace auspex {

/// What a record asks to predict.
struct MeasuredLaunch {
  /// The file and the line of the record.
  Place place;
  /// The kernel and the GPU as the record names them, or as the map does.
  std::string kernel, gpu;
  /// The time that was measured.
  double measuredInUs = 0;
  /// The name or path of the file with the kernel; empty if neither record nor
  /// map say one. mapFolder is where the map's paths start, if it is the map's.
  std::string source, mapFolder;
  /// For clang: -D and others.
  std::vector<std::string> flags;
  /// Its kernel is the one to look for in the source.
  LaunchConfig launch;
  /// Its registers are those of the compiled kernel, not what a map states.
  bool areRegistersRecorded = false;
  /// Fields of the problem with integer values: arguments, where the kernel has
  /// integers of such names.
  std::map<std::string, int64_t> problem;
  /// Bytes a block, and bytes of local memory a thread, if the record has them.
  std::optional<uint64_t> staticShared, local;
  /// What a profiler counted, of profilerMetrics(), by their ids.
  std::map<std::string, double> counters;
  Clocks clocks;
  /// Why it cannot be predicted; empty if nothing is known against it.
  std::string problemText;
};

/// What map files say. Without any the records speak for themselves.
class KernelMap {
public:
  /// Adds the entries of a map file behind those there are.
  llvm::Error addFile(llvm::StringRef path);
  llvm::Error addDocument(const Node &document);

  /// Reads a record with the help of the first entry that matches it. An error
  /// for what is wrong with the record itself: no GPU, no time, a size that is
  /// none. What the map cannot make of it is its problemText.
  llvm::Expected<MeasuredLaunch> interpret(const Measurement &record) const;

  /// The fields that entries match records by, each with the first entry that
  /// does: a misspelt one that no record has keeps its entry from all of them.
  std::map<std::string, Place> matchedFields() const;

private:
  /// A number made of fields.
  struct Number {
    Expr expr;
    Place place;
  };
  /// Text with fields or numbers between braces.
  struct Template {
    std::string text;
    Place place;
  };
  /// The time as work over a rate.
  struct Rate {
    std::string field;
    double perSecond = 1;
    Number work;
  };
  struct Entry {
    Place place;
    /// Fields and the values they may have.
    std::vector<std::pair<std::string, std::vector<std::string>>> match;
    std::string leaveOut;
    std::string folder;
    std::optional<Template> source, kernel, gpu;
    /// Without a text, the macro is not defined.
    std::vector<std::pair<std::string, std::optional<Template>>> defines;
    std::vector<Template> flags;
    std::vector<Number> grid, block;
    /// Numbers of a launch by their keys in launches files.
    std::vector<std::pair<std::string, Number>> numbers;
    std::optional<bool> warmL2;
    std::optional<std::vector<std::pair<std::string, Number>>> args;
    std::optional<Number> core, memory;
    std::optional<Rate> rate;
  };

  std::vector<Entry> entries;
  /// Other names of GPUs; none for those to leave out.
  std::map<std::string, std::optional<std::string>> gpus;

  class Interpreter;
  class EntryReader;
};

} // namespace auspex

#endif
