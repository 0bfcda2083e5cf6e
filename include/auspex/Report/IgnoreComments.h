// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Comments by which a source keeps remarks off its lines:
///
///   y[i] = x[32 * i]; // auspex: ignore(UncoalescedAccess) columns, by design
///
///   // auspex: ignore(BankConflict, TailEffect) runs once
///   out[i] = tile[threadIdx.x][threadIdx.y];
///
/// A comment on a line of its own is for the next line that is more than a
/// comment. The reason is not optional.
#ifndef AUSPEX_REPORT_IGNORECOMMENTS_H
#define AUSPEX_REPORT_IGNORECOMMENTS_H

#include "auspex/Model/Prediction.h"

#include <map>

namespace auspex {

struct IgnoreComment {
  /// Where it stands, and the line it is for.
  unsigned line = 0, target = 0;
  /// As it is written; a name that is none is complained about.
  std::string id;
  std::string reason;
  bool isUsed = false;
};

/// The comments in \p text, one for each name.
std::vector<IgnoreComment> findIgnoreComments(llvm::StringRef text);

/// Reads the sources that predictions are about, once each.
class IgnoreComments {
public:
  /// Marks the findings that comments are for. Sources that cannot be read have
  /// no comments.
  void apply(Prediction &prediction);

  /// What is wrong with comments in the sources seen: names that do not exist,
  /// no reason, and, if \p areAllSeen, which says that all kernels of the
  /// sources were, nothing to ignore. "k.cu:3: ...", by file and line.
  std::vector<std::string> complaints(bool areAllSeen) const;

private:
  std::map<std::string, std::vector<IgnoreComment>> files;

  std::vector<IgnoreComment> &commentsOf(const std::string &file);
};

} // namespace auspex

#endif
