// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PredictionJSON.h"
#include "auspex/Kernel/ProfileStatistics.h"
#include "auspex/Report/PredictionReport.h"
#include "auspex/Report/RunReport.h"
#include "auspex/Support/Json.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;
using llvm::json::OStream;

static void writeCounts(OStream &out, const AccessProfile &ran,
                        llvm::StringRef space, bool isAtomic) {
  const RequestCounts &counts = ran.counts;
  writeNumber(out, "requests", counts.requests);
  writeNumber(out, "lanes", counts.lanes);
  if (space == toString(MemorySpace::Texture))
    return;
  writeNumber(out, "sectors", counts.sectors);
  writeNumber(out, "fewestSectors", counts.fewestSectors);
  writeNumber(out, "lines", counts.lines);
  writeNumber(out, "bankPasses", counts.bankPasses);
  writeNumber(out, "fewestBankPasses", counts.fewestBankPasses);
  out.attribute("newSectorsInBlock",
                static_cast<int64_t>(ran.newSectorsInBlock));
  if (!isAtomic)
    return;
  writeNumber(out, "sameAddress", counts.sameAddress);
  writeNumber(out, "lanesOnBank", counts.lanesOnBank);
  out.attributeArray("byMultiplicity", [&] {
    for (uint64_t warps : ran.byMultiplicity)
      out.value(static_cast<int64_t>(warps));
  });
}

static void writeAccess(OStream &out, const Access &access,
                        const AccessProfile &ran) {
  out.object([&] {
    writePlace(out, access.location);
    out.attribute("kind", toString(access.kind));
    out.attribute("space", toString(access.space));
    writeText(out, "base", access.base);
    writeCounts(out, ran, toString(access.space),
                access.kind == AccessKind::Atomic);
  });
}

static void writeAccess(OStream &out, const CalleeAccess &access) {
  out.object([&] {
    writePlace(out, {access.file,
                     static_cast<unsigned>(access.line),
                     static_cast<unsigned>(access.column),
                     {}});
    writeText(out, "function", access.function);
    out.attribute("kind", access.kind);
    out.attribute("space", access.space);
    writeCounts(out, access.profile, access.space,
                access.kind == toString(AccessKind::Atomic));
  });
}

static void writeBranch(OStream &out, const Branch &branch,
                        const BlockProfile &ran) {
  out.object([&] {
    writePlace(out, branch.location);
    out.attribute("warps", static_cast<int64_t>(ran.warpExecutions));
    out.attribute("divergent", static_cast<int64_t>(ran.divergent));
  });
}

static void writeObject(OStream &out, const ObjectProfile &object) {
  out.object([&] {
    writeText(out, "name", object.name);
    out.attribute("sizeInBytes", static_cast<int64_t>(object.sizeInBytes));
    out.attribute("sectorsInWaves",
                  static_cast<int64_t>(object.sectorsInWaves));
    out.attribute("sectorsInLaunch",
                  static_cast<int64_t>(object.sectorsInLaunch));
  });
}

/// Sums over the launches of the group.
static void writeProfile(OStream &out, const PredictedGroup &group) {
  const DynamicProfile &profile = group.group->profile;
  const KernelSummary &summary = *group.summary;
  out.attributeObject("profile", [&] {
    out.attribute("warpInstructions",
                  static_cast<int64_t>(profile.warpInstructions));
    out.attribute("threadInstructions",
                  static_cast<int64_t>(profile.threadInstructions));
    out.attribute("mostInstructionsOfWarp",
                  static_cast<int64_t>(profile.mostInstructionsOfWarp));
    if (profile.unfinishedBlocks > 0)
      out.attribute("unfinishedBlocks",
                    static_cast<int64_t>(profile.unfinishedBlocks));
    if (profile.samplingError > 0)
      writeNumber(out, "samplingError", profile.samplingError);
    out.attributeArray("sharesByActiveLanes", [&] {
      for (double share : sharesByActiveLanes(summary, profile))
        writeNumber(out, share);
    });
    out.attributeArray("accesses", [&] {
      for (auto [access, ran] : llvm::zip(summary.accesses, profile.accesses))
        writeOnOneLine(out,
                       [&](OStream &line) { writeAccess(line, access, ran); });
    });
    if (!profile.calleeAccesses.empty())
      out.attributeArray("calleeAccesses", [&] {
        for (const CalleeAccess &access : profile.calleeAccesses)
          writeOnOneLine(out,
                         [&](OStream &line) { writeAccess(line, access); });
      });
    out.attributeArray("branches", [&] {
      for (const Branch &branch : summary.branches)
        writeOnOneLine(out, [&](OStream &line) {
          writeBranch(line, branch, profile.blocks[branch.block]);
        });
    });
    out.attributeArray("objects", [&] {
      for (const ObjectProfile &object : profile.objects)
        writeOnOneLine(out, [&](OStream &line) { writeObject(line, object); });
    });
  });
}

void auspex::writeRunJSON(llvm::ArrayRef<PredictedRun> runs,
                          llvm::raw_ostream &os) {
  OStream out(os, 2);
  out.object([&] {
    out.attribute("schemaVersion", PredictionsSchemaVersion);
    out.attributeArray("runs", [&] {
      for (const PredictedRun &run : runs)
        out.object([&] {
          writeText(out, "program", run.record->program);
          writeText(out, "gpu", run.gpu);
          writeNumber(out, "totalInUs", run.totalInUs());
          out.attributeArray("problems", [&] {
            for (const std::string &problem : run.record->problems)
              writeText(out, problem);
            for (const std::string &reason : run.refused)
              writeText(out, reason);
          });
        });
    });
    out.attributeArray("predictions", [&] {
      for (const PredictedRun &run : runs)
        for (const PredictedGroup &group : run.groups)
          writePrediction(out, group.prediction, [&] {
            out.attribute("launches", static_cast<int64_t>(group.group->times));
            out.attribute("firstLaunch",
                          static_cast<int64_t>(group.group->first));
            writeNumber(out, "totalInUs", group.totalInUs());
            writeProfile(out, group);
          });
    });
  });
  os << '\n';
}
