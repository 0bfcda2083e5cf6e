// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Plain-text tables and numbers as people read them.
#ifndef AUSPEX_SUPPORT_TABLE_H
#define AUSPEX_SUPPORT_TABLE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace auspex {

/// A table with aligned columns: text to the left, numbers to the right.
class Table {
public:
  explicit Table(std::vector<std::string> header);

  /// Adds a row; missing cells at its end stay empty.
  void add(std::vector<std::string> row);
  void print(llvm::raw_ostream &os) const;
  bool empty() const { return rows.size() <= 1; }

private:
  std::vector<std::vector<std::string>> rows;
};

/// \p value with \p digits significant digits and no exponent for ordinary
/// sizes: 0.0123, 12.3, 1234.
std::string formatNumber(double value, unsigned digits = 3);

/// A time with a fitting unit: "870 ns", "12.3 us", "4.56 ms", "1.2 s".
std::string formatTimeInUs(double timeInUs);

/// The same of a time that may lie in a range, or be unknown: "12 us", "12 us
/// (8 us to 25 us)", "unknown". A range whose ends look the same is left out.
std::string
formatTimeInUs(const std::optional<double> &timeInUs,
               const std::optional<std::pair<double, double>> &rangeInUs);

/// A volume with a fitting unit: "870 B", "12.3 kB", "4.56 MB", "1.2 GB".
std::string formatBytes(double bytes);

/// "1 sector", "2.5 sectors".
std::string formatCount(double count, llvm::StringRef noun,
                        unsigned digits = 3);

/// A share as a percentage: "83 %"; below one percent "0.4 %".
std::string formatShare(double share);

} // namespace auspex

#endif
