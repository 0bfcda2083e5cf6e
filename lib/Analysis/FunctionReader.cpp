// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FunctionReader.h"

#include "CodeDependences.h"
#include "ConstantFetches.h"
#include "ConstantMoves.h"
#include "InstructionCosts.h"
#include "LaunchBounds.h"
#include "MachineMemory.h"
#include "NvccUnrolling.h"
#include "Predication.h"
#include "RegisterEstimate.h"
#include "SharedDivisions.h"
#include "Target.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Target/TargetMachine.h"

#include <map>
#include <tuple>

using namespace auspex;

/// How often the assembler copies the body of a short loop.
static constexpr unsigned AssemblerUnroll = 4;

namespace {

/// Code of a block of the snapshot: `unroll` and `begins` are MachineCode's.
struct VersionKey {
  unsigned block = 0, unroll = 1, begins = 0;
  /// The largest unroll factor first.
  bool operator<(const VersionKey &other) const {
    return std::tuple(block, other.unroll, other.begins) <
           std::tuple(other.block, unroll, begins);
  }
};

/// Reads the machine code of one function.
class FunctionReader : MachineValues {
public:
  FunctionReader(const llvm::MachineFunction &machine,
                 const CodeSnapshot &snapshot, const CodeOwners &owners,
                 const AssembledKernel *assembled)
      : MachineValues(machine), machine(machine), snapshot(snapshot),
        owners(owners), assembled(assembled), arrays(machine),
        costs(machine, snapshot, arrays), arch(archOf(machine)) {}

  KernelCode read() {
    code.blocks.resize(snapshot.loopOfBlock.size());
    code.predicatedIn.resize(code.blocks.size(), -1);
    code.forks.resize(code.blocks.size());
    code.localInBytes = machine.getFrameInfo().estimateStackSize(machine);
    code.localInBytes -= std::min(code.localInBytes, arrays.sizeInBytes());
    CodeOwner last;
    for (const llvm::MachineBasicBlock &block : machine) {
      last = ownerOf(block).value_or(last);
      Part &part = parts[&block];
      part.owner = last;
      part.nodes = nodesOf(block);
    }
    balancePipes();
    for (const llvm::MachineBasicBlock &block : machine)
      parts[&block].code = readBlock(block);
    predicate();
    for (const llvm::MachineBasicBlock &block : machine)
      joinFrom(block);
    for (auto &[block, part] : parts)
      if (isUnrolled(*block, part, part.code.mix))
        part.copies = AssemblerUnroll;
    allocateRegisters();
    ConstantFetches fetches(machine, arch);
    ConstantMoves moves(
        machine, arch,
        [&](const llvm::MachineBasicBlock &block) { return madeOf(block); },
        [&](const llvm::MachineBasicBlock &block) {
          return turnKeepsConstants(parts[&block]);
        });
    for (auto &[block, part] : parts) {
      if (part.copies > 1)
        addVersions(*block, part, moves.of(*block));
      else
        part.code = loadInRounds(*block, std::move(part.code));
      part.code.mix[InstructionClass::FetchConstant] += fetches.of(*block);
      part.code.mix[InstructionClass::Move] += moves.of(*block);
      addCode(part.owner, std::move(part.code));
    }
    for (const auto &[key, copies] : versions) {
      std::vector<MachineCode> &all = code.blocks[key.block];
      unsigned groupSize =
          key.unroll == 1 && !all.empty() ? all.back().unroll : 1;
      all.push_back(joinCopies(copies, groupSize));
      all.back().unroll = key.unroll;
      all.back().begins = key.begins;
    }
    addPrologue();
    return std::move(code);
  }

private:
  std::optional<CodeOwner> ownerOf(const llvm::MachineBasicBlock &block) const;
  const CodeOwner *ownerOf(const llvm::BasicBlock &block) const;
  std::optional<CodeOwner> startOfVersion(const llvm::BasicBlock &block) const;

  using Copies = llvm::MapVector<const void *, MachineCode>;
  struct Part {
    CodeOwner owner;
    /// Its instructions by themselves.
    std::vector<CodeNode> nodes{};
    MachineCode code{};
    /// How often the assembler has it, one after the other.
    unsigned copies = 1;
    /// The assembler has it with other blocks as one.
    bool isJoined = false;
  };

  const llvm::MachineFunction &machine;
  const CodeSnapshot &snapshot;
  const CodeOwners &owners;
  const AssembledKernel *assembled;
  KernelCode code;
  const ArraysInRegisters arrays;
  InstructionCosts costs;
  unsigned arch;
  /// In the order of the function.
  llvm::MapVector<const llvm::MachineBasicBlock *, Part> parts;
  /// The copies of which a run is one.
  std::map<VersionKey, Copies> versions;
  std::optional<Predication> predication;

  /// A run is one of the copies. What has fewer than half of the accesses of
  /// another is no copy but code around them: what a loop starts with, say.
  ///
  /// If they are turns one after the other, which are left of \p groupSize, the
  /// later ones run less often, but the last one, which is predicated.
  static MachineCode joinCopies(const Copies &copies, unsigned groupSize) {
    double most = 0;
    for (const auto &[copy, code] : copies)
      most = std::max(most, memoryInstructions(code.mix));
    std::vector<MachineCode> whole, around;
    for (const auto &[copy, code] : copies)
      (2 * memoryInstructions(code.mix) >= most ? whole : around)
          .push_back(code);
    std::vector<MachineCode> runs;
    bool isRest = whole.size() > 1 && whole.size() + 1 == groupSize;
    for (auto [turn, code] : llvm::enumerate(whole))
      runs.insert(runs.end(), isRest ? std::max(2ul, whole.size() - turn) : 1,
                  code);
    MachineCode joined = average(runs);
    for (const MachineCode &code : around)
      append(joined, code);
    return joined;
  }

  void addCode(const CodeOwner &owner, MachineCode code) {
    auto &copies = versions[{owner.block, owner.unroll, owner.begins}];
    auto [copy, isNew] = copies.insert({owner.copy, code});
    if (!isNew)
      append(copy->second, code);
  }

  /// The assembler has a version of as many copies, and of a trip count that it
  /// does not know one of half as many for what that leaves. Each moves its
  /// constants once.
  void addVersions(const llvm::MachineBasicBlock &block, const Part &part,
                   unsigned moves) {
    auto add = [&](unsigned copies) {
      MachineCode version = loadInRounds(block, readBlock(block, copies));
      version.mix[InstructionClass::Move] += moves;
      addCode({part.owner.block, part.owner.unroll * copies, part.owner.copy},
              std::move(version));
    };
    add(part.copies);
    const llvm::BasicBlock *origin = block.getBasicBlock();
    int loop = snapshot.loopOfBlock[part.owner.block];
    if ((origin && isCounted(*origin)) || loop < 0)
      return;
    add(part.copies / 2);
    code.loopsOfVersions.push_back(
        {part.owner.block, snapshot.blockBeforeLoop[loop], part.owner.unroll});
  }

  /// Whether an instruction is a sequence with a branch.
  static bool hasSequence(const Part &part) {
    return llvm::any_of(part.nodes,
                        [](const CodeNode &node) { return node.endsBlock; });
  }

  /// Whether constants that a loop of this block alone moves are moved in front
  /// of it: if it is short and waits for no memory but shared. (Found by trying
  /// ptxas 11.8.)
  static bool turnKeepsConstants(const Part &part) {
    using enum InstructionClass;
    constexpr double Longest = 20;
    const InstructionMix &mix = part.code.mix;
    return !hasSequence(part) && mix.total() <= Longest &&
           mix[LoadGlobal] + mix[LoadLocal] + mix[Texture] == 0;
  }

  /// Whether there are instructions of a class that \p isMeant.
  bool uses(llvm::function_ref<bool(InstructionClass)> isMeant) const {
    return llvm::any_of(code.blocks, [&](const auto &versions) {
      return llvm::any_of(versions, [&](const MachineCode &version) {
        return llvm::any_of(instructionClassInfos(), [&](const auto &info) {
          return version.mix[info.id] > 0 && isMeant(info.id);
        });
      });
    });
  }

  /// What every kernel starts with: its stack pointer, the descriptor of global
  /// memory (since 8.0), and where shared memory begins, which is the block's
  /// rank in its cluster (since 9.0), scaled and added to a constant.
  void addPrologue() {
    if (code.blocks.empty() || code.blocks.front().empty())
      return;
    constexpr unsigned DescriptorsSince = 80, ClustersSince = 90;
    InstructionMix &mix = code.blocks.front().back().mix;
    using enum InstructionClass;
    mix[Move] += 1;
    if (arch >= DescriptorsSince && uses(isGlobalMemory))
      mix[Move] += 1;
    if (arch >= ClustersSince && uses(isSharedMemory))
      for (InstructionClass id : {Move, SpecialRegister, IntAdd})
        mix[id] += 1;
  }

  void allocateRegisters();
  void predicate();
  void joinFrom(const llvm::MachineBasicBlock &first);
  bool isUnrolled(const llvm::MachineBasicBlock &body, const Part &part,
                  const InstructionMix &mix) const;
  void balancePipes();
  struct Nodes {
    std::vector<CodeNode> nodes;
    /// The tag of each.
    std::vector<unsigned> tags;
  };
  std::vector<CodeNode> nodesOf(const llvm::MachineBasicBlock &block);
  llvm::SmallVector<const llvm::MachineInstr *>
  madeOf(const llvm::MachineBasicBlock &block) const;
  void readNodes(const llvm::MachineBasicBlock &block, unsigned copies,
                 CodeDependences &dependences, Nodes &to);
  MachineCode readBlock(const llvm::MachineBasicBlock &block,
                        unsigned copies = 1);
  MachineCode loadInRounds(const llvm::MachineBasicBlock &block,
                           MachineCode loads) const;
  using Registers = llvm::SmallDenseSet<llvm::Register, 4>;
  Registers countersOf(const llvm::MachineBasicBlock &body) const;
  std::vector<LineCode> sumLines(llvm::ArrayRef<CodeNode> nodes,
                                 llvm::ArrayRef<unsigned> tags) const;
};

} // namespace

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

/// The registers of \p body that count on by a constant from one run of it to
/// the next, at once or by way of another register.
FunctionReader::Registers
FunctionReader::countersOf(const llvm::MachineBasicBlock &body) const {
  Registers counters;
  llvm::SmallDenseMap<llvm::Register, llvm::Register, 4> sums;
  for (const llvm::MachineInstr &instruction : body) {
    llvm::StringRef name = nameOf(instruction);
    bool isSum = name == "ADD32ri" || name == "ADD64ri",
         isCopy = instruction.isCopy() || name.starts_with("MOV_"),
         isTruncation = name.starts_with("CVT_u32_u64");
    if ((!isSum && !isCopy && !isTruncation) ||
        !instruction.getOperand(1).isReg())
      continue;
    llvm::Register to = instruction.getOperand(0).getReg(),
                   from = instruction.getOperand(1).getReg();
    if (isSum)
      sums[to] = from;
    if ((isSum && to == from) || (isTruncation && counters.contains(from)))
      counters.insert(to);
    if (isCopy && sums.lookup(from) == to)
      counters.insert_range(std::array{to, from});
  }
  return counters;
}

/// A block that code generation has split off, as those of a division that is
/// short if its operands are, belongs to what comes before it; null if that has
/// no owner either.
const CodeOwner *FunctionReader::ownerOf(const llvm::BasicBlock &block) const {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 4> seen;
  const llvm::BasicBlock *at = &block;
  while (at && seen.insert(at).second) {
    if (auto found = owners.find(at); found != owners.end())
      return &found->second;
    at = llvm::pred_empty(at) ? nullptr : *llvm::pred_begin(at);
  }
  return nullptr;
}

/// None of blocks without an origin, which belong to the one they stand behind.
std::optional<CodeOwner>
FunctionReader::ownerOf(const llvm::MachineBasicBlock &block) const {
  const llvm::BasicBlock *origin = block.getBasicBlock();
  if (!origin)
    return std::nullopt;
  if (std::optional<CodeOwner> start = startOfVersion(*origin))
    return start;
  const CodeOwner *owner = ownerOf(*origin);
  return owner ? std::optional(*owner) : std::nullopt;
}

/// What begins a version of an unrolled loop, if \p block, on a way of its own,
/// goes to that loop alone.
std::optional<CodeOwner>
FunctionReader::startOfVersion(const llvm::BasicBlock &block) const {
  const llvm::BasicBlock *tests = block.getSinglePredecessor();
  const llvm::BasicBlock *header = block.getSingleSuccessor();
  auto loop = header ? owners.find(header) : owners.end();
  if (!tests || tests->getSingleSuccessor() || loop == owners.end())
    return std::nullopt;
  const CodeOwner &version = loop->second;
  const CodeOwner *around = ownerOf(*tests);
  bool isLoop =
      version.copy != header && around && around->copy != version.copy;
  if (!isLoop || llvm::none_of(owners, [&](const auto &other) {
        return other.second.block == version.block && other.second.unroll > 1;
      }))
    return std::nullopt;
  return CodeOwner{version.block, 0, nullptr, version.unroll};
}

static auto instructionsOf(const llvm::MachineBasicBlock &block) {
  return llvm::make_filter_range(
      block, [](const llvm::MachineInstr &instruction) {
        return !instruction.isDebugInstr() && !instruction.isPHI();
      });
}

/// Whether the assembler takes a body to be short: by instructions of PTX,
/// loads counting twice; what has none is to be shorter. (Found by trying
/// ptxas 11.8 for 8.0.)
static bool isShort(const llvm::MachineBasicBlock &body,
                    const InstructionMix &mix) {
  constexpr double Longest = 50, LongestWithoutMemory = 20;
  double length = llvm::count_if(
      instructionsOf(body), [](const llvm::MachineInstr &instruction) {
        return !instruction.isCopy() && !instruction.isUnconditionalBranch();
      });
  for (const InstructionClassInfo &info : instructionClassInfos())
    if (isLoad(info.id))
      length += mix[info.id];
  return length <=
         (memoryInstructions(mix) > 0 ? Longest : LongestWithoutMemory);
}

/// What the assembler unrolls: the short body of a loop that counts by a
/// constant, without branches, barriers, atomics and divisions. What the
/// optimiser has unrolled it leaves alone, unless it unrolls twice. \p mix is
/// of one turn.
bool FunctionReader::isUnrolled(const llvm::MachineBasicBlock &body,
                                const Part &part,
                                const InstructionMix &mix) const {
  using enum InstructionClass;
  auto isDivision = [&](const llvm::MachineInstr &instruction) {
    llvm::StringRef name = nameOf(instruction);
    return divides(name, "32") && name.ends_with("r");
  };
  if (!body.isSuccessor(&body) || !isShort(body, mix) || hasSequence(part) ||
      llvm::any_of(body, isDivision) ||
      warpWideInstructions(mix) + mix[AtomicGlobal] + mix[AtomicShared] > 0)
    return false;
  auto isAlone = [&] {
    return llvm::count_if(parts, [&](const auto &other) {
             return other.second.owner.block == part.owner.block;
           }) == 1;
  };
  const llvm::BasicBlock *block = body.getBasicBlock();
  if (part.owner.unroll > 1)
    return block && isUnrolledTwice(*block);
  if ((block && isNeverUnrolled(*block)) || !isAlone())
    return false;
  Registers counters = countersOf(body);
  for (const llvm::MachineInstr &instruction : body)
    if (nameOf(instruction).starts_with("SETP"))
      for (const llvm::MachineOperand &operand : instruction.all_uses())
        if (counters.contains(operand.getReg()))
          return true;
  return false;
}

std::vector<CodeNode>
FunctionReader::nodesOf(const llvm::MachineBasicBlock &block) {
  std::vector<CodeNode> nodes;
  for (const llvm::MachineInstr &instruction : instructionsOf(block))
    costs.read(instruction, nodes.emplace_back());
  return nodes;
}

/// What the assembler makes instructions of.
llvm::SmallVector<const llvm::MachineInstr *>
FunctionReader::madeOf(const llvm::MachineBasicBlock &block) const {
  llvm::SmallVector<const llvm::MachineInstr *> made;
  for (const auto &[instruction, node] :
       llvm::zip_equal(instructionsOf(block), parts.find(&block)->second.nodes))
    if (!node.free)
      made.push_back(&instruction);
  return made;
}

/// Has the pipe of multiply-adds do its share of integer work.
void FunctionReader::balancePipes() {
  PipeBalance balance(machine, arch);
  for (auto &[block, part] : parts) {
    InstructionMix mix;
    for (const CodeNode &node : part.nodes)
      mix.add(node.cost);
    // With what is left of groups of turns.
    bool isCopied = isUnrolled(*block, part, mix);
    balance.count(part.nodes, isCopied ? AssemblerUnroll + 1 : 1);
  }
  double share = balance.share();
  for (auto &[block, part] : parts)
    for (CodeNode &node : part.nodes)
      node.asMultiplyAdd *= share;
}

/// Of \p copies of a loop's body, one after the other, all but the last go on
/// without a test, and what counts is counted on once, unless it is multiplied:
/// an index that may wrap is another sum in each copy, not an offset.
void FunctionReader::readNodes(const llvm::MachineBasicBlock &block,
                               unsigned copies, CodeDependences &dependences,
                               Nodes &to) {
  HalfPairs halves(machine, costs.halfFusion());
  Registers counters, multiplied;
  if (copies > 1) {
    counters = countersOf(block);
    for (const llvm::MachineInstr &instruction : block)
      if (nameOf(instruction).contains("_WIDE"))
        for (const llvm::MachineOperand &operand : instruction.all_uses())
          multiplied.insert(operand.getReg());
  }
  auto isStep = [&](const llvm::MachineInstr &instruction,
                    llvm::StringRef name) {
    if (name.starts_with("ADD"))
      return counters.contains(instruction.getOperand(0).getReg()) &&
             !multiplied.contains(instruction.getOperand(1).getReg());
    return name.starts_with("MOV_") &&
           counters.contains(instruction.getOperand(0).getReg());
  };
  auto add = [&](const llvm::MachineInstr &instruction, const CodeNode &alone,
                 bool isLast) {
    llvm::StringRef name = nameOf(instruction);
    CodeNode &node = to.nodes.emplace_back(alone);
    if (halves.isGone(instruction)) {
      node = {};
      node.free = true;
    }
    // Free, and still between what it needs and what needs it.
    if (!isLast && (instruction.isBranch() || name.starts_with("SETP") ||
                    isStep(instruction, name))) {
      node = {};
      node.free = true;
    }
    to.tags.push_back(tagOf(instruction.getDebugLoc()));
    dependences.add(instruction, node);
  };
  for (unsigned copy = 1; copy <= copies; ++copy)
    for (auto [instruction, alone] :
         llvm::zip_equal(instructionsOf(block), parts[&block].nodes))
      add(instruction, alone, copy == copies);
}

MachineCode FunctionReader::readBlock(const llvm::MachineBasicBlock &block,
                                      unsigned copies) {
  CodeDependences dependences(*this);
  Nodes read;
  readNodes(block, copies, dependences, read);
  MachineCode result = summarizeBlock(read.nodes);
  result.lines = sumLines(read.nodes, read.tags);
  return result;
}

/// In a loop, loads for which there is no register wait for those before.
MachineCode FunctionReader::loadInRounds(const llvm::MachineBasicBlock &block,
                                         MachineCode loads) const {
  using enum InstructionClass;
  double rounds = code.registers.rounds.lookup(&block);
  double &waits = loads.path[LoadGlobal];
  if (waits > 0 && block.isSuccessor(&block))
    waits = std::clamp(rounds, waits, std::max(waits, loads.mix[LoadGlobal]));
  return loads;
}

/// Has the code of branches and their sides be what the assembler makes of
/// them.
void FunctionReader::predicate() {
  predication.emplace(
      machine,
      [&](const llvm::MachineBasicBlock &block) -> const InstructionMix & {
        return parts[&block].code.mix;
      },
      [&](const llvm::MachineBasicBlock &block) {
        return snapshot.loopOfBlock[parts[&block].owner.block];
      });
  auto dropBranch = [&](const llvm::MachineBasicBlock &block) {
    double &branches = parts[&block].code.mix[InstructionClass::Control];
    branches = std::max(0.0, branches - 1);
  };
  for (const llvm::MachineBasicBlock &fork : machine) {
    unsigned head = parts[&fork].owner.block;
    if (predication->forks(fork))
      code.forks[head] = true;
    if (predication->sidesOf(fork).empty())
      continue;
    dropBranch(fork);
    llvm::for_each(predication->sidesOf(fork),
                   [&](const auto *side) { dropBranch(*side); });
    for (const llvm::MachineBasicBlock *side : predication->sidesIn(fork))
      if (int &in = code.predicatedIn[parts[side].owner.block];
          in < 0 && head < parts[side].owner.block)
        in = static_cast<int>(head);
  }
}

/// Blocks that the assembler makes one by predicating their sides: what they
/// load is under way together.
void FunctionReader::joinFrom(const llvm::MachineBasicBlock &first) {
  std::vector<const llvm::MachineBasicBlock *> blocks;
  std::vector<JoinedPart> joined;
  auto add = [&](const llvm::MachineBasicBlock &block, bool isSide) {
    blocks.push_back(&block);
    joined.push_back({0, isSide});
    parts[&block].isJoined = true;
  };
  for (const llvm::MachineBasicBlock *block = &first;
       block && !parts[block].isJoined; block = predication->next(*block)) {
    add(*block, /*isSide=*/false);
    size_t firstSide = joined.size(), lastSide = firstSide;
    for (const llvm::MachineBasicBlock *side : predication->sidesOf(*block)) {
      lastSide = joined.size();
      add(*side, /*isSide=*/true);
      for (const llvm::MachineBasicBlock *inner : predication->sidesIn(*side))
        add(*inner, /*isSide=*/true);
    }
    if (firstSide != lastSide) {
      joined[firstSide].otherSide = lastSide;
      joined[lastSide].otherSide = firstSide;
    }
  }
  if (blocks.size() < 2)
    return;
  CodeDependences dependences(*this);
  Nodes all;
  for (auto [block, part] : llvm::zip(blocks, joined)) {
    size_t before = all.nodes.size();
    if (part.isSide)
      dependences.beginSide();
    readNodes(*block, 1, dependences, all);
    if (part.isSide)
      dependences.endSide();
    part.nodes = all.nodes.size() - before;
  }
  for (auto [block, summary] :
       llvm::zip(blocks, summarizeJoined(all.nodes, joined))) {
    MachineCode &own = parts[block].code;
    own.path = summary.path;
    own.threeOperands = summary.threeOperands;
    own.ilp = summary.ilp;
    own.mlp = summary.mlp;
  }
}

/// Spills belong to no line.
void FunctionReader::allocateRegisters() {
  auto weightOf = [&](unsigned ofSnapshot) {
    constexpr double RunsOfLoop = 8;
    double weight = 1;
    for (int loop = snapshot.loopOfBlock[ofSnapshot]; loop != -1;
         loop = snapshot.loopParent[loop])
      weight *= RunsOfLoop;
    return weight;
  };
  llvm::DenseMap<const llvm::MachineBasicBlock *, unsigned> arrayWords =
      arrays.wordsInBlocks();
  code.registers = estimateRegisters(
      machine, registerBudget(launchBoundsOf(machine.getFunction()), arch),
      assembled, [&](const llvm::MachineBasicBlock &block) {
        const Part &part = parts[&block];
        return BlockFacts{part.code.mix.total(), weightOf(part.owner.block),
                          part.copies, arrayWords.lookup(&block)};
      });
  for (const auto &[block, values] : code.registers.computedAnew)
    parts[block].code.mix[InstructionClass::IntAdd] += values;
  for (const auto &[block, spills] : code.registers.spills) {
    MachineCode &part = parts[block].code;
    part.mix[InstructionClass::StoreLocal] += spills.stores;
    part.mix[InstructionClass::LoadLocal] += spills.loads;
    part.path[InstructionClass::LoadLocal] += spills.loads > 0;
  }
}

KernelCode auspex::readFunction(const llvm::MachineFunction &machine,
                                const CodeSnapshot &snapshot,
                                const CodeOwners &owners,
                                const AssembledKernel *assembled) {
  return FunctionReader(machine, snapshot, owners, assembled).read();
}
