// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/Table.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <charconv>
#include <cmath>

using namespace auspex;

Table::Table(std::vector<std::string> header) { add(std::move(header)); }

void Table::add(std::vector<std::string> row) {
  rows.push_back(std::move(row));
}

static bool looksNumeric(llvm::StringRef cell) {
  return !cell.empty() &&
         (llvm::isDigit(cell[0]) ||
          (cell.size() > 1 && llvm::StringRef("+-").contains(cell[0]) &&
           llvm::isDigit(cell[1])));
}

void Table::print(llvm::raw_ostream &os) const {
  size_t columns = 0;
  for (const auto &row : rows)
    columns = std::max(columns, row.size());
  std::vector<size_t> widths(columns, 0);
  std::vector<bool> numeric(columns, rows.size() > 1);
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t c = 0; c < rows[r].size(); ++c) {
      widths[c] = std::max(widths[c], rows[r][c].size());
      if (r && !rows[r][c].empty() && !looksNumeric(rows[r][c]))
        numeric[c] = false;
    }
  for (const auto &row : rows) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) {
      std::string padding(widths[c] - row[c].size(), ' ');
      line += c ? "  " : "";
      line += numeric[c] ? padding + row[c] : row[c] + padding;
    }
    os << llvm::StringRef(line).rtrim() << '\n';
  }
}

std::string auspex::formatNumber(double value, unsigned digits) {
  if (value == 0)
    return "0";
  if (!std::isfinite(value))
    return value > 0 ? "inf" : value < 0 ? "-inf" : "nan";
  int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  int decimals = std::max(0, static_cast<int>(digits) - 1 - magnitude);
  if (magnitude > 15 || magnitude < -6)
    return llvm::formatv("{0:e}", value).str();
  // At most 16 digits before the point.
  char buffer[64];
  std::string text(buffer, std::to_chars(buffer, std::end(buffer), value,
                                         std::chars_format::fixed, decimals)
                               .ptr);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
      text.pop_back();
  }
  return text;
}

std::string auspex::formatTimeInUs(double timeInUs) {
  if (timeInUs < 1)
    return formatNumber(timeInUs * 1e3) + " ns";
  if (timeInUs < 1e3)
    return formatNumber(timeInUs) + " us";
  if (timeInUs < 1e6)
    return formatNumber(timeInUs * 1e-3) + " ms";
  return formatNumber(timeInUs * 1e-6) + " s";
}

std::string auspex::formatTimeInUs(
    const std::optional<double> &timeInUs,
    const std::optional<std::pair<double, double>> &rangeInUs) {
  if (!rangeInUs)
    return timeInUs ? formatTimeInUs(*timeInUs) : "unknown";
  std::string low = formatTimeInUs(rangeInUs->first),
              high = formatTimeInUs(rangeInUs->second);
  if (low == high)
    return low;
  std::string range = low + " to " + high;
  return timeInUs ? formatTimeInUs(*timeInUs) + " (" + range + ")" : range;
}

std::string auspex::formatBytes(double bytes) {
  static constexpr llvm::StringRef units[] = {"B", "kB", "MB", "GB"};
  size_t unit = 0;
  if (bytes < 0.5)
    bytes = 0;
  for (; bytes >= 1000 && unit + 1 < std::size(units); ++unit)
    bytes /= 1000;
  return formatNumber(bytes) + " " + units[unit].str();
}

std::string auspex::formatCount(double count, llvm::StringRef noun,
                                unsigned digits) {
  std::string number = formatNumber(count, digits);
  bool hisses = noun.ends_with("s");
  return number + " " + noun.str() + (number == "1" ? "" : hisses ? "es" : "s");
}

std::string auspex::formatShare(double share) {
  double percent = share * 100;
  return formatNumber(percent, percent < 10 ? 2 : 3) + " %";
}
