// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RFC 4180, with newlines for line ends.
#include "auspex/Report/SweepReport.h"

#include "auspex/Support/Csv.h"
#include "auspex/Support/Json.h"
#include "llvm/ADT/StringExtras.h"

using namespace auspex;

/// The columns that say which configuration it is.
static std::vector<std::string> launchCells(const SweepReport &sweep,
                                            uint64_t number) {
  LaunchConfig launch = sweep.space.at(number);
  std::vector<std::string> cells;
  for (const Dim3 &size : {launch.block->value, launch.grid->value})
    for (unsigned i = 0; i < 3; ++i)
      cells.push_back(std::to_string(size[i]));
  cells.push_back(std::to_string(launch.dynamicShared->value));
  for (const ArgumentRange &argument : sweep.space.arguments())
    cells.push_back(std::to_string(launch.arguments[argument.name].value));
  return cells;
}

static std::vector<std::string>
resultCells(const SweepReport &sweep,
            const RankedConfiguration &configuration) {
  auto number = [](std::optional<double> value) {
    return value ? shortestNumber(*value) : "";
  };
  const auto &range = configuration.timeRangeInUs;
  std::optional<double> relative = configuration.timeInUs;
  if (relative && sweep.result.base.timeInUs)
    *relative /= *sweep.result.base.timeInUs;
  else
    relative.reset();
  return {number(configuration.timeInUs),
          range ? number(range->first) : "",
          range ? number(range->second) : "",
          number(relative),
          configuration.limiter,
          number(configuration.shareOfLimit),
          std::to_string(configuration.activeBlocksPerSM),
          std::to_string(configuration.activeWarpsPerSM),
          number(configuration.occupancy),
          number(configuration.l2LoadInBytes),
          number(configuration.l2StoreInBytes),
          number(configuration.dramLoadInBytes),
          number(configuration.dramStoreInBytes)};
}

static constexpr llvm::StringRef ResultColumns =
    "time_us,time_low_us,time_high_us,relative_to_base,limiter,share_of_limit,"
    "active_blocks_per_sm,active_warps_per_sm,occupancy,l2_load_bytes,"
    "l2_store_bytes,dram_load_bytes,dram_store_bytes";

static void writeImpossible(const SweepReport &sweep,
                            const ImpossibleConfiguration &configuration,
                            llvm::raw_ostream &os) {
  os << csvCell(sweep.result.base.gpu) << ",,"
     << llvm::join(launchCells(sweep, configuration.number), ",") << ','
     << std::string(ResultColumns.count(','), ',') << ','
     << csvCell(configuration.reason) << '\n';
}

static void writeRows(const SweepReport &sweep, llvm::raw_ostream &os) {
  size_t rank = 0;
  for (const RankedConfiguration &configuration : sweep.result.ranked)
    os << csvCell(sweep.result.base.gpu) << ',' << ++rank << ','
       << llvm::join(launchCells(sweep, configuration.number), ",") << ','
       << llvm::join(resultCells(sweep, configuration), ",") << ",\n";
  for (const ImpossibleConfiguration &configuration : sweep.result.impossible)
    writeImpossible(sweep, configuration, os);
  if (sweep.result.impossible.empty())
    for (const ImpossibleGroup &group : sweep.result.groups)
      writeImpossible(sweep, group.first, os);
}

void auspex::writeSweepsCSV(llvm::ArrayRef<SweepReport> sweeps,
                            llvm::raw_ostream &os) {
  os << "gpu,rank,block_x,block_y,block_z,grid_x,grid_y,grid_z,"
        "dynamic_shared";
  if (!sweeps.empty())
    for (const ArgumentRange &argument : sweeps.front().space.arguments())
      os << ',' << csvCell(sweeps.front().argumentName(argument));
  os << ',' << ResultColumns << ",reason\n";
  for (const SweepReport &sweep : sweeps)
    writeRows(sweep, os);
}
