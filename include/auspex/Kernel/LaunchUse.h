// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which of the launches that somebody stated are meant for a kernel there is,
/// and what of them counts for it.
#ifndef AUSPEX_KERNEL_LAUNCHUSE_H
#define AUSPEX_KERNEL_LAUNCHUSE_H

#include "auspex/Kernel/LaunchConfig.h"

namespace auspex {

/// The end of a complaint about \p name: the nearest of the \p kernels, or all
/// there are if they are few.
std::string knownKernels(llvm::StringRef name,
                         llvm::ArrayRef<std::string> kernels);

/// Sees all kernels, and then knows the launches that are for none of them:
/// somebody mistyped a name.
class LaunchUse {
public:
  /// \p stated has to outlive this.
  explicit LaunchUse(llvm::ArrayRef<LaunchConfig> stated)
      : stated(stated), isUsed(stated.size()) {}

  void note(const KernelSummary &summary);

  /// An error for the first launch that is for none of the kernels; it names
  /// those of the nearest names, or all there are if they are few.
  llvm::Error check() const;

private:
  llvm::ArrayRef<LaunchConfig> stated;
  std::vector<bool> isUsed;
  std::vector<std::string> kernels;
};

/// Whether the kernel is of a header of the toolkit, for whatever a file may
/// launch of it, and has no \p launches.
bool isIdleOfLibrary(const KernelSummary &summary,
                     llvm::ArrayRef<LaunchConfig> launches);

/// Whether launches of several rounds touch different places, as far as is
/// known: an address hangs on what varies (variesByRound), and no other in its
/// object does not. The row k of a matrix that is all gone through is no other
/// place.
bool addressesVary(const LaunchConfig &launch, const KernelSummary &summary);

/// \p launch of the kernel without the arguments of it that change nothing:
/// launches that agree in the rest are predicted alike.
LaunchConfig withoutIdleArguments(LaunchConfig launch,
                                  const KernelSummary &summary);

} // namespace auspex

#endif
