// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tags: every instruction of a snapshot gets a location whose line is a number
/// of its own. Whatever the rest of the pipeline and the back end make of the
/// instruction carries the line along.
#ifndef AUSPEX_LIB_ANALYSIS_CODETAGS_H
#define AUSPEX_LIB_ANALYSIS_CODETAGS_H

#include "auspex/Kernel/KernelSummary.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/Function.h"

#include <string>
#include <vector>

namespace auspex {

/// The lines that instructions come from, kept before tags take the place of
/// their locations.
class SourceLines {
public:
  void add(const llvm::Function &function);

  /// The index of an instruction's line; 0 if it is not known.
  unsigned lineOf(const llvm::Instruction &instruction) const {
    return numbers.lookup(&instruction);
  }
  const SourceLocation &location(unsigned line) const { return lines[line]; }

private:
  std::vector<SourceLocation> lines{SourceLocation()};
  llvm::DenseMap<const llvm::Instruction *, unsigned> numbers;
  llvm::DenseMap<const llvm::DILocation *, unsigned> numberOfLocation;
  llvm::StringMap<unsigned> numberOfLine;

  unsigned number(const llvm::DILocation &location);
};

/// What the tags of one kernel stand for, and the shape of its control flow
/// before the rest of the pipeline changed it. Blocks are numbered in the order
/// of the function.
struct CodeSnapshot {
  llvm::Function *function = nullptr;
  /// For tag t (from 1): the block, and the callee's name for calls.
  std::vector<unsigned> blockOfTag{0};
  std::vector<std::string> calleeOfTag{""};
  /// Whether the first argument of a call points into shared memory, which the
  /// machine code of wmma does not say.
  std::vector<bool> isSharedOfTag{false};
  /// Its line in sourceLines; 0 if it is not known.
  std::vector<unsigned> lineOfTag{0};
  const SourceLines *sourceLines = nullptr;
  /// Innermost loop of a block (-1: none), its parent, and the block before it.
  std::vector<int> loopOfBlock;
  std::vector<int> loopParent;
  std::vector<unsigned> blockBeforeLoop;
  /// Entry and exit numbers of a walk over the dominator tree.
  std::vector<std::pair<unsigned, unsigned>> dominatorSpan;

  bool isTag(unsigned tag) const { return tag > 0 && tag < blockOfTag.size(); }
  bool dominates(unsigned a, unsigned b) const {
    return dominatorSpan[a].first <= dominatorSpan[b].first &&
           dominatorSpan[b].second <= dominatorSpan[a].second;
  }
  bool loopContains(int outer, int inner) const {
    while (inner != -1 && inner != outer)
      inner = loopParent[inner];
    return inner == outer;
  }
};

/// Gives tags to functions of one module, whose debug information is gone.
class CodeTagger {
public:
  explicit CodeTagger(llvm::Module &module);

  /// \p lines has to live as long as the result.
  CodeSnapshot tag(llvm::Function &function, const SourceLines &lines);
  /// Has to be called after the last function.
  void finish() { builder.finalize(); }

private:
  llvm::DIBuilder builder;
  llvm::DICompileUnit *unit;
  llvm::DISubroutineType *type;
};

/// The tag in a location; 0 if there is none.
inline unsigned tagOf(const llvm::DebugLoc &location) {
  return location ? location.getLine() : 0;
}

} // namespace auspex

#endif
