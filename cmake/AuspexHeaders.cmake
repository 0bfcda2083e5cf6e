# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Headers compiled once for all files of a kind: without, they are two thirds of
# what a build takes. Every file still names all that it uses: with
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON the build is the same.

# auspex_add_headers(<kind> <header>...)
#
# Precompiles headers; auspex_use_headers(<target> <kind>) then reads them.
function(auspex_add_headers kind)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${kind}Headers.cpp")
  file(WRITE "${source}" "")
  add_library(AuspexPrecompiled${kind} OBJECT "${source}")
  target_precompile_headers(AuspexPrecompiled${kind} PRIVATE ${ARGN})
endfunction()

# auspex_use_headers(<target> <kind>)
function(auspex_use_headers target kind)
  target_precompile_headers(${target} REUSE_FROM AuspexPrecompiled${kind})
endfunction()

set(AUSPEX_SUPPORT_HEADERS
  <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <numeric>
  <optional> <random> <set> <string> <utility> <variant> <vector>
  <llvm/ADT/DenseMap.h> <llvm/ADT/DenseSet.h> <llvm/ADT/MapVector.h>
  <llvm/ADT/STLExtras.h> <llvm/ADT/SetVector.h> <llvm/ADT/SmallString.h>
  <llvm/ADT/StringExtras.h> <llvm/ADT/StringMap.h> <llvm/ADT/StringSet.h>
  <llvm/ADT/StringSwitch.h> <llvm/Support/Error.h>
  <llvm/Support/FileSystem.h> <llvm/Support/FormatVariadic.h>
  <llvm/Support/JSON.h> <llvm/Support/MathExtras.h>
  <llvm/Support/MemoryBuffer.h> <llvm/Support/Path.h>
  <llvm/Support/raw_ostream.h>)
# What every room from Kernel upwards reads.
set(AUSPEX_KERNEL_HEADERS ${AUSPEX_SUPPORT_HEADERS}
  "${PROJECT_SOURCE_DIR}/include/auspex/HW/GPU.h"
  "${PROJECT_SOURCE_DIR}/include/auspex/Kernel/BoundKernel.h")
set(AUSPEX_IR_HEADERS ${AUSPEX_KERNEL_HEADERS}
  <llvm/Analysis/LoopInfo.h> <llvm/Analysis/ScalarEvolutionExpressions.h>
  <llvm/Analysis/TargetTransformInfo.h> <llvm/Analysis/ValueTracking.h>
  <llvm/CodeGen/MachineFunction.h>
  <llvm/IR/Dominators.h> <llvm/IR/IRBuilder.h> <llvm/IR/InstIterator.h>
  <llvm/IR/IntrinsicInst.h> <llvm/IR/IntrinsicsNVPTX.h> <llvm/IR/Module.h>
  <llvm/IR/Operator.h> <llvm/IR/PassManager.h> <llvm/IR/PatternMatch.h>
  <llvm/Passes/PassBuilder.h>)

# For rooms below Kernel, for those that know kernels and no compiler, for
# those that read LLVM's IR, and for those that read clang's trees.
auspex_add_headers(Support ${AUSPEX_SUPPORT_HEADERS})
auspex_add_headers(Kernel ${AUSPEX_KERNEL_HEADERS})
auspex_add_headers(IR ${AUSPEX_IR_HEADERS})
auspex_add_headers(Clang ${AUSPEX_KERNEL_HEADERS}
  <clang/AST/ASTContext.h> <clang/AST/Attr.h> <clang/AST/DeclCXX.h>
  <clang/AST/DeclTemplate.h> <clang/AST/ExprCXX.h>
  <clang/AST/RecursiveASTVisitor.h> <clang/AST/StmtCXX.h>
  <clang/Basic/SourceManager.h> <clang/Frontend/CompilerInstance.h>
  <llvm/Passes/PassBuilder.h>)
