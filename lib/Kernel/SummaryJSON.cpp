// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing summaries. Keys are in the order of KernelSummary.h; what the reader
// restores by itself is left out.
#include "auspex/Kernel/SummaryDocument.h"

#include "auspex/Footprint/LaunchShape.h"
#include "auspex/Kernel/LaunchJSON.h"
#include "auspex/Support/Json.h"

#include <set>
#include <string>

using namespace auspex;
namespace json = llvm::json;
using llvm::StringRef;

/// Texts that are empty more often than not.
static void writeIfAny(json::OStream &out, StringRef key, StringRef text) {
  if (!text.empty())
    writeText(out, key, text);
}

static void writeIfTrue(json::OStream &out, StringRef key, bool value) {
  if (value)
    out.attribute(key, true);
}

static void writeIfAny(json::OStream &out, StringRef key, unsigned number) {
  if (number)
    out.attribute(key, number);
}

static void writeIfAny(json::OStream &out, StringRef key,
                       const std::set<std::string> &names) {
  if (!names.empty())
    out.attributeArray(key, [&] {
      for (const std::string &name : names)
        writeText(out, name);
    });
}

/// One line a record; \p write writes its members.
template <typename T>
static void writeRecords(json::OStream &out, StringRef key,
                         const std::vector<T> &records,
                         void (*write)(json::OStream &, const T &)) {
  out.attributeArray(key, [&] {
    for (const T &record : records)
      writeOnOneLine(out, [&](json::OStream &line) {
        line.object([&] { write(line, record); });
      });
  });
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static void writeMembers(json::OStream &out, const SourceLocation &location) {
  writeIfAny(out, "file", location.file);
  writeIfAny(out, "line", location.line);
  writeIfAny(out, "column", location.column);
  if (!location.inlinedAt.empty())
    writeRecords(out, "inlinedAt", location.inlinedAt, writeMembers);
}

static void writeLocation(json::OStream &out, const SourceLocation &location) {
  if (location == SourceLocation())
    return;
  out.attributeBegin("location");
  writeOnOneLine(out, [&](json::OStream &line) {
    line.object([&] { writeMembers(line, location); });
  });
  out.attributeEnd();
}

static void writeExpr(json::OStream &out, StringRef key,
                      const MaybeExpr &value) {
  if (value.isKnown())
    writeText(out, key, value.expr.str());
  else
    out.attributeObject(key, [&] { writeText(out, "unknown", value.reason); });
}

static void writeMix(json::OStream &out, StringRef key,
                     const InstructionMix &mix) {
  out.attributeObject(key, [&] {
    for (const InstructionClassInfo &info : instructionClassInfos())
      if (mix[info.id] != 0)
        writeNumber(out, info.name, mix[info.id]);
  });
}

static void writeMembers(json::OStream &out, const Argument::Member &member) {
  out.attribute("kind", toString(member.kind));
  out.attribute("byte", member.byte);
  writeText(out, "name", member.name);
}

static void writeMembers(json::OStream &out, const Argument &argument) {
  out.attribute("kind", toString(argument.kind));
  out.attribute("sizeInBytes", argument.sizeInBytes);
  writeIfAny(out, "name", argument.name);
  if (!argument.members.empty())
    out.attributeArray("members", [&] {
      for (const Argument::Member &member : argument.members)
        out.object([&] { writeMembers(out, member); });
    });
}

static void writeMembers(json::OStream &out, const Loop &loop) {
  writeText(out, "iv", loop.iv);
  if (loop.parent >= 0)
    out.attribute("parent", loop.parent);
  writeExpr(out, "tripCount", loop.tripCount);
  writeIfTrue(out, "restFirst", loop.isRestFirst);
  writeLocation(out, loop.location);
}

static void writeMembers(json::OStream &out, const LineCode &code) {
  writeMembers(out, code.location);
  writeMix(out, "mix", code.mix);
}

static void writeMembers(json::OStream &out, const MachineCode &code) {
  out.attribute("unroll", code.unroll);
  if (code.unroll == 0)
    out.attribute("begins", code.begins);
  writeMix(out, "mix", code.mix);
  writeMix(out, "path", code.path);
  if (code.threeOperands.total() > 0)
    writeMix(out, "threeOperands", code.threeOperands);
  if (code.asMultiplyAdds.total() > 0)
    writeMix(out, "asMultiplyAdds", code.asMultiplyAdds);
  writeNumber(out, "ilp", code.ilp);
  writeNumber(out, "mlp", code.mlp);
  if (!code.lines.empty())
    writeRecords(out, "lines", code.lines, writeMembers);
}

static void writeMembers(json::OStream &out, const Access &access) {
  out.attribute("block", access.block);
  out.attribute("kind", toString(access.kind));
  writeIfAny(out, "operation", access.operation);
  writeIfTrue(out, "reduction", access.isReduction);
  writeIfTrue(out, "increment", access.isIncrement);
  writeIfTrue(out, "oneOperand", access.hasOneOperand);
  writeIfTrue(out, "retried", access.isRetried);
  writeIfTrue(out, "bypassesL1", access.bypassesL1);
  out.attribute("space", toString(access.space));
  out.attribute("bytesPerLane", access.bytesPerLane);
  if (access.lanes < LaunchShape::WarpSize)
    out.attribute("lanes", access.lanes);
  writeIfAny(out, "base", access.base);
  if (access.objectInBytes)
    out.attribute("objectInBytes", access.objectInBytes);
  writeExpr(out, "offset", access.offset);
  if (access.hasBounds()) {
    writeExpr(out, "lowest", access.lowest);
    writeExpr(out, "highest", access.highest);
  }
  if (access.picked.isValid())
    out.attribute("picked", access.picked.str());
  writeLocation(out, access.location);
}

static void writeMembers(json::OStream &out, const Branch &branch) {
  out.attribute("block", branch.block);
  writeExpr(out, "condition", branch.condition);
  writeLocation(out, branch.location);
}

static void writeMembers(json::OStream &out, const DataSymbol &symbol) {
  writeText(out, "name", symbol.name);
  writeText(out, "reason", symbol.reason);
  out.attribute("uniform", symbol.uniform);
  if (!symbol.changesWith.empty())
    out.attributeArray("changesWith", [&] {
      for (const Expr &part : symbol.changesWith)
        out.value(part.str());
    });
  if (symbol.probability)
    writeNumber(out, "probability", *symbol.probability);
  writeLocation(out, symbol.location);
}

static void writeMembers(json::OStream &out, const Callee &callee) {
  writeIfAny(out, "name", callee.name);
  out.attribute("block", callee.block);
  writeLocation(out, callee.location);
  writeIfAny(out, "whyLeftOut", callee.whyLeftOut);
}

void auspex::writePlace(json::OStream &out, const SourceLocation &location) {
  if (!location.isKnown())
    return;
  writeText(out, "file", location.file);
  out.attribute("line", location.line);
  writeIfAny(out, "column", location.column);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

static void writeBlock(json::OStream &out, const Block &block) {
  out.object([&] {
    writeText(out, "name", block.name);
    if (block.loop >= 0)
      out.attribute("loop", block.loop);
    writeExpr(out, "guard", block.guard);
    if (block.predicatedIn >= 0)
      out.attribute("predicatedIn", block.predicatedIn);
    writeIfAny(out, "interval", block.interval);
    writeRecords(out, "code", block.code, writeMembers);
  });
}

static void writeHead(json::OStream &out, const KernelSummary &summary) {
  writeText(out, "name", summary.name);
  if (summary.demangled != summary.name)
    writeText(out, "demangled", summary.demangled);
  if (!summary.spelling.empty())
    writeText(out, "spelling", summary.spelling);
  writeLocation(out, summary.location);
  out.attribute("arch", summary.arch);
  writeRecords(out, "arguments", summary.arguments, writeMembers);
  if (!summary.variables.empty())
    writeRecords(out, "variables", summary.variables, writeMembers);
  writeIfAny(out, "maxThreadsPerBlock", summary.maxThreadsPerBlock);
  writeIfAny(out, "minBlocksPerSM", summary.minBlocksPerSM);
  auto [x, y, z] = summary.requiredBlock;
  if (x || y || z) {
    out.attributeBegin("requiredBlock");
    writeOnOneLine(out, [&](json::OStream &line) { line.value({x, y, z}); });
    out.attributeEnd();
  }
  out.attribute("staticSharedInBytes", summary.staticSharedInBytes);
  out.attribute("usesDynamicShared", summary.usesDynamicShared);
  out.attribute("localInBytes", summary.localInBytes);
  out.attribute("registers", summary.registers);
  out.attribute("registerOrigin", toString(summary.registerOrigin));
}

void auspex::writeJSON(const KernelSummary &summary, json::OStream &out) {
  out.object([&] {
    writeHead(out, summary);
    writeRecords(out, "loops", summary.loops, writeMembers);
    out.attributeArray("blocks", [&] {
      for (const Block &block : summary.blocks)
        writeBlock(out, block);
    });
    writeRecords(out, "accesses", summary.accesses, writeMembers);
    writeRecords(out, "branches", summary.branches, writeMembers);
    writeRecords(out, "dataSymbols", summary.dataSymbols, writeMembers);
    writeRecords(out, "callees", summary.callees, writeMembers);
    if (!summary.doublesOfFloats.empty())
      writeRecords(out, "doublesOfFloats", summary.doublesOfFloats,
                   writeMembers);
    out.attributeArray("assumptions", [&] {
      for (const std::string &assumption : summary.assumptions)
        writeText(out, assumption);
    });
  });
}

/// The parts of a launch that a translation unit states share one origin.
void auspex::writeJSON(const LaunchConfig &launch, json::OStream &out) {
  out.object([&] {
    writeText(out, "kernel", launch.kernel);
    out.attribute("origin", toString(statedOrigin(launch)));
    writeDim3(out, "grid", launch.grid);
    if (launch.gridOfArguments)
      out.attributeArray("gridOfArguments", [&] {
        for (const Expr &axis : launch.gridOfArguments->value)
          out.value(axis.str());
      });
    writeDim3(out, "block", launch.block);
    if (launch.chosenBlock)
      out.attributeObject("chosenBlock", [&] {
        const ChosenBlock &chosen = launch.chosenBlock->value;
        out.attribute("limit", chosen.limit);
        out.attribute("shared", static_cast<int64_t>(chosen.shared));
        if (chosen.threads)
          out.attribute("threads", *chosen.threads);
      });
    if (launch.dynamicShared)
      out.attribute("shared",
                    static_cast<int64_t>(launch.dynamicShared->value));
    if (launch.registers)
      out.attribute("registers", launch.registers->value);
    if (launch.maxBlocksPerSM)
      out.attribute("maxBlocksPerSM", launch.maxBlocksPerSM->value);
    writeL2State(out, launch);
    writeIfAny(out, "variesByRound", launch.variesByRound);
    if (!launch.arguments.empty() || !launch.floatArguments.empty())
      writeArguments(out, launch);
    if (!launch.objectsInBytes.empty())
      out.attributeObject("objectsInBytes", [&] {
        for (const auto &[name, bytes] : launch.objectsInBytes)
          out.attribute(name, static_cast<int64_t>(bytes.value));
      });
    writeIfAny(out, "inHostMemory", launch.inHostMemory);
    writeIfAny(out, "hangsOn", launch.hangsOn);
    if (launch.location.isKnown()) {
      writeText(out, "file", launch.location.file);
      out.attribute("line", launch.location.line);
      out.attribute("column", launch.location.column);
    }
  });
}

std::string auspex::writeSummaries(llvm::ArrayRef<KernelSummary> summaries,
                                   llvm::ArrayRef<LaunchConfig> launches,
                                   const HostInterface &interface) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os.SetBufferSize(1 << 16); // the writer passes single characters
  json::OStream out(os, /*IndentSize=*/2);
  out.object([&] {
    out.attribute("schemaVersion", SummarySchemaVersion);
    out.attributeArray("kernels", [&] {
      for (const KernelSummary &summary : summaries)
        writeJSON(summary, out);
    });
    if (!launches.empty())
      out.attributeArray("launches", [&] {
        for (const LaunchConfig &launch : launches)
          writeOnOneLine(out,
                         [&](json::OStream &line) { writeJSON(launch, line); });
      });
    writeJSON(interface, out);
  });
  os << '\n';
  os.flush();
  return text;
}
