// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Report/SummaryText.h"

#include "auspex/Footprint/LaunchShape.h"
#include "auspex/Support/Table.h"
#include "llvm/ADT/StringExtras.h"

using namespace auspex;

static std::string text(const MaybeExpr &value) {
  return value.isKnown() ? value.expr.str() : "unknown (" + value.reason + ")";
}

static std::string text(const InstructionMix &mix) {
  std::vector<std::string> parts;
  for (const InstructionClassInfo &info : instructionClassInfos())
    if (mix[info.id] != 0)
      parts.push_back(info.name.str() + " " + formatNumber(mix[info.id], 4));
  return parts.empty() ? "none" : llvm::join(parts, ", ");
}

static void printHead(const KernelSummary &summary, llvm::raw_ostream &os) {
  os << "kernel " << summary.name << " (" << summary.demangled << ")\n";
  os << "  compiled for sm_" << summary.arch << ", registers "
     << summary.registers << " (" << toString(summary.registerOrigin)
     << "), shared " << summary.staticSharedInBytes << " B"
     << (summary.usesDynamicShared ? " and dynamic" : "") << ", local "
     << summary.localInBytes << " B\n";
  if (summary.maxThreadsPerBlock)
    os << "  launch bounds: at most " << summary.maxThreadsPerBlock
       << " threads a block, at least " << summary.minBlocksPerSM
       << " blocks an SM\n";
}

static void printBlock(const Block &block, llvm::raw_ostream &os) {
  os << "  block " << block.name;
  if (block.loop >= 0)
    os << " in loop i" << block.loop;
  os << ", if " << text(block.guard);
  if (block.predicatedIn >= 0)
    os << ", predicated in b" << block.predicatedIn;
  if (block.interval)
    os << ", interval " << block.interval;
  os << '\n';
  for (const MachineCode &code : block.code) {
    os << "    ";
    if (code.unroll > 1)
      os << "unrolled by " << code.unroll << ": ";
    else if (code.unroll == 0)
      os << "before unrolled by " << code.begins << ": ";
    os << text(code.mix) << '\n';
    os << "      ilp " << formatNumber(code.ilp) << ", mlp "
       << formatNumber(code.mlp) << ", longest path: " << text(code.path)
       << '\n';
  }
}

void auspex::printSummary(const KernelSummary &summary, llvm::raw_ostream &os) {
  printHead(summary, os);
  for (const Loop &loop : summary.loops) {
    os << "  loop " << loop.iv;
    if (loop.parent >= 0)
      os << " in i" << loop.parent;
    os << ": trip count " << text(loop.tripCount) << '\n';
  }
  for (const Block &block : summary.blocks)
    printBlock(block, os);
  for (const Branch &branch : summary.branches)
    os << "  divergent branch in b" << branch.block << ": "
       << text(branch.condition) << '\n';
  for (const DataSymbol &symbol : summary.dataSymbols) {
    os << "  " << symbol.name << ": " << symbol.reason
       << (symbol.uniform ? ", uniform" : "");
    for (const Expr &part : symbol.changesWith)
      os << (&part == symbol.changesWith.data() ? ", changes with " : ", ")
         << part.str();
    if (symbol.probability)
      os << ", probability " << formatNumber(*symbol.probability);
    os << '\n';
  }
  for (const Callee &callee : summary.callees)
    os << "  call in b" << callee.block << ": "
       << (callee.name.empty() ? "through a pointer" : callee.name) << '\n';
  os << "  understood: " << formatShare(summary.accessCoverage())
     << " of accesses, " << formatShare(summary.loopCoverage())
     << " of loops\n";
}

void auspex::printAccesses(const KernelSummary &summary,
                           llvm::raw_ostream &os) {
  os << "kernel " << summary.name << '\n';
  for (const Access &access : summary.accesses) {
    os << "  b" << access.block << " " << toString(access.kind);
    if (!access.operation.empty())
      os << " " << access.operation;
    os << " " << access.bytesPerLane << " B ";
    if (access.lanes < LaunchShape::WarpSize)
      os << "by " << access.lanes << " lanes ";
    os << toString(access.space) << (access.bypassesL1 ? " past L1 " : " ")
       << (access.base.empty() ? "?" : access.base) << " + "
       << text(access.offset);
    if (access.location.isKnown())
      os << "  at " << access.location.line << ":" << access.location.column;
    os << '\n';
  }
}
