// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FunctionReader.h"

#include "BlockCode.h"
#include "MachineClasses.h"
#include "Target.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Target/TargetMachine.h"

#include <map>

using namespace auspex;

namespace {

struct LargestUnrollFirst {
  bool operator()(std::pair<unsigned, unsigned> a,
                  std::pair<unsigned, unsigned> b) const {
    return std::pair(a.first, b.second) < std::pair(b.first, a.second);
  }
};

/// Reads the machine code of one function.
class FunctionReader {
public:
  FunctionReader(const llvm::MachineFunction &machine,
                 const CodeSnapshot &snapshot, const CodeOwners &owners)
      : machine(machine), snapshot(snapshot), owners(owners),
        registers(machine.getRegInfo()),
        opcodes(*machine.getSubtarget().getInstrInfo()),
        arch(archOfCpu(machine.getTarget().getTargetCPU())) {}

  KernelCode read() {
    code.blocks.resize(snapshot.loopOfBlock.size());
    code.localInBytes = machine.getFrameInfo().estimateStackSize(machine);
    CodeOwner last;
    for (const llvm::MachineBasicBlock &block : machine) {
      // Blocks that code generation made belong to the one before.
      auto found = owners.find(block.getBasicBlock());
      last = found == owners.end() ? last : found->second;
      addCode(last, readBlock(block));
    }
    for (const auto &[place, copies] : versions) {
      auto [block, unroll] = place;
      code.blocks[block].push_back(joinCopies(copies));
      code.blocks[block].back().unroll = unroll;
    }
    addPrologue();
    code.registers = estimateRegisters(machine);
    return std::move(code);
  }

private:
  using Copies = llvm::MapVector<const void *, MachineCode>;

  const llvm::MachineFunction &machine;
  const CodeSnapshot &snapshot;
  const CodeOwners &owners;
  KernelCode code;
  const llvm::MachineRegisterInfo &registers;
  const llvm::TargetInstrInfo &opcodes;
  unsigned arch;
  bool needsConstant = false;
  /// By block of the snapshot and unroll factor, the largest first: the copies
  /// of which a run is one.
  std::map<std::pair<unsigned, unsigned>, Copies, LargestUnrollFirst> versions;

  static double accesses(const MachineCode &code) {
    double count = 0;
    for (const InstructionClassInfo &info : instructionClassInfos())
      if (isMemory(info.id))
        count += code.mix[info.id];
    return count;
  }

  /// A run is one of the copies. What has fewer than half of the accesses of
  /// another is no copy but code around them: what a loop starts with, say.
  static MachineCode joinCopies(const Copies &copies) {
    double most = 0;
    for (const auto &[copy, code] : copies)
      most = std::max(most, accesses(code));
    std::vector<MachineCode> whole, around;
    for (const auto &[copy, code] : copies)
      (2 * accesses(code) >= most ? whole : around).push_back(code);
    MachineCode joined = average(whole);
    for (const MachineCode &code : around)
      append(joined, code);
    return joined;
  }

  void addCode(const CodeOwner &owner, MachineCode code) {
    auto &copies = versions[{owner.block, owner.unroll}];
    auto [copy, isNew] = copies.insert({owner.copy, code});
    if (!isNew)
      append(copy->second, code);
  }

  /// What every kernel starts with: its stack pointer, the descriptor of global
  /// memory (since 8.0), and the size of elements that wide multiply-adds
  /// address.
  void addPrologue() {
    if (code.blocks.empty() || code.blocks.front().empty())
      return;
    bool usesGlobal = llvm::any_of(code.blocks, [](const auto &versions) {
      return llvm::any_of(versions, [](const MachineCode &version) {
        return llvm::any_of(instructionClassInfos(), [&](const auto &info) {
          return isGlobalMemory(info.id) && version.mix[info.id] > 0;
        });
      });
    });
    constexpr unsigned DescriptorsSince = 80;
    double moves = 1 + (needsConstant ? 1 : 0) +
                   (usesGlobal && arch >= DescriptorsSince ? 1 : 0);
    code.blocks.front().back().mix[InstructionClass::Move] += moves;
  }

  MachineCode readBlock(const llvm::MachineBasicBlock &block);
  std::vector<LineCode> sumLines(llvm::ArrayRef<CodeNode> nodes,
                                 llvm::ArrayRef<unsigned> tags) const;
  void costOf(const llvm::MachineInstr &instruction, CodeNode &node);
  bool foldsIntoAdd(const llvm::MachineInstr &product) const;
};

} // namespace

static const llvm::MachineInstr *
definitionOf(const llvm::MachineOperand &operand,
             const llvm::MachineRegisterInfo &registers) {
  if (!operand.isReg() || !operand.getReg().isVirtual())
    return nullptr;
  return registers.getUniqueVRegDef(operand.getReg());
}

static bool readsRegister(const llvm::MachineInstr &instruction) {
  return llvm::any_of(
      instruction.all_uses(),
      [](const llvm::MachineOperand &use) { return use.getReg().isVirtual(); });
}

/// ld.global.nc and ldu: the back end does not say of them that they load.
static bool isReadOnlyLoad(llvm::StringRef opcode) {
  return opcode.starts_with("LD_GLOBAL_NC") || opcode.starts_with("LDU");
}

/// The class of a load, store or atomic by its address space; reads of
/// parameters, and what is given to a call in registers, are moves.
static InstructionClass memoryClass(const llvm::MachineInstr &instruction) {
  unsigned space = llvm::NVPTXAS::ADDRESS_SPACE_GENERIC;
  for (const llvm::MachineMemOperand *operand : instruction.memoperands())
    space = std::max(space, operand->getAddrSpace());
  bool load = instruction.mayLoad(), store = instruction.mayStore();
  using enum InstructionClass;
  switch (space) {
  case llvm::NVPTXAS::ADDRESS_SPACE_SHARED:
  case llvm::NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER:
    return load && store ? AtomicShared : load ? LoadShared : StoreShared;
  case llvm::NVPTXAS::ADDRESS_SPACE_LOCAL:
    return load ? LoadLocal : StoreLocal;
  case llvm::NVPTXAS::ADDRESS_SPACE_CONST:
    return LoadConstant;
  case llvm::NVPTXAS::ADDRESS_SPACE_PARAM:
    return Move;
  default:
    return load && store ? AtomicGlobal : load ? LoadGlobal : StoreGlobal;
  }
}

bool auspex::readsParameter(const llvm::MachineInstr &instruction) {
  return instruction.mayLoad() &&
         memoryClass(instruction) == InstructionClass::Move;
}

/// mul.wide whose products are only ever added to a base becomes one wide
/// multiply-add each.
bool FunctionReader::foldsIntoAdd(const llvm::MachineInstr &product) const {
  if (!opcodes.getName(product.getOpcode()).starts_with("MUL_WIDE"))
    return false;
  return llvm::all_of(
      registers.use_nodbg_instructions(product.getOperand(0).getReg()),
      [&](const llvm::MachineInstr &use) {
        return opcodes.getName(use.getOpcode()) == "ADD64rr";
      });
}

static bool isOtherSideOfBranch(const llvm::MachineInstr &instruction) {
  const llvm::MachineInstr *before = instruction.getPrevNode();
  return instruction.isUnconditionalBranch() && before &&
         before->isConditionalBranch();
}

void FunctionReader::costOf(const llvm::MachineInstr &instruction,
                            CodeNode &node) {
  llvm::StringRef name = opcodes.getName(instruction.getOpcode());
  auto single = [&](InstructionClass id) {
    node.cost[id] += 1;
    node.main = id;
  };
  if (instruction.isInlineAsm()) {
    node.cost = classifyAssembly(instruction.getOperand(0).getSymbolName(),
                                 code.unknownInstructions);
  } else if (isReadOnlyLoad(name)) {
    single(InstructionClass::LoadGlobal);
  } else if (name.starts_with("LD_") || name.starts_with("LDV_") ||
             name.starts_with("ST_") || name.starts_with("STV_") ||
             name.starts_with("INT_PTX_ATOM") ||
             name.starts_with("INT_PTX_SATOM") || name.starts_with("ATOM_")) {
    InstructionClass id = memoryClass(instruction);
    // Parameters, and constants at a known place, are operands of the
    // instructions that use them.
    bool isOperand =
        id == InstructionClass::Move ||
        (id == InstructionClass::LoadConstant && !readsRegister(instruction));
    if (!isOperand)
      single(id);
  } else if (name == "ADD64rr") {
    const llvm::MachineInstr *a =
        definitionOf(instruction.getOperand(1), registers);
    const llvm::MachineInstr *b =
        definitionOf(instruction.getOperand(2), registers);
    bool fused = (a && foldsIntoAdd(*a)) || (b && foldsIntoAdd(*b));
    if (fused)
      single(InstructionClass::IntMul);
    else
      node.cost[InstructionClass::IntAdd] += 2;
  } else if (foldsIntoAdd(instruction)) {
    // Counted where it is added; its constant takes a register of its own.
    needsConstant |= instruction.getOperand(2).isImm();
  } else if (instruction.isCopyLike() || instruction.isMetaInstruction()) {
    // gone after register allocation
  } else if (isOtherSideOfBranch(instruction)) {
    // the assembler places one of the two successors behind the branch
  } else {
    std::optional<Expansion> expansion = classifyOpcode(name);
    unsigned tag = tagOf(instruction.getDebugLoc());
    bool tagged = tag && tag < snapshot.calleeOfTag.size();
    // Calls and opcodes without a name are known by what they came from.
    if (!expansion || name.starts_with("CALL"))
      if (tagged && !snapshot.calleeOfTag[tag].empty())
        if (auto known = classifyIntrinsic(snapshot.calleeOfTag[tag]))
          expansion = known;
    if (!expansion) {
      ++code.unknownInstructions;
      single(InstructionClass::Move);
    } else {
      for (const ClassCount &part : *expansion)
        node.cost[part.id] += part.count;
    }
  }
  for (const InstructionClassInfo &info : instructionClassInfos())
    if (node.cost[info.id] > 0 &&
        (node.main == InstructionClass::Move || isMemory(info.id)))
      node.main = info.id;
  node.free = node.cost.total() == 0;
}

/// What stands for several lines after merging has no tag and is left out.
std::vector<LineCode>
FunctionReader::sumLines(llvm::ArrayRef<CodeNode> nodes,
                         llvm::ArrayRef<unsigned> tags) const {
  std::map<unsigned, InstructionMix> mixes;
  for (auto [node, tag] : llvm::zip(nodes, tags))
    if (unsigned line = snapshot.isTag(tag) ? snapshot.lineOfTag[tag] : 0)
      if (!node.free)
        mixes[line].add(node.cost);
  std::vector<LineCode> lines;
  for (const auto &[line, mix] : mixes)
    lines.push_back({snapshot.sourceLines->location(line), mix});
  sortLines(lines);
  return lines;
}

MachineCode FunctionReader::readBlock(const llvm::MachineBasicBlock &block) {
  std::vector<CodeNode> nodes;
  std::vector<unsigned> tags;
  llvm::DenseMap<llvm::Register, unsigned> lastDefinition;
  // Memory order: reads may pass reads; nothing passes a write of the same kind
  // of memory; nothing passes a barrier.
  struct Order {
    std::optional<unsigned> write;
    llvm::SmallVector<unsigned, 8> reads;
  };
  std::map<int, Order> memory;
  std::optional<unsigned> barrier;
  auto spaceKey = [](InstructionClass id) {
    using enum InstructionClass;
    return id == LoadShared || id == StoreShared || id == AtomicShared ? 1
           : id == LoadLocal || id == StoreLocal                       ? 2
           : id == LoadConstant                                        ? 3
                                                                       : 0;
  };
  for (const llvm::MachineInstr &instruction : block) {
    if (instruction.isDebugInstr() || instruction.isPHI())
      continue;
    unsigned position = nodes.size();
    CodeNode &node = nodes.emplace_back();
    costOf(instruction, node);
    tags.push_back(tagOf(instruction.getDebugLoc()));
    for (const llvm::MachineOperand &operand : instruction.all_uses())
      if (auto found = lastDefinition.find(operand.getReg());
          found != lastDefinition.end() && operand.getReg().isVirtual())
        node.inputs.push_back(found->second);
    bool ordersAll = node.main == InstructionClass::Barrier ||
                     node.main == InstructionClass::Fence ||
                     node.main == InstructionClass::Call;
    bool writes = isMemory(node.main) && instruction.mayStore();
    if (isMemory(node.main) && !ordersAll) {
      Order &order = memory[spaceKey(node.main)];
      bool constantRead =
          instruction.isDereferenceableInvariantLoad() ||
          isReadOnlyLoad(opcodes.getName(instruction.getOpcode())) ||
          node.main == InstructionClass::LoadConstant;
      if (order.write && !constantRead)
        node.inputs.push_back(*order.write);
      if (barrier)
        node.inputs.push_back(*barrier);
      if (writes) {
        llvm::append_range(node.inputs, order.reads);
        order.reads.clear();
        order.write = position;
      } else {
        order.reads.push_back(position);
      }
    }
    if (ordersAll) {
      for (auto &[space, order] : memory) {
        llvm::append_range(node.inputs, order.reads);
        if (order.write)
          node.inputs.push_back(*order.write);
        order = {};
      }
      if (barrier)
        node.inputs.push_back(*barrier);
      barrier = position;
    }
    llvm::sort(node.inputs);
    node.inputs.erase(llvm::unique(node.inputs), node.inputs.end());
    for (const llvm::MachineOperand &operand : instruction.all_defs())
      if (operand.getReg().isVirtual())
        lastDefinition[operand.getReg()] = position;
  }
  MachineCode result = summarizeBlock(nodes);
  result.lines = sumLines(nodes, tags);
  return result;
}

KernelCode auspex::readFunction(const llvm::MachineFunction &machine,
                                const CodeSnapshot &snapshot,
                                const CodeOwners &owners) {
  return FunctionReader(machine, snapshot, owners).read();
}
