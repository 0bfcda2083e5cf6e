// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Phrases that renderers of validations share.
#ifndef AUSPEX_LIB_VALIDATE_REPORTTEXTS_H
#define AUSPEX_LIB_VALIDATE_REPORTTEXTS_H

#include "auspex/Validate/Validation.h"

namespace auspex {

/// "nvdvfs.jsonl.gz on P100", "nvdvfs.jsonl.gz, reduce2 on P100".
std::string setText(const ValidationSet &set);

/// "+12.3 %".
std::string signedShare(double share);

/// "saxpy, grid 4096x1x1, block 256x1x1 at 1000 MHz, memory at 877 MHz".
std::string launchText(const MeasuredLaunch &launch);

/// "grid.jsonl:12", without folders.
std::string placeText(const Place &place);

/// Scores as a table, the header first: launches, MAPE, median, 90th
/// percentile, bias, Spearman, Kendall, pick, and the error over clocks where
/// there is one;
/// "-" where there is none.
std::vector<std::vector<std::string>> scoreRows(const ValidationSet &set);

/// Counts as a table, the header first: launches, median, 90th percentile,
/// bias, and the share that is right.
std::vector<std::vector<std::string>> countRows(const ValidationSet &set);

} // namespace auspex

#endif
