// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What was compiled is not compiled again as long as nothing of it changes:
/// neither the command nor any file it has read. Only contents count, no times.
#ifndef AUSPEX_TOOLS_SUMMARYCACHE_H
#define AUSPEX_TOOLS_SUMMARYCACHE_H

#include "auspex/Kernel/SummaryDocument.h"
#include "llvm/Support/Chrono.h"

#include <mutex>
#include <optional>

namespace auspex {

/// Summaries in a folder, one file each. Several threads may use it. What
/// cannot be read or written is compiled anew.
class SummaryCache {
public:
  /// \p programs are those that make the summaries: their contents are part of
  /// every command, and so is the environment as far as clang reads it.
  SummaryCache(std::string folder, llvm::ArrayRef<std::string> programs);

  /// What was kept as \p name for \p command, if it still holds.
  std::optional<SummaryDocument> find(llvm::StringRef name,
                                      llvm::ArrayRef<std::string> command);

  /// Keeps \p document, which was made by \p command in \p directory since
  /// \p begin from the files of \p rule, a rule for make.
  void keep(llvm::StringRef name, llvm::ArrayRef<std::string> command,
            llvm::StringRef directory, llvm::sys::TimePoint<> begin,
            llvm::StringRef rule, const SummaryDocument &document);

private:
  std::string folder;
  std::mutex lock;
  /// Of the files seen in this run, by path: headers are in many rules.
  std::map<std::string, std::optional<uint64_t>> hashes;

  /// What all commands have in common.
  std::string surroundings;

  std::string pathOf(llvm::StringRef name) const;
  std::string hashOfCommand(llvm::ArrayRef<std::string> command) const;
  std::optional<uint64_t> hashOf(llvm::StringRef path);
};

/// The files that the rule for make \p text names behind the colon.
std::vector<std::string> filesOfRule(llvm::StringRef text);

} // namespace auspex

#endif
