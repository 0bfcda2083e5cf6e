// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// compare-run RECORD: for each group of launches of a run record, what the
/// summary's expressions say of its blocks, accesses and branches, and what
/// Footprint counts of its objects, against what the emulator counted. Prints a
/// line a group and one for each difference; exits with 1 if something that the
/// expressions claim to know differs.
#include "auspex/Kernel/BoundKernel.h"
#include "auspex/Kernel/KernelNames.h"
#include "auspex/Kernel/RunRecord.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace auspex;

namespace {

/// Counts by what they are of: "accesses".
struct Tally {
  unsigned agree = 0, unknown = 0, sampled = 0, differ = 0;
};

class Comparison {
public:
  Comparison(const KernelSummary &summary, const LaunchGroup &group,
             const GPU &gpu)
      : summary(summary), group(group),
        bound(bind(summary, group.launch, gpu, Scenario::Low)) {}

  /// False if something differs.
  bool print(llvm::raw_ostream &os) {
    compareBlocks();
    compareAccesses();
    compareBranches();
    compareFootprints();
    os << qualifiedName(summary.name) << ' ' << bound.shape.grid.str() << ' '
       << bound.shape.block.str();
    bool isSame = true;
    for (const auto &[what, tally] : tallies) {
      os << "; " << what << ": " << tally.agree << " agree";
      if (tally.unknown)
        os << ", " << tally.unknown << " unknown";
      if (tally.sampled)
        os << ", " << tally.sampled << " sampled";
      if (tally.differ)
        os << ", " << tally.differ << " differ";
      isSame &= tally.differ == 0;
    }
    os << '\n' << text;
    return isSame;
  }

private:
  const KernelSummary &summary;
  const LaunchGroup &group;
  BoundKernel bound;
  std::map<std::string, Tally> tallies;
  std::string text;

  double perLaunch(double count) const {
    return count / static_cast<double>(group.times);
  }

  /// Expected and seen values by name; the first difference is told.
  using Values = std::vector<std::tuple<const char *, double, double>>;
  void compare(const std::string &kind, const std::string &what, bool isKnown,
               const Values &values) {
    Tally &tally = tallies[kind];
    for (const auto &[name, expected, seen] : values) {
      if (expected == perLaunch(seen))
        continue;
      if (!isKnown) {
        ++tally.unknown;
        return;
      }
      // Estimates, and said to be.
      if (!bound.isExact) {
        ++tally.sampled;
        return;
      }
      ++tally.differ;
      llvm::raw_string_ostream(text)
          << "  " << what << ": " << name << ": " << expected << " expected, "
          << perLaunch(seen) << " seen\n";
      return;
    }
    ++tally.agree;
  }

  /// Those that are null are on record.
  bool isPointer(llvm::StringRef symbol) const {
    size_t index = 0;
    return symbol.consume_front("arg") && !symbol.getAsInteger(10, index) &&
           index < summary.arguments.size() &&
           summary.arguments[index].kind == Argument::Kind::Pointer;
  }

  /// Nothing was left to the scenario.
  bool isDecided(unsigned block) const {
    auto isOpen = [&](const MaybeExpr &value) {
      bool open = !value.isKnown();
      value.expr.forEachSymbol([&](llvm::StringRef name) {
        open |= name.starts_with("data") ||
                (name.starts_with("arg") && !isPointer(name) &&
                 !group.launch.arguments.count(name.str()));
      });
      return open;
    };
    if (isOpen(summary.blocks[block].guard))
      return false;
    for (int loop = summary.blocks[block].loop; loop >= 0;
         loop = summary.loops[loop].parent)
      if (isOpen(summary.loops[loop].tripCount))
        return false;
    return true;
  }

  void compareBlocks() {
    for (size_t i = 0; i < summary.blocks.size(); ++i) {
      const BlockProfile &seen = group.profile.blocks[i];
      compare("blocks", "block " + summary.blocks[i].name, isDecided(i),
              {{"warps", bound.blocks[i].warpExecutions,
                static_cast<double>(seen.warpExecutions)},
               {"lanes", bound.blocks[i].laneExecutions,
                static_cast<double>(seen.laneExecutions)}});
    }
  }

  void compareAccesses() {
    for (size_t i = 0; i < summary.accesses.size(); ++i) {
      const Access &access = summary.accesses[i];
      const RequestCounts &expected = bound.accesses[i].counts;
      const RequestCounts &seen = group.profile.accesses[i].counts;
      bool isGlobal = access.space == MemorySpace::Global;
      Values values{{"requests", expected.requests, seen.requests},
                    {"lanes", expected.lanes, seen.lanes}};
      if (isGlobal) {
        values.emplace_back("sectors", expected.sectors, seen.sectors);
        values.emplace_back("lines", expected.lines, seen.lines);
        values.emplace_back("fewest sectors", expected.fewestSectors,
                            seen.fewestSectors);
      }
      if (access.space == MemorySpace::Shared) {
        values.emplace_back("bank passes", expected.bankPasses,
                            seen.bankPasses);
        values.emplace_back("lanes on one bank", expected.lanesOnBank,
                            seen.lanesOnBank);
      }
      if (access.kind == AccessKind::Atomic)
        values.emplace_back("lanes on one address", expected.sameAddress,
                            seen.sameAddress);
      compare("accesses",
              toString(access.kind).str() + " at " + access.location.str(),
              bound.accesses[i].isKnown && isDecided(access.block), values);
    }
  }

  void compareBranches() {
    for (size_t i = 0; i < summary.branches.size(); ++i) {
      const Branch &branch = summary.branches[i];
      const BlockProfile &seen = group.profile.blocks[branch.block];
      compare("branches", "branch at " + branch.location.str(),
              bound.branches[i].isKnown && isDecided(branch.block),
              {{"warps", bound.branches[i].executions,
                static_cast<double>(seen.warpExecutions)},
               {"divergent", bound.branches[i].divergent,
                static_cast<double>(seen.divergent)}});
    }
  }

  class ObjectFootprint;
  void compareFootprints();
};

/// The sectors of one object, by Footprint.
class Comparison::ObjectFootprint {
public:
  ObjectFootprint(const Comparison &comparison, llvm::StringRef name)
      : grid(comparison.bound.shape.grid) {
    const BoundKernel &bound = comparison.bound;
    for (auto [access, found] :
         llvm::zip(comparison.summary.accesses, bound.accesses)) {
      if (access.space != MemorySpace::Global || access.base != name)
        continue;
      bool isDecided = comparison.isDecided(access.block);
      if (isDecided && found.counts.requests == 0)
        continue;
      isKnown &= isDecided && found.isKnown && found.pattern.has_value();
      if (isKnown)
        patterns.push_back(*found.pattern);
    }
  }

  bool isKnown = true;

  /// Distinct sectors of every \p blocks blocks, in launch order, summed.
  double countEvery(int64_t blocks) {
    double sum = 0;
    for (int64_t first = 0; first < grid.count(); first += blocks) {
      AddressSet set;
      for (const BlockBox &box : blocksInOrder(grid, first, blocks))
        for (const AccessPattern &pattern : patterns)
          isKnown &= pattern.append(box, pattern.iterations(), set).has_value();
      std::optional<int64_t> sectors = countUnits(set, 32);
      isKnown &= sectors.has_value();
      sum += static_cast<double>(sectors.value_or(0));
    }
    return sum;
  }

private:
  Dim3 grid;
  std::vector<AccessPattern> patterns;
};

void Comparison::compareFootprints() {
  // Memory that two arguments lead to is one object of the run.
  std::map<llvm::StringRef, const ObjectProfile *> seen;
  for (const ObjectProfile &object : group.profile.objects)
    seen[object.name] = &object;
  bool isApart = llvm::all_of(bound.objects, [&](const BoundObject &object) {
    return seen.contains(object.name);
  });
  for (const BoundObject &object : bound.objects) {
    if (!seen.contains(object.name)) {
      ++tallies["footprints"].unknown;
      continue;
    }
    ObjectFootprint footprint(*this, object.name);
    double newInBlocks = 0;
    for (auto [access, found] :
         llvm::zip(summary.accesses, group.profile.accesses))
      if (access.base == object.name)
        newInBlocks += static_cast<double>(found.newSectorsInBlock);
    const ObjectProfile &ran = *seen[object.name];
    auto blocksPerWave = static_cast<int64_t>(group.profile.blocksPerWave);
    Values values{{"sectors in blocks", footprint.countEvery(1), newInBlocks},
                  {"sectors in waves", footprint.countEvery(blocksPerWave),
                   static_cast<double>(ran.sectorsInWaves)},
                  {"sectors in the launch",
                   footprint.countEvery(bound.shape.grid.count()),
                   static_cast<double>(ran.sectorsInLaunch)}};
    compare("footprints", object.name, isApart && footprint.isKnown, values);
  }
}

llvm::Expected<bool> compareAll(llvm::StringRef path) {
  auto document = loadDocument(path);
  if (!document)
    return document.takeError();
  auto record = readRunRecord(*document);
  if (!record)
    return record.takeError();
  auto gpu = findGPU(record->gpu);
  if (!gpu)
    return gpu.takeError();
  bool isSame = true;
  for (const LaunchGroup &group : record->launches)
    isSame &= Comparison(*record->find(group.launch.kernel), group, *gpu)
                  .print(llvm::outs());
  return isSame;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: compare-run RECORD\n";
    return 2;
  }
  llvm::Expected<bool> isSame = compareAll(argv[1]);
  if (!isSame) {
    llvm::errs() << "error: " << llvm::toString(isSame.takeError()) << '\n';
    return 2;
  }
  return *isSame ? 0 : 1;
}
