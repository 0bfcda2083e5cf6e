// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How nvcc copies structs and arrays, where LLVM does otherwise. Found by
/// trying nvcc 11.8 and 13.
///
/// Of `m = choice ? a : b` LLVM copies one of both from where it is, which
/// keeps them in memory. nvcc chooses each member.
///
/// Of `float4 v = p[i]; v.x = 0; p[i] = v` LLVM loads and stores the members
/// that are used or changed, each alone. nvcc moves the whole as one vector.
///
/// Of `const int steps[] = {...}` in a function LLVM reads the constants in
/// memory where they are indexed by what is not known. For nvcc it is a private
/// array like any other, of whatever size, and each thread stores each element.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCSTRUCTCOPIES_H
#define AUSPEX_LIB_ANALYSIS_NVCCSTRUCTCOPIES_H

#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"

namespace auspex {

/// Copies a struct that is one of two private variables member by member. To
/// be run before variables become registers.
class CopyChosenStructs : public llvm::PassInfoMixin<CopyChosenStructs> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Aligns both sides of an assignment of a structure as that is, where clang
/// knows no more of one side than the array that it is a part of. To be run
/// before copies are joined.
class AlignAssignments : public llvm::PassInfoMixin<AlignAssignments> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Stores what private variables begin with, element by element. To be run
/// before anything looks where it comes from.
class StoreConstants : public llvm::PassInfoMixin<StoreConstants> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Fills a private variable that is changed in part, and stores it, as vectors
/// where it is aligned to its 2, 4, 8 or 16 bytes, or to 16 of more, and has
/// members of one size. To be run before variables become registers.
class CopyChangedVectors : public llvm::PassInfoMixin<CopyChangedVectors> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &);
};

/// Skips, in functions where CopyChangedVectors has found such a variable, the
/// pass that stores the one member that is new of a vector that was loaded.
void keepVectorsWhole(llvm::PassInstrumentationCallbacks &callbacks);

/// Loads no more of a vector than the aligned half, quarter ... that has all
/// elements that are used.
class NarrowVectorLoads : public llvm::PassInfoMixin<NarrowVectorLoads> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Makes vectors of 16 bytes of each small copy that is aligned to them, as
/// nvcc does; of 32 bytes from 10.0 on. Others from or to shared arrays become
/// words, which are joined as each side is aligned.
void copyVectorsWhole(llvm::Module &module, unsigned arch);

} // namespace auspex

#endif
