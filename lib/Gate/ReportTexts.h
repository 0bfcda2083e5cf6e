// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sentences that several renderers share.
#ifndef AUSPEX_LIB_GATE_REPORTTEXTS_H
#define AUSPEX_LIB_GATE_REPORTTEXTS_H

#include "auspex/Gate/Gate.h"

namespace auspex {

/// "1 of 12 launches is slower by more than 5 %".
std::string headline(const GateResult &result);

/// The arguments of a launch with their values: "n=4, arg1=5" where \p names
/// have arg0.
std::string argumentText(const LaunchConfig &launch,
                         const std::map<std::string, std::string> &names = {});

/// "k(int), grid 80x1x1, block 256x1x1, on A100-40GB".
std::string launchText(const KernelRecord &record);

/// "8.9 us", or the range it is in; "unknown".
std::string timeText(const KernelRecord &record);

/// "8.9 us -> 10.6 us (+19.6 %)"; "8.9 us" of one side; "not known".
std::string timesText(const Comparison &comparison);

/// "+19.6 %".
std::string growthText(double growth);

/// The message of a cause and what it costs: "...; costs 1.79 us".
std::string causeText(const Cause &cause);

/// "20 % more allowed until 2027-03-31: reason", of a comparison that has an
/// allowance.
std::string allowanceText(const Comparison &comparison);

/// All that is to say about a comparison in one line, its first cause last.
std::string sentence(const Comparison &comparison);

/// "x.cu:3:5"; empty if it is not known.
std::string placeText(const SourceLocation &location);

/// The remark whose page explains a comparison.
std::string ruleOf(const Comparison &comparison);

/// The same for the same launch in every run, wherever its lines are.
std::string fingerprintOf(const Comparison &comparison);

} // namespace auspex

#endif
