// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which findings people are shown. Documents have all of them.
#ifndef AUSPEX_REPORT_REMARKFILTER_H
#define AUSPEX_REPORT_REMARKFILTER_H

#include "auspex/Model/Prediction.h"
#include "auspex/Support/Error.h"
#include "llvm/Support/GlobPattern.h"

#include <map>
#include <optional>
#include <set>

namespace auspex {

/// The lines that a unified diff adds or changes, by file as the diff names it
/// without "b/".
using ChangedLines = std::map<std::string, std::set<unsigned>>;

/// Reads what `git diff` prints; \p name stands in messages.
llvm::Expected<ChangedLines> parseUnifiedDiff(llvm::StringRef text,
                                              llvm::StringRef name);

/// What is set has to hold of a finding; a filter with nothing set lets all
/// pass that no comment ignores.
class RemarkFilter {
public:
  /// Each reads the value of one option; \p place is the option, for messages.
  /// The last one counts.
  ///
  /// "5%" of the launch's time or "2us": advice that gains less is left out.
  llvm::Error setMinBenefit(llvm::StringRef text, Place place);
  /// "BankConflict,TailEffect", whatever their case.
  llvm::Error setRemarks(llvm::StringRef text, Place place);
  /// "3": of each launch the advice that gains the most. Facts stay.
  llvm::Error setTop(llvm::StringRef text, Place place);
  /// "k.cu,src/solver,*.cuh": places in these files, or in files in these
  /// folders. Each is any part of a path, from one "/" to another.
  llvm::Error setPaths(llvm::StringRef text, Place place);
  /// A file with a unified diff, or "-": places on the lines it changes.
  llvm::Error setChanged(llvm::StringRef path, Place place);

  /// The findings to show, in their order.
  std::vector<const Finding *> shown(const Prediction &prediction) const;

private:
  std::optional<double> minBenefitShare, minBenefitInUs;
  std::set<std::string> ids;
  std::optional<unsigned> top;
  std::vector<llvm::GlobPattern> paths;
  std::optional<ChangedLines> changed;

  double leastGainInUs(const Prediction &prediction) const;
  bool isInPaths(const SourceLocation &location) const;
  bool isChanged(const SourceLocation &location) const;
};

/// How people set a filter: an option of this name, in programs and plugins.
struct RemarkFilterOption {
  /// "min-benefit", "5% or 2us", "leave out advice that gains less".
  llvm::StringRef name, value, doc;
  llvm::Error (RemarkFilter::*set)(llvm::StringRef text, Place place);
};

llvm::ArrayRef<RemarkFilterOption> remarkFilterOptions();

} // namespace auspex

#endif
