// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MachineClasses.h"

#include "TensorWork.h"
#include "auspex/Support/PtxText.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <map>

using namespace auspex;
using llvm::StringRef;

namespace {
using enum InstructionClass;

struct Row {
  StringRef prefix;
  std::vector<ClassCount> counts;
  /// The first architecture of which it holds.
  unsigned since = 0;
};

/// Rows by their prefix, for the longest match.
class PrefixTable {
public:
  explicit PrefixTable(std::vector<Row> rows) {
    for (Row &row : rows) {
      longest = std::max(longest, row.prefix.size());
      byPrefix[row.prefix][row.since] = std::move(row.counts);
    }
  }

  std::optional<Expansion> find(StringRef name, unsigned arch = 0) const {
    for (size_t length = std::min(longest, name.size()); length; --length) {
      auto rows = byPrefix.find(name.take_front(length));
      if (rows == byPrefix.end())
        continue;
      auto newer = rows->second.upper_bound(arch);
      if (newer != rows->second.begin())
        return Expansion(std::prev(newer)->second);
    }
    return std::nullopt;
  }

private:
  /// Of each prefix by the architecture since which they hold.
  llvm::StringMap<std::map<unsigned, std::vector<ClassCount>>> byPrefix;
  size_t longest = 0;
};
} // namespace

std::optional<Expansion> auspex::classifyOpcode(StringRef name, unsigned arch) {
  static const PrefixTable table({
#define AUSPEX_OPCODE(PREFIX, ...) Row{PREFIX, {__VA_ARGS__}},
#define AUSPEX_OPCODE_SINCE(ARCH, PREFIX, ...) Row{PREFIX, {__VA_ARGS__}, ARCH},
#include "MachineClasses.def"
  });
  return table.find(name, arch);
}

std::string auspex::costedName(const llvm::MachineInstr &instruction,
                               llvm::StringRef name) {
  bool hasModes = name.contains("_APPROX_") && instruction.getNumOperands() > 0;
  const llvm::MachineOperand *last =
      hasModes ? &instruction.getOperand(instruction.getNumOperands() - 1)
               : nullptr;
  return last && last->isImm() && last->getImm() != 0 ? (name + "_ftz").str()
                                                      : name.str();
}

bool auspex::hasSlowPath(Expansion expansion) {
  // There and back.
  constexpr unsigned Branches = 2;
  return llvm::any_of(expansion, [](const ClassCount &part) {
    return part.id == Control && part.count >= Branches;
  });
}

std::optional<Expansion> auspex::classifyIntrinsic(StringRef name) {
  static const PrefixTable table({
#define AUSPEX_INTRINSIC(PREFIX, ...) Row{PREFIX, {__VA_ARGS__}},
#include "MachineClasses.def"
  });
  return table.find(name);
}

//===----------------------------------------------------------------------===//
// Inline assembly
//===----------------------------------------------------------------------===//

/// The row of a PTX opcode such as "fma.rn.f32": by its first and last part,
/// else by its first part alone. Conversions are those of the code generator:
/// "cvt.rn.f16.f32" is CVT_f16_f32.
static std::optional<Expansion> classifyPtx(StringRef opcode, unsigned arch) {
  static const llvm::StringMap<std::vector<ClassCount>> table = [] {
    llvm::StringMap<std::vector<ClassCount>> rows;
#define AUSPEX_PTX(FIRST, TYPE, ...)                                           \
  rows[FIRST " " TYPE] = std::vector<ClassCount>{__VA_ARGS__};
#include "MachineClasses.def"
    return rows;
  }();
  StringRef first = opcode.split('.').first;
  auto [before, type] = opcode.rsplit('.');
  if (first == "cvt")
    return classifyOpcode(
        ("CVT_" + before.rsplit('.').second + "_" + type).str(), arch);
  for (StringRef key : {type, StringRef()})
    if (auto row = table.find((first + " " + key).str()); row != table.end())
      return Expansion(row->second);
  return std::nullopt;
}

/// Memory statements say their space: "ld.shared.f32".
static InstructionClass inSpace(InstructionClass id, StringRef opcode) {
  bool shared = opcode.contains(".shared"), local = opcode.contains(".local");
  switch (id) {
  case LoadGlobal:
    return shared ? LoadShared : local ? LoadLocal : id;
  case StoreGlobal:
    return shared ? StoreShared : local ? StoreLocal : id;
  case AtomicGlobal:
    return shared ? AtomicShared : id;
  default:
    return id;
  }
}

/// Whether a fence stands before \p statement: others are to see what this
/// thread wrote when they see what the statement writes.
static bool isReleased(const PtxStatement &statement) {
  bool writes = statement.name == "st" || statement.name == "atom" ||
                statement.name == "red";
  return writes && (statement.has("release") || statement.has("acq_rel")) &&
         !statement.has("cta");
}

/// Whether \p statement puts 16 bits into the upper half of a register, as the
/// conversion of a bf16 number to float does: a permutation.
static bool shiftsUp(const PtxStatement &statement) {
  return statement.name == "mov" && statement.text.contains("{0,");
}

InstructionMix auspex::classifyAssembly(StringRef text, unsigned arch) {
  InstructionMix mix;
  PtxText assembly(text);
  for (const PtxStatement &statement : assembly.statements()) {
    if (!statement.isInstruction())
      continue;
    StringRef opcode = statement.text.split(' ').first;
    if (isReleased(statement))
      mix[Fence] += 1;
    if (shiftsUp(statement))
      mix[Logic] += 1;
    if (auto work = tensorWork(statement.name, statement.words)) {
      mix[work->id] += work->count;
      continue;
    }
    std::optional<Expansion> expansion = classifyPtx(opcode, arch);
    if (!expansion) {
      mix[Move] += 1;
      continue;
    }
    for (const ClassCount &part : *expansion)
      mix[inSpace(part.id, opcode)] += part.count;
  }
  return mix;
}
