// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What several rules for fixes share.
#ifndef AUSPEX_LIB_MODEL_FIXES_COMMON_H
#define AUSPEX_LIB_MODEL_FIXES_COMMON_H

#include "auspex/Model/Fixes.h"

namespace auspex::fixes {

/// No thread works together with others: which thread does what is free.
bool hasIndependentThreads(const FixContext &context);

/// The same, and one thread could do the work of several: nothing of a thread
/// is kept in local memory, where several would keep more than is known.
bool canThreadsBeJoined(const FixContext &context);

/// Threads go through their work in strides of the grid along x, and no block
/// has a place of its own: the number of blocks is free.
bool stridesByGrid(const KernelSummary &summary);

/// \p expr with the launch put in.
Expr inLaunch(const Expr &expr, const BoundKernel &kernel);

/// What the launch says about an expression; counters of loops that others
/// shorten are at their ends together, as in a triangle.
Interval rangeInLaunch(const Expr &expr, const BoundKernel &kernel);

/// Changes all addresses, trip counts, guards and conditions of branches; false
/// if \p change says so of one.
bool changeAll(KernelSummary &summary,
               llvm::function_ref<bool(MaybeExpr &)> change);

/// Adds the change to \p launch, in which the kernel is \p summary, unless that
/// cannot be or has no time.
void addLaunch(const FixContext &context, const KernelSummary &summary,
               LaunchConfig launch, std::string description,
               std::vector<Variant> &variants);

/// \p launch with a grid of \p grid.
LaunchConfig withGrid(const LaunchConfig &launch, const Dim3 &grid);

/// A warp that does what \p factor warps did. Only indices of threads and
/// blocks are read once for all.
OperationalInput coarser(const OperationalInput &input, double factor);

/// What the source calls an object.
std::string objectName(const KernelSummary &summary, llvm::StringRef base);

/// The first access with a known place for which \p matches holds.
SourceLocation firstPlace(const KernelSummary &summary,
                          llvm::function_ref<bool(const Access &)> matches);

} // namespace auspex::fixes

#endif
