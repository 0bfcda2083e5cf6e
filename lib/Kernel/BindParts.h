// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What binding by expressions and binding by a run have in common.
#ifndef AUSPEX_LIB_KERNEL_BINDPARTS_H
#define AUSPEX_LIB_KERNEL_BINDPARTS_H

#include "auspex/Kernel/BoundKernel.h"

namespace auspex {

/// Instructions of \p block in the launch, over all warps.
double instructionsIn(const Block &block, const BoundBlock &runs);

/// BoundBlock::shares of a block in the loop of \p counter, of which \p turns
/// are all that warps do, if their lanes do as many.
llvm::SmallVector<double, 2> sharesOfVersions(const Block &block,
                                              const IterationDomain &turns,
                                              llvm::StringRef counter);

/// Whether a compare-and-swap is tried again as often as the data symbol
/// \p wait says.
bool hasRetries(const KernelSummary &summary, llvm::StringRef wait);

/// From how many times the path of the mean block on that of the one that has
/// most to do is BoundKernel::longestPath.
constexpr double LongestPathOverMean = 1.1;

/// What the warps that run \p block wait for in it, all together.
InstructionMix pathOf(const Block &block, const BoundBlock &runs);

/// Adds up the code that warps run, block by block.
class CodeSums {
public:
  void add(const Block &block, const BoundBlock &runs);

  /// Puts the means over the warps of the launch into \p kernel.
  void finish(BoundKernel &kernel) const;

private:
  struct WeightedMean {
    double sum = 0, weight = 0;
    void add(double value, double times) {
      sum += value * times;
      weight += times;
    }
    double mean(double otherwise) const {
      return weight > 0 ? sum / weight : otherwise;
    }
  } ilp, mlp, lanes;
  InstructionMix instructions, path, threeOperands, asMultiplyAdds;
};

/// What the object of \p access holds, as the kernel declares it or the launch
/// says; 0 if it is not known.
double objectInBytes(const Access &access, const LaunchConfig &launch);

/// Fills the objects of \p kernel from its accesses; those to memory of which
/// nobody knows the space count as global but in the Low scenario.
void sumObjects(BoundKernel &kernel, const GPU &gpu, Scenario scenario);

/// Says in \p kernel, once, what is taken as if it were known.
void assume(BoundKernel &kernel, std::string sentence);

/// Says in \p kernel, once, what is not known.
void leaveOpen(BoundKernel &kernel, std::string sentence);

/// The same of what has no upper bound, which matters most: it stands first.
void leaveEndless(BoundKernel &kernel, std::string sentence);

/// What is to be said of the arrays in the host's memory that \p kernel
/// accesses, of which nobody counts how long the link to there takes.
std::vector<std::string> arraysOfHost(const BoundKernel &kernel);

/// What calls that the launch comes to do, but no summary has, as sentences.
std::vector<std::string> callsLeftOut(const BoundKernel &kernel);

} // namespace auspex

#endif
