// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The files of a program, joined by the calls of their host code: a launch
/// hangs on what its function is called with, which may be in another file.
#ifndef AUSPEX_TOOLS_HOSTLINK_H
#define AUSPEX_TOOLS_HOSTLINK_H

#include "auspex/Kernel/SummaryDocument.h"
#include "llvm/ADT/StringMap.h"

namespace auspex {

/// Which of several sources alone defines something.
class SoleDefinitions {
public:
  void add(llvm::StringRef name, size_t source);
  /// None if no source defines \p name, or several do.
  std::optional<size_t> find(llvm::StringRef name) const;

private:
  llvm::StringMap<std::optional<size_t>> sources;
};

struct HostSource {
  std::string file;
  /// The user has named the file: what its own headers mention counts too.
  bool isNamed = false;
  /// What its host code says; none as long as nobody has read it.
  std::optional<SummaryDocument> host;
  /// Those calls that others make of its functions with which it was read.
  std::vector<HostCall> callers;
  /// What other files launch of its kernels.
  std::vector<LaunchConfig> launchesElsewhere;
  /// Why it cannot be read.
  std::string problem;
};

/// What \p document says of host code, without the kernels.
SummaryDocument hostCodeOf(const SummaryDocument &document);

/// Reads the host code of the source of that number, if others make these
/// calls. Several threads do it.
using ReadHost = llvm::function_ref<llvm::Expected<SummaryDocument>(
    size_t, llvm::ArrayRef<HostCall>)>;

/// Reads those of the \p sources that mention a function on the way to a
/// launch, and again those whose functions others call: what they launch then
/// is in their host code. A function that several files define belongs to
/// different programs, and is left alone.
void linkHostCode(std::vector<HostSource> &sources, ReadHost read);

} // namespace auspex

#endif
