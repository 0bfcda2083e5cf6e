// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/KernelSummary.h"

#include "SummaryExprs.h"
#include "auspex/Footprint/LaunchShape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace auspex;

std::string SourceLocation::str() const {
  if (!isKnown())
    return file;
  return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

bool SourceLocation::isInSystemHeader() const {
  llvm::StringRef path = file;
  return path.starts_with("/usr/") || path.contains("/lib/clang/") ||
         (path.contains("/cuda") && path.contains("/include/")) ||
         llvm::sys::path::filename(path).starts_with("auspex_");
}

std::pair<const SourceLocation *, llvm::ArrayRef<SourceLocation>>
SourceLocation::partOutsideSystemHeaders() const {
  llvm::ArrayRef<SourceLocation> callers = inlinedAt;
  if (isInSystemHeader())
    for (size_t i = 0; i < callers.size(); ++i)
      if (!callers[i].isInSystemHeader())
        return {&callers[i], callers.drop_front(i + 1)};
  return {this, callers};
}

SourceLocation SourceLocation::outsideSystemHeaders() const {
  auto [place, callers] = partOutsideSystemHeaders();
  return {place->file, place->line, place->column, callers.vec()};
}

llvm::StringRef auspex::toString(Argument::Kind kind) {
  switch (kind) {
  case Argument::Kind::Pointer:
    return "pointer";
  case Argument::Kind::Integer:
    return "integer";
  case Argument::Kind::Float:
    return "float";
  case Argument::Kind::Struct:
    return "struct";
  }
  llvm_unreachable("covered switch");
}

llvm::StringRef auspex::toString(MemorySpace space) {
  switch (space) {
  case MemorySpace::Global:
    return "global";
  case MemorySpace::Shared:
    return "shared";
  case MemorySpace::Local:
    return "local";
  case MemorySpace::Constant:
    return "constant";
  case MemorySpace::Texture:
    return "texture";
  case MemorySpace::Unknown:
    return "unknown";
  }
  llvm_unreachable("covered switch");
}

llvm::StringRef auspex::toString(AccessKind kind) {
  switch (kind) {
  case AccessKind::Load:
    return "load";
  case AccessKind::Store:
    return "store";
  case AccessKind::Atomic:
    return "atomic";
  }
  llvm_unreachable("covered switch");
}

llvm::StringRef auspex::toString(RegisterOrigin origin) {
  switch (origin) {
  case RegisterOrigin::Estimated:
    return "estimated";
  case RegisterOrigin::Assembler:
    return "ptxas";
  case RegisterOrigin::Override:
    return "override";
  }
  llvm_unreachable("covered switch");
}

static double share(size_t part, size_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 1;
}

double KernelSummary::accessCoverage() const {
  return share(llvm::count_if(accesses,
                              [](const Access &access) {
                                // Local memory costs the same anywhere.
                                return access.offset.isKnown() ||
                                       access.space == MemorySpace::Local;
                              }),
               accesses.size());
}

double KernelSummary::loopCoverage() const {
  return share(
      llvm::count_if(loops,
                     [](const Loop &loop) { return loop.tripCount.isKnown(); }),
      loops.size());
}

void auspex::forEachExpr(const KernelSummary &summary,
                         llvm::function_ref<void(const Expr &)> visit) {
  for (const Loop &loop : summary.loops)
    visit(loop.tripCount.expr);
  for (const Block &block : summary.blocks)
    visit(block.guard.expr);
  for (const Access &access : summary.accesses) {
    visit(access.offset.expr);
    visit(access.picked);
  }
}

std::set<std::string> auspex::symbolsSetByHost(const KernelSummary &summary) {
  std::set<std::string> symbols;
  auto add = [&](const Expr &expr) {
    expr.forEachSymbol([&](llvm::StringRef name) {
      if (isSetByHost(name))
        symbols.insert(name.str());
    });
  };
  forEachExpr(summary, add);
  for (const Branch &branch : summary.branches)
    add(branch.condition.expr);
  for (const DataSymbol &symbol : summary.dataSymbols)
    for (const Expr &part : symbol.changesWith)
      add(part);
  return symbols;
}

std::string auspex::axesOfPresumedSize(const KernelSummary &summary) {
  std::string axes;
  for (char axis : llvm::StringRef("xyz")) {
    std::string of = std::string(".") + axis;
    bool tellsApart = false, asks = false;
    forEachExpr(summary, [&](const Expr &expr) {
      tellsApart |= expr.uses("tid" + of) || expr.uses("ctaid" + of);
      asks |= expr.uses("ntid" + of);
    });
    if (tellsApart && !asks)
      axes += axis;
  }
  return axes;
}

bool DataSymbol::tellsLanesApart() const {
  constexpr int64_t Large = 1 << 20;
  if (changesWith.empty())
    return !uniform;
  std::set<std::vector<int64_t>> seen;
  for (int64_t lane = 0; lane < LaunchShape::WarpSize; ++lane) {
    std::vector<int64_t> values;
    for (const Expr &part : changesWith)
      if (auto value = part.evaluate(
              [&](llvm::StringRef name) -> std::optional<int64_t> {
                return name == "tid.x" ? lane : isThreadIndex(name) ? 0 : Large;
              }))
        values.push_back(*value);
    seen.insert(std::move(values));
  }
  return seen.size() > LaunchShape::WarpSize / 2;
}

static Expr numberOfThread() {
  Expr ntidX = Expr::symbol("ntid.x"), ntidY = Expr::symbol("ntid.y");
  return Expr::symbol("tid.x") + ntidX * Expr::symbol("tid.y") +
         ntidX * ntidY * Expr::symbol("tid.z");
}

Expr auspex::laneOfThread() {
  return Expr::mod(numberOfThread(), LaunchShape::WarpSize);
}

Expr auspex::warpOfThread() {
  return Expr::floorDiv(numberOfThread(), LaunchShape::WarpSize);
}

double auspex::waitedFor(const MachineCode &code, InstructionClass id) {
  constexpr double MostFromGlobal = 40, MostFromShared = 10;
  switch (id) {
  case InstructionClass::LoadGlobal:
    return std::max(code.path[id], code.mix[id] / MostFromGlobal);
  case InstructionClass::LoadShared:
    return std::max(code.path[id], code.mix[id] / MostFromShared);
  default:
    return code.path[id];
  }
}

void auspex::addSpills(KernelSummary &kernel, uint64_t words) {
  using enum InstructionClass;
  kernel.localInBytes += words * RegisterInBytes;
  if (kernel.blocks.empty())
    return;
  for (MachineCode &code : kernel.blocks.front().code) {
    code.mix[StoreLocal] += static_cast<double>(words);
    code.mix[LoadLocal] += static_cast<double>(words);
    code.path[LoadLocal] += words > 0;
  }
}
