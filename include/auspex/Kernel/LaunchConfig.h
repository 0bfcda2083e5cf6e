// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A launch of a kernel, each part with its origin.
#ifndef AUSPEX_KERNEL_LAUNCHCONFIG_H
#define AUSPEX_KERNEL_LAUNCHCONFIG_H

#include "auspex/Footprint/LaunchShape.h"
#include "auspex/Kernel/KernelSummary.h"

#include <map>

namespace auspex {

/// Who stated a part of a launch, least to most certain.
enum class LaunchOrigin { Assumed, Source, Pragma, File, CommandLine, Profile };
llvm::StringRef toString(LaunchOrigin origin);

/// A value with its origin.
template <typename T> struct Stated {
  T value{};
  LaunchOrigin origin = LaunchOrigin::Assumed;
};

struct LaunchConfig {
  /// The kernel as the user or the compiler names it: mangled, or qualified
  /// with or without parameter types ("ns::saxpy", "saxpy<float>(int,
  /// float*)").
  std::string kernel;
  std::optional<Stated<Dim3>> grid, block;
  std::optional<Stated<uint64_t>> dynamicShared;
  /// Integer arguments: by symbol ("arg0", "arg2.8") or, before resolve(), by
  /// the parameter's name. Booleans are 0 and 1.
  std::map<std::string, Stated<int64_t>> arguments;
  /// Registers a thread, where the user knows better.
  std::optional<Stated<unsigned>> registers;
  /// Resident blocks an SM at most, where something outside the kernel limits
  /// them.
  std::optional<Stated<unsigned>> maxBlocksPerSM;
  /// The place of the launch or of the line that states it.
  SourceLocation location;

  /// The least certain origin of grid and block.
  LaunchOrigin origin() const;
  /// "grid 80x1x1 and block 256x1x1 from the source".
  std::string originText() const;
};

/// Reads a launches file (YAML):
///
///   launches:
///     - kernel: saxpy
///       grid: [4096]            # or 4096, or "4096x1x1"
///       block: 256
///       shared: 0               # dynamic, in bytes
///       args: {n: 1048576}      # by parameter name, argK or position
///       registers: 32           # optional
llvm::Expected<std::vector<LaunchConfig>> loadLaunchFile(llvm::StringRef path);
llvm::Expected<std::vector<LaunchConfig>> parseLaunchFile(const Node &document);

/// Reads the text of --launch and of `#pragma auspex launch(...)`:
/// "saxpy=grid:4096x1x1,block:256,shared:0,n=1048576". The name may be missing
/// (a pragma stands before its kernel).
llvm::Expected<LaunchConfig>
parseLaunchText(llvm::StringRef text, LaunchOrigin origin, Place place = {});

/// Whether \p config is meant for the kernel.
bool matches(const LaunchConfig &config, const KernelSummary &summary);

/// Puts symbols in the place of parameter names ("n" -> "arg0"). An error names
/// a parameter the kernel does not have, or one that is no integer.
llvm::Expected<LaunchConfig> resolveArguments(const LaunchConfig &config,
                                              const KernelSummary &summary);

/// Fills what nobody stated: the block from __launch_bounds__ or 256 threads,
/// the grid as one full wave of the GPU.
LaunchConfig completeLaunch(const LaunchConfig &config,
                            const KernelSummary &summary, const GPU &gpu);

/// An error for a launch no GPU accepts: a size of 0 or beyond the limits of
/// \p gpu (block, block dimensions, shared memory), or against the kernel's own
/// bounds. The launch has to be complete.
llvm::Error checkLaunch(const LaunchConfig &config,
                        const KernelSummary &summary, const GPU &gpu);

} // namespace auspex

#endif
