// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One launch from the tree that a launches file and a launch's text share.
#ifndef AUSPEX_LIB_KERNEL_LAUNCHREADER_H
#define AUSPEX_LIB_KERNEL_LAUNCHREADER_H

#include "auspex/Kernel/LaunchConfig.h"

namespace auspex {

/// Whether sizes that no GPU has are errors of the text.
enum class LaunchSizes { Checked, AsTheyAre };

/// Reads one item of `launches`; every part gets the origin \p origin. The
/// kernel may be missing unless \p needsKernel.
llvm::Expected<LaunchConfig>
readLaunch(const Node &node, LaunchOrigin origin, bool needsKernel,
           LaunchSizes sizes = LaunchSizes::Checked);

/// Reads one item of a summary document's launches: the same keys, and origin,
/// file, line and column. Sizes are as the source has them, if the launch says
/// where it stands: checkLaunch() names that place.
llvm::Expected<LaunchConfig> readStatedLaunch(const Node &node);

} // namespace auspex

#endif
