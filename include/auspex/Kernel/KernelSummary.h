// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the code of one kernel does, as expressions in the launch: the value
/// that the analysis produces and everything else starts from.
///
/// Symbols of the expressions: tid.x/y/z, ctaid.x/y/z, ntid.x/y/z,
/// nctaid.x/y/z; argK for the integer argument K, argK.B for the integer at
/// byte B of the struct argument K; @name.B for the number at byte B of the
/// device variable of that mangled name; iN for the iteration number (from 0)
/// of loop N; and the data symbols listed in the summary, which stand for
/// values the code reads from memory or computes in ways that have no
/// expression.
#ifndef AUSPEX_KERNEL_KERNELSUMMARY_H
#define AUSPEX_KERNEL_KERNELSUMMARY_H

#include "auspex/Expr/Expr.h"
#include "auspex/Footprint/SymbolKinds.h"
#include "auspex/Kernel/InstructionMix.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace auspex {

/// A place in the source. inlinedAt is the call site if the code comes from a
/// function that was inlined, innermost first.
struct SourceLocation {
  std::string file;
  unsigned line = 0, column = 0;
  std::vector<SourceLocation> inlinedAt;

  bool isKnown() const { return line != 0; }
  /// In a header of the compiler, the toolkit or the system, as its path tells.
  bool isInSystemHeader() const;
  /// The innermost place that is not in such a header: where users can change
  /// something.
  SourceLocation outsideSystemHeaders() const;
  /// The same as parts of this one: the place, and its call sites.
  std::pair<const SourceLocation *, llvm::ArrayRef<SourceLocation>>
  partOutsideSystemHeaders() const;
  /// "file:line:column"; the file alone, or "", if that is all there is.
  std::string str() const;
  bool operator==(const SourceLocation &) const = default;
};

/// An expression, or the word that says why there is none: "indirect" (it
/// depends on data read from memory), "call", "inline-asm", "float", "phi" (it
/// changes around a loop in no regular way), "rank" (the place of a lane among
/// those that vote alike), "search" (data choose a half of a
/// range that a loop halves), "pointer" (no base object), "complex" (too many
/// terms), "atomic", "texture" (the address is the business of the texture
/// unit).
struct MaybeExpr {
  Expr expr = Expr::invalid();
  std::string reason;

  bool isKnown() const { return expr.isValid(); }
  /// Unknown, but made of indices, if in a way that no expression has room for:
  /// of neighbours it is usually close.
  bool isCalculated() const {
    return reason == "complex" || reason == "float" || reason == "phi" ||
           reason == "rank";
  }
  /// Unknown; turn k of the loop around it finds one of 2^k places.
  bool isSearch() const { return reason == "search"; }
  static MaybeExpr unknown(llvm::StringRef reason) {
    return {Expr::invalid(), reason.str()};
  }
  bool operator==(const MaybeExpr &) const = default;
};

struct Argument {
  enum class Kind { Pointer, Integer, Float, Struct };
  /// A number or pointer in a struct.
  struct Member {
    Kind kind = Kind::Integer;
    /// From the begin of the struct.
    unsigned byte = 0;
    /// Within the struct: "size.x", "steps[1]".
    std::string name;
    bool operator==(const Member &) const = default;
  };
  Kind kind = Kind::Integer;
  unsigned sizeInBytes = 0;
  /// Empty if the compiler dropped it.
  std::string name;
  /// Of a struct, as far as the source names them.
  std::vector<Member> members = {};
  bool operator==(const Argument &) const = default;
};

llvm::StringRef toString(Argument::Kind kind);

/// Texture: by way of a texture or surface object.
enum class MemorySpace { Global, Shared, Local, Constant, Texture, Unknown };
enum class AccessKind { Load, Store, Atomic };
/// Of what can only do either.
constexpr AccessKind loadOrStore(bool isStore) {
  return isStore ? AccessKind::Store : AccessKind::Load;
}

llvm::StringRef toString(MemorySpace space);
llvm::StringRef toString(AccessKind kind);

/// At the end of the name of an object that pointers in another point to.
constexpr char PointeeMark[] = "[]";

/// One instruction that reads or writes memory.
struct Access {
  /// Of one instruction of a warp, since Blackwell; 16 before.
  static constexpr unsigned MostBytesOfLane = 32;

  /// Index into blocks.
  unsigned block = 0;
  AccessKind kind = AccessKind::Load;
  MemorySpace space = MemorySpace::Global;
  unsigned bytesPerLane = 4;
  /// Of a warp, the first so many lanes take part: fewer than 32 where ldmatrix
  /// and stmatrix move fewer rows.
  unsigned lanes = 32;
  /// The object the address is in: "arg0", "@tile", "arg2.8" (the pointer at
  /// byte 8 of a struct argument), "@rows.0" (that at byte 0 of a variable),
  /// "arg0[]" (what pointers in arg0 point to);
  /// of a texture the argument or member with its object; empty if it is not
  /// known.
  std::string base;
  /// What the object holds, of a variable with a declared size; 0 if it is not
  /// known.
  uint64_t objectInBytes = 0;
  /// Bytes from the base.
  MaybeExpr offset;
  /// Of an unknown offset, the least and the most it is in a launch, whatever
  /// the data: of `bins[key % n]`, 0 and 4*n - 4. Unknown without a reason if
  /// there is no such bound.
  MaybeExpr lowest, highest;
  /// Of an unknown offset in global memory that data decide, the offset all the
  /// same: data symbols stand in it for what they pick. Invalid for others.
  Expr picked = Expr::invalid();
  /// The operation of an atomic: "add", "cas" ...
  std::string operation;
  /// Of an atomic: nothing reads what it returns.
  bool isReduction = false;
  /// Of an atomic addition of integers: all lanes add the constant 1.
  bool isIncrement = false;
  /// Of an atomic: all lanes of a warp have the same operand.
  bool hasOneOperand = false;
  /// Of a compare-and-swap: a loop tries it again with what it found, until no
  /// other thread was faster.
  bool isRetried = false;
  /// Of a load from global memory: it goes to L2 whatever L1 holds, as volatile
  /// loads, __ldcg, cp.async.cg and bulk copies do.
  bool bypassesL1 = false;
  SourceLocation location;

  /// Whether a thread has it copied without an instruction of each lane
  /// (cp.async.bulk): no lane of a load or store has as much.
  bool isBulk() const { return bytesPerLane > MostBytesOfLane; }
  bool hasBounds() const { return lowest.isKnown() && highest.isKnown(); }
  /// Whether L1 may have what it asks for; atomics are done at L2.
  bool goesThroughL1() const { return kind == AccessKind::Load && !bypassesL1; }
  bool operator==(const Access &) const = default;
};

/// A loop; its iterations are numbered from 0 by the symbol \p iv.
struct Loop {
  /// "i0", "i1", ...; the position in the list of loops.
  std::string iv;
  /// Index of the loop around this one, or -1.
  int parent = -1;
  /// How often a thread runs the body each time it comes to the loop.
  MaybeExpr tripCount;
  /// Where it is unrolled, the turns that are left of whole groups come before
  /// these.
  bool isRestFirst = false;
  SourceLocation location;
  bool operator==(const Loop &) const = default;
};

/// The instructions that come from one line of the source.
struct LineCode {
  /// File and line: the innermost place outside system headers.
  SourceLocation location;
  InstructionMix mix;
  bool operator==(const LineCode &) const = default;
};

/// One machine version of a block. Unrolling makes several: one that stands for
/// `unroll` executions of the block, and one for what is left over.
///
/// With an `unroll` of 0 it is no version but what runs before one and the
/// larger ones, once each time that warps come to the loop and have turns for
/// them: counters and addresses. If it begins the one with 1, there have to be
/// turns left over.
struct MachineCode {
  unsigned unroll = 1;
  /// The unroll factor of the version that it begins, if it is none.
  unsigned begins = 0;
  /// Instructions of one run through this version.
  InstructionMix mix;
  /// The instructions on the longest chain of true dependences, memory
  /// included.
  InstructionMix path;
  /// Of these, floating-point arithmetic of 32 and 64 bits that reads three
  /// different registers.
  InstructionMix threeOperands;
  /// Of mix, integer additions, shifts and moves that the assembler has as
  /// multiply-adds (IMAD.IADD, IMAD.SHL, IMAD.MOV), in the mean over the
  /// kernel: so the pipes of integers and of multiply-adds have about as much
  /// to do.
  InstructionMix asMultiplyAdds;
  /// GPUPerf 5.3: instructions over groups of independent ones; and the mean
  /// number of memory requests between a load and its first use.
  double ilp = 1, mlp = 1;
  /// The part of the mix whose lines are known, each line once, sorted by line
  /// and file.
  std::vector<LineCode> lines;
  bool operator==(const MachineCode &) const = default;
};

/// A basic block of the kernel after early optimisation.
struct Block {
  std::string name;
  /// Index of the innermost loop around it, or -1.
  int loop = -1;
  /// The condition, 0 or 1, for a thread to come here in a given iteration of
  /// the loops around.
  MaybeExpr guard;
  /// The block before that the assembler joins this one to, its instructions
  /// predicated, so that warps issue them without coming here; -1 if none.
  int predicatedIn = -1;
  /// Versions with the largest unroll factor first, and then what begins them;
  /// empty if the block has no instructions.
  std::vector<MachineCode> code;

  llvm::ArrayRef<MachineCode> versions() const {
    return llvm::ArrayRef(code).take_while(
        [](const MachineCode &version) { return version.unroll > 0; });
  }

  /// Which interval between two barriers of the whole block of threads most of
  /// it lies in, numbered from 0: of the same interval, what different warps
  /// run, they run side by side.
  unsigned interval = 0;
  bool operator==(const Block &) const = default;
};

/// A conditional branch that some lanes of a warp may take and others not; of a
/// switch one for each way to go, of the same block.
struct Branch {
  unsigned block = 0;
  /// The condition under which the first successor is taken, or the way.
  MaybeExpr condition;
  SourceLocation location;
  bool operator==(const Branch &) const = default;
};

/// A value that enters expressions but is not known before the kernel runs.
struct DataSymbol {
  std::string name;
  /// As in MaybeExpr.
  std::string reason;
  /// All lanes of a warp have the same value.
  bool uniform = false;
  /// For conditions: how likely it is 1, by the compiler's estimate.
  std::optional<double> probability;
  SourceLocation location;
  /// Of what addresses are made of: wherever all of these, expressions of
  /// thread and block indices and of loop counters, are the same, it has the
  /// same value. Empty if it has one value in the launch, or is not uniform and
  /// nothing is known.
  std::vector<Expr> changesWith{};

  /// Whether that tells most lanes side by side apart, in blocks that are wide
  /// along x, if what else it is of is large.
  bool tellsLanesApart() const;
  bool operator==(const DataSymbol &) const = default;
};

/// A function that is called and not inlined.
struct Callee {
  /// Empty for a call through a pointer.
  std::string name;
  unsigned block = 0;
  SourceLocation location;
  /// Why nothing of what it does is in the summary, as in "it calls itself";
  /// empty if its cost is known.
  std::string whyLeftOut;
  bool operator==(const Callee &) const = default;
};

/// How many instructions of class \p id a warp waits for in one run of \p code,
/// one after the other: those on the longest chain of dependences. What is
/// loaded needs registers until it is used, so no more than about 40 loads from
/// global memory and 10 from shared memory are under way at once, however many
/// could be: as many as ptxas 13 issues ahead of their uses in tiled products
/// and convolutions.
double waitedFor(const MachineCode &code, InstructionClass id);

constexpr unsigned RegisterInBytes = 4;

enum class RegisterOrigin { Estimated, Assembler, Override };
llvm::StringRef toString(RegisterOrigin origin);

struct KernelSummary {
  /// Mangled and demangled names.
  std::string name, demangled;
  /// "ns::k<Order::Same>" as the source writes an instance whose mangled name
  /// has numbers in the place of enumerators, "k<(ns::Order)0>"; else empty.
  std::string spelling;
  SourceLocation location;
  /// Compute capability the code was compiled for: 80 for sm_80.
  unsigned arch = 0;
  std::vector<Argument> arguments;
  /// The variables of the module, by mangled names, that enter expressions:
  /// host code sets them, and they are the same in a whole launch.
  std::vector<Argument> variables;

  /// __launch_bounds__ and reqntid; 0 where the source says nothing.
  unsigned maxThreadsPerBlock = 0, minBlocksPerSM = 0;
  unsigned requiredBlock[3] = {0, 0, 0};

  uint64_t staticSharedInBytes = 0;
  bool usesDynamicShared = false;
  /// Local memory a thread, for spills and private arrays.
  uint64_t localInBytes = 0;
  /// Of RegisterInBytes each.
  unsigned registers = 0;
  RegisterOrigin registerOrigin = RegisterOrigin::Estimated;

  std::vector<Loop> loops;
  std::vector<Block> blocks;
  std::vector<Access> accesses;
  std::vector<Branch> branches;
  std::vector<DataSymbol> dataSymbols;
  std::vector<Callee> callees;
  /// Where constants make arithmetic on floats one in double precision, each
  /// line once.
  std::vector<SourceLocation> doublesOfFloats;
  /// What the analysis took for granted, in full sentences.
  std::vector<std::string> assumptions;

  /// Share of the memory accesses with an address, or to local memory, where
  /// none is needed, and of the loops with a trip count; 1 if there are none.
  double accessCoverage() const;
  double loopCoverage() const;
  bool operator==(const KernelSummary &) const = default;
};

/// The lane of a thread, and the number of its warp, from its indices and the
/// size of its block.
Expr laneOfThread();
Expr warpOfThread();

/// Has each thread of \p kernel spill \p words 32-bit words more, which it
/// stores and loads once: as counters show of kernels that ptxas makes spill.
void addSpills(KernelSummary &kernel, uint64_t words);

/// What the host sets that the expressions use.
std::set<std::string> symbolsSetByHost(const KernelSummary &summary);

/// The axes, of "xyz", along which the code tells threads or blocks apart but
/// never asks for the block's size: most likely it presumes one.
std::string axesOfPresumedSize(const KernelSummary &summary);

} // namespace auspex

#endif
