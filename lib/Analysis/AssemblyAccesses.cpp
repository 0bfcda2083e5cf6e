// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AssemblyAccesses.h"

#include "auspex/Kernel/Matrices.h"
#include "auspex/Support/PtxText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace auspex;
using llvm::StringRef;

namespace {

class AssemblyReader {
public:
  explicit AssemblyReader(const llvm::CallBase &call)
      : call(call),
        assembly(llvm::cast<llvm::InlineAsm>(call.getCalledOperand())),
        text(assembly->getAsmString()) {
    unsigned number = 0, argument = 0;
    for (const auto &constraint : assembly->ParseConstraints()) {
      if (constraint.Type == llvm::InlineAsm::isInput) {
        llvm::Value *value = call.getArgOperand(argument++);
        values["$" + std::to_string(number)] = value;
        // An operand that is read and written.
        unsigned tied;
        if (!constraint.Codes.empty() &&
            !StringRef(constraint.Codes.front()).getAsInteger(10, tied))
          values["$" + std::to_string(tied)] = value;
      } else if (constraint.Type != llvm::InlineAsm::isOutput) {
        continue;
      }
      ++number;
    }
  }

  AssemblyAccesses read() {
    for (const PtxStatement &statement : text.statements()) {
      if (statement.isInstruction() && !readAccess(statement)) {
        copiesUnknownBytes |= statement.name == "cp" && statement.has("bulk") &&
                              statement.operands.size() >= 2;
        follow(statement);
      }
    }
    return {std::move(accesses), copiesUnknownBytes};
  }

private:
  const llvm::CallBase &call;
  const llvm::InlineAsm *assembly;
  PtxText text;
  /// Of "$0", "$1", ..., and of registers that hold the same.
  llvm::StringMap<llvm::Value *> values;
  std::vector<AssemblyAccess> accesses;
  bool copiesUnknownBytes = false;

  bool readAccess(const PtxStatement &statement) {
    const auto &operands = statement.operands;
    StringRef name = statement.name;
    if (statement.has("param"))
      return false;
    bool isLoad = name == "ld" || name == "ldu";
    if ((isLoad || name == "st") && operands.size() >= 2) {
      size_t elements = ptxElements(operands[isLoad ? 0 : 1]).size();
      add(loadOrStore(!isLoad), spaceIn(statement),
          elements * bytesOf(statement.type()), operands[isLoad ? 1 : 0],
          statement);
      accesses.back().bypassesL1 = isLoad && bypassesL1(statement);
      return true;
    }
    bool isAtom = name == "atom";
    if ((isAtom || name == "red") && operands.size() >= 2u + isAtom) {
      add(AccessKind::Atomic, spaceIn(statement), bytesOf(statement.type()),
          operands[isAtom], statement);
      accesses.back().isReduction = !isAtom;
      // As LLVM has it: "fadd" of floating-point numbers.
      StringRef type = statement.type();
      bool isFloat = type.starts_with("f") || type.starts_with("bf");
      for (StringRef word : statement.words)
        if (llvm::is_contained({"add", "min", "max"}, word))
          accesses.back().operation = (isFloat ? "f" : "") + word.str();
        else if (llvm::is_contained(
                     {"and", "or", "xor", "inc", "dec", "exch", "cas"}, word))
          accesses.back().operation = word == "exch" ? "xchg" : word.str();
      return true;
    }
    return readCopy(statement) || readRows(statement) || readTexture(statement);
  }

  /// tex.2d.v4.f32.s32 {$0, $1, $2, $3}, [$4, {$5, $6}]
  bool readTexture(const PtxStatement &statement) {
    StringRef name = statement.name;
    bool isFetch = name == "tex" || name == "tld4", isStore = name == "sust";
    if ((!isFetch && !isStore && name != "suld") || statement.words.size() < 2)
      return false;
    const auto *place = llvm::find_if(
        statement.operands, [](StringRef text) { return text.contains('['); });
    if (place == statement.operands.end() || statement.operands.size() < 2)
      return false;
    // Of a fetch the type comes before that of the coordinates.
    StringRef type = statement.words[statement.words.size() - 2];
    if (!isFetch)
      for (StringRef word : statement.words)
        if (word.size() > 1 && word.front() == 'b')
          type = word;
    uint64_t components =
        llvm::count_if(ptxElements(statement.operands[isStore]),
                       [&](StringRef element) { return isWanted(element); });
    AssemblyAccess access;
    access.kind = loadOrStore(isStore);
    access.space = MemorySpace::Texture;
    access.bytes = components * bytesOf(type);
    StringRef inside = place->drop_front(place->find('[') + 1);
    access.address = values.lookup(ptxOperands(inside).front());
    accesses.push_back(std::move(access));
    return true;
  }

  /// Whether \p operand is no result that nothing reads.
  bool isWanted(StringRef operand) const {
    auto *results = llvm::dyn_cast<llvm::StructType>(call.getType());
    unsigned number = 0;
    if (!operand.consume_front("$") || operand.getAsInteger(10, number) ||
        !results || number >= results->getNumElements())
      return true;
    return llvm::any_of(call.users(), [&](const llvm::User *user) {
      auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
      return !part || part->getIndices().front() == number;
    });
  }

  /// cp.async.cg.shared.global [to], [from], 16
  /// cp.async.bulk.global.shared::cta.bulk_group [to], [from], 4096
  bool readCopy(const PtxStatement &statement) {
    uint64_t bytes = 0;
    if (statement.name != "cp" || !statement.has("async") ||
        statement.has("tensor") || statement.has("prefetch") ||
        (statement.has("mbarrier") && !statement.has("bulk")) ||
        statement.operands.size() < 3 ||
        !constantOf(statement.operands[2], bytes))
      return false;
    bool isBulk = statement.has("bulk");
    llvm::SmallVector<MemorySpace, 2> spaces = spacesIn(statement);
    if (spaces.size() != 2)
      return false;
    add(AccessKind::Store, spaces[0], bytes, statement.operands[0], statement);
    add(AccessKind::Load, spaces[1], bytes, statement.operands[1], statement);
    accesses.back().bypassesL1 =
        spaces[1] == MemorySpace::Global && (isBulk || bypassesL1(statement));
    return true;
  }

  /// ldmatrix.sync.aligned.m8n8.x2.shared.b16 {$0, $1}, [$2]: eight lanes for
  /// the rows of each matrix.
  bool readRows(const PtxStatement &statement) {
    auto rows = MatrixRows::parse(statement.name, statement.words);
    if (!rows || statement.operands.size() != 2)
      return false;
    add(loadOrStore(rows->isStore), MemorySpace::Shared,
        MatrixRows::BytesPerRow, statement.operands[!rows->isStore], statement);
    accesses.back().lanes = rows->lanes();
    return true;
  }

  void add(AccessKind kind, MemorySpace space, uint64_t bytes,
           StringRef operand, const PtxStatement &statement) {
    AssemblyAccess access;
    access.kind = kind;
    access.space = space;
    access.bytes = bytes;
    std::optional<PtxAddress> address = parsePtxAddress(operand);
    access.isConditional = !statement.predicate.empty();
    if (address) {
      access.address = values.lookup(address->base);
      access.displacement = address->displacement;
    }
    accesses.push_back(std::move(access));
  }

  /// Moves and conversions of addresses keep what they point to.
  void follow(const PtxStatement &statement) {
    bool keeps = statement.name == "mov" || statement.name == "cvta" ||
                 statement.name == "cvt";
    for (StringRef operand : llvm::ArrayRef(statement.operands).take_front(1))
      values[operand] =
          keeps && statement.operands.size() == 2 && statement.predicate.empty()
              ? values.lookup(statement.operands[1])
              : nullptr;
  }

  bool constantOf(StringRef operand, uint64_t &number) const {
    if (auto *constant =
            llvm::dyn_cast_or_null<llvm::ConstantInt>(values.lookup(operand))) {
      number = constant->getZExtValue();
      return true;
    }
    return !operand.getAsInteger(0, number);
  }

  /// By its cache operator, or because other SMs' stores are to be seen.
  static bool bypassesL1(const PtxStatement &statement) {
    bool isStrong = statement.has("relaxed") || statement.has("acquire");
    return (isStrong && !statement.has("cta")) ||
           llvm::any_of(statement.words, [](StringRef word) {
             return llvm::is_contained(
                 {"cg", "cv", "volatile", "mmio", "L1::no_allocate"}, word);
           });
  }

  /// Where the operands are, in their order.
  static llvm::SmallVector<MemorySpace, 2>
  spacesIn(const PtxStatement &statement) {
    llvm::SmallVector<MemorySpace, 2> spaces;
    for (StringRef word : statement.words) {
      MemorySpace space =
          llvm::StringSwitch<MemorySpace>(word.split("::").first)
              .Case("global", MemorySpace::Global)
              .Case("shared", MemorySpace::Shared)
              .Case("local", MemorySpace::Local)
              .Case("const", MemorySpace::Constant)
              .Default(MemorySpace::Unknown);
      if (space != MemorySpace::Unknown)
        spaces.push_back(space);
    }
    return spaces;
  }

  static MemorySpace spaceIn(const PtxStatement &statement) {
    llvm::SmallVector<MemorySpace, 2> spaces = spacesIn(statement);
    return spaces.empty() ? MemorySpace::Unknown : spaces.front();
  }

  /// "f32" has 4, "f16x2" as well.
  static uint64_t bytesOf(StringRef type) {
    auto [first, count] = type.drop_while(llvm::isAlpha).split('x');
    uint64_t bits = 0, elements = 1;
    if (first.getAsInteger(10, bits) ||
        (!count.empty() && count.getAsInteger(10, elements)))
      return 0;
    return bits * elements / 8;
  }
};

} // namespace

AssemblyAccesses auspex::assemblyAccesses(const llvm::CallBase &call) {
  return AssemblyReader(call).read();
}
