// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/KernelNames.h"
#include "auspex/Report/SweepReport.h"
#include "auspex/Support/Table.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;

std::string SweepReport::argumentName(const ArgumentRange &argument) const {
  std::string known = auspex::argumentName(*kernel, argument.name);
  return known.empty() ? argument.name : known;
}

/// Of a Prediction or of a configuration.
template <typename T> static std::string timeText(const T &timed) {
  return formatTimeInUs(timed.timeInUs, timed.timeRangeInUs);
}

/// The time as a share of the base launch's, where both are known.
static std::string ofBase(const SweepReport &sweep,
                          const RankedConfiguration &configuration) {
  const std::optional<double> &base = sweep.result.base.timeInUs;
  if (!base || !configuration.timeInUs)
    return "";
  return formatShare(*configuration.timeInUs / *base);
}

static void writeTable(const SweepReport &sweep, llvm::raw_ostream &os) {
  std::vector<std::string> header{"rank", "block", "grid"};
  for (const ArgumentRange &argument : sweep.space.arguments())
    header.push_back(sweep.argumentName(argument));
  llvm::append_range(header,
                     std::vector<std::string>{"time", "of base", "limiter",
                                              "occupancy", "L2", "DRAM"});
  Table table(std::move(header));
  size_t rank = 0;
  for (const RankedConfiguration &configuration : sweep.result.ranked) {
    LaunchConfig launch = sweep.space.at(configuration.number);
    std::vector<std::string> row{std::to_string(++rank),
                                 launch.block->value.str(),
                                 launch.grid->value.str()};
    for (const ArgumentRange &argument : sweep.space.arguments())
      row.push_back(std::to_string(launch.arguments[argument.name].value));
    llvm::append_range(
        row, std::vector<std::string>{
                 timeText(configuration), ofBase(sweep, configuration),
                 configuration.limiter, formatShare(configuration.occupancy),
                 formatBytes(configuration.l2LoadInBytes +
                             configuration.l2StoreInBytes),
                 formatBytes(configuration.dramLoadInBytes +
                             configuration.dramStoreInBytes)});
    table.add(std::move(row));
  }
  table.print(os);
}

static void writeImpossible(const SweepReport &sweep, llvm::raw_ostream &os) {
  for (const ImpossibleGroup &group : sweep.result.groups) {
    LaunchConfig first = sweep.space.at(group.first.number);
    os << "  impossible: " << group.count << " by " << group.part
       << "; the first, block " << first.block->value.str() << " and grid "
       << first.grid->value.str() << ": " << group.first.reason << '\n';
  }
}

static void writeSweep(const SweepReport &sweep, llvm::raw_ostream &os) {
  const Prediction &base = sweep.result.base;
  const Dim3 &grid = base.launch.grid->value, &block = base.launch.block->value;
  os << base.demangled << " on " << base.gpu << '\n'
     << "  numbers of " << base.gpu << ": " << base.gpuProvenance << '\n'
     << "  base: " << base.launch.originText() << "; " << timeText(base) << ", "
     << base.limiter << '\n'
     << "  " << formatCount(sweep.space.size(), "configuration", 9);
  if (!sweep.space.hasGridRule())
    os << (sweep.space.size() == 1 ? " that covers its " : " that cover its ")
       << grid.x * block.x << "x" << grid.y * block.y << "x" << grid.z * block.z
       << " threads";
  os << ": " << sweep.result.possibleCount << " possible, "
     << sweep.result.impossibleCount << " not\n\n";
  if (!sweep.result.ranked.empty()) {
    writeTable(sweep, os);
    os << '\n';
  }
  writeImpossible(sweep, os);
  for (const std::string &unknown : base.unknowns)
    os << "  open: " << unknown << '\n';
  for (const auto *sentences : {&sweep.result.assumptions, &base.assumptions})
    for (const std::string &assumption : *sentences)
      os << "  assumed: " << assumption << '\n';
}

/// The best of each kernel, the fastest first, if there are several.
static void writeBest(llvm::ArrayRef<SweepReport> sweeps,
                      llvm::raw_ostream &os) {
  std::vector<const SweepReport *> best;
  bool hasSeveral = false;
  for (const SweepReport &sweep : sweeps) {
    hasSeveral |= sweep.kernel->name != sweeps.front().kernel->name;
    if (!sweep.result.ranked.empty() && sweep.result.ranked.front().timeInUs)
      best.push_back(&sweep);
  }
  if (!hasSeveral || best.size() < 2)
    return;
  llvm::stable_sort(best, [](const SweepReport *a, const SweepReport *b) {
    return std::tuple(a->result.base.gpu, *a->result.ranked.front().timeInUs) <
           std::tuple(b->result.base.gpu, *b->result.ranked.front().timeInUs);
  });
  os << "\nthe best of each kernel:\n";
  Table table({"GPU", "kernel", "block", "grid", "time"});
  for (const SweepReport *sweep : best) {
    const RankedConfiguration &first = sweep->result.ranked.front();
    LaunchConfig launch = sweep->space.at(first.number);
    table.add({sweep->result.base.gpu, qualifiedName(sweep->kernel->name),
               launch.block->value.str(), launch.grid->value.str(),
               formatTimeInUs(*first.timeInUs)});
  }
  table.print(os);
}

void auspex::writeSweepsText(llvm::ArrayRef<SweepReport> sweeps,
                             llvm::raw_ostream &os) {
  for (const SweepReport &sweep : sweeps) {
    if (&sweep != sweeps.begin())
      os << '\n';
    writeSweep(sweep, os);
  }
  writeBest(sweeps, os);
}
