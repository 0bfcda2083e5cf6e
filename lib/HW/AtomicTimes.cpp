// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/HW/AtomicTimes.h"

#include "auspex/Support/Table.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace auspex;
using llvm::Error;

static constexpr double MostCycles = 1e9;

/// The number of \p node if it lies in [low, high].
static llvm::Expected<double> numberIn(const Node &node, double low,
                                       double high) {
  llvm::Expected<double> number = node.number();
  if (number && !(*number >= low && *number <= high))
    return node.error(formatNumber(*number, 9) +
                      " is out of range; it has to "
                      "be between " +
                      formatNumber(low, 9) + " and " + formatNumber(high, 9));
  return number;
}

Error AtomicTimes::readPasses(const Node &node) {
  for (const Node &item : node.items) {
    llvm::Expected<double> number = numberIn(item, 1, MostPasses);
    if (!number)
      return number.takeError();
    if (!passes.empty() && *number <= passes.back())
      return item.error("the passes have to ascend");
    passes.push_back(*number);
  }
  if (passes.size() < 2 || passes.front() != 1 || passes.back() != MostPasses)
    return node.error("expected a list of passes from 1 to 32, such as [1, "
                      "32]");
  return Error::success();
}

Error AtomicTimes::readRow(const Node &node) {
  if (node.items.size() != passes.size() + 2)
    return node.error("expected [jobs, CAS jobs, cycles at each of the " +
                      llvm::Twine(passes.size()) + " passes], found " +
                      llvm::Twine(node.items.size()) + " numbers");
  llvm::SmallVector<double, 40> numbers;
  for (const Node &item : node.items) {
    // Nothing takes no time; no table needs jobs in parts.
    bool isCas = numbers.size() == 1, isJobs = numbers.empty();
    llvm::Expected<double> number = numberIn(item,
                                             isCas    ? 0
                                             : isJobs ? 1
                                                      : 1e-3,
                                             isCas    ? numbers[0]
                                             : isJobs ? MostJobs
                                                      : MostCycles);
    if (!number)
      return number.takeError();
    numbers.push_back(*number);
  }
  Row row{numbers[1] / numbers[0], {numbers.begin() + 2, numbers.end()}};
  bool isNew = levels.empty() || levels.back().jobs != numbers[0];
  if (isNew && ((!levels.empty() && levels.back().jobs > numbers[0]) ||
                row.casShare != 0))
    return node.error("the rows have to ascend by jobs, those of the same jobs "
                      "by CAS jobs from 0");
  if (isNew)
    levels.push_back({numbers[0], {}});
  else if (row.casShare <= levels.back().rows.back().casShare)
    return node.error("the rows of the same jobs have to ascend by CAS jobs");
  levels.back().rows.push_back(std::move(row));
  return Error::success();
}

llvm::Expected<AtomicTimes> AtomicTimes::read(const Node &node) {
  if (!node.isMapping())
    return node.error("expected {passes: [...], rows: [[jobs, CAS jobs, cycles "
                      "at each of the passes], ...]}, found " +
                      node.description());
  AtomicTimes times;
  Reader in(node);
  const Node *passes = in.member("passes"), *rows = in.member("rows");
  if (passes)
    in.fail(times.readPasses(*passes));
  if (passes && rows && !in.failed())
    for (const Node &row : rows->items)
      if (!in.failed())
        in.fail(times.readRow(row));
  if (rows && !in.failed() && times.levels.empty())
    in.fail(rows->error("expected a list of rows"));
  if (!in.failed())
    for (const Level &level : times.levels)
      if (level.rows.back().casShare != (times.knowsCas() ? 1 : 0))
        in.fail(rows->error(
            "the rows of " + formatNumber(level.jobs) +
            " jobs end before all of them are CAS jobs; give all jobs such a "
            "row, or none"));
  if (Error problem = in.finish())
    return std::move(problem);
  return times;
}

/// Where \p x is between the values that \p get has for ascending \p items:
/// the item before it and the share of the way to the next one.
template <typename Items, typename Get>
static std::pair<size_t, double> find(const Items &items, double x, Get get) {
  size_t next = 1;
  while (next + 1 < items.size() && get(items[next]) < x)
    ++next;
  double low = get(items[next - 1]), high = get(items[next]);
  return {next - 1, std::clamp((x - low) / (high - low), 0.0, 1.0)};
}

static double between(double low, double high, double share) {
  return low + (high - low) * share;
}

double AtomicTimes::at(const Level &level, double e, double casShare) const {
  auto [column, part] = find(passes, e, [](double pass) { return pass; });
  auto ofRow = [&, column = column, part = part](const Row &row) {
    return between(row.cycles[column], row.cycles[column + 1], part);
  };
  if (level.rows.size() == 1)
    return ofRow(level.rows.front());
  auto [row, share] =
      find(level.rows, casShare, [](const Row &row) { return row.casShare; });
  return between(ofRow(level.rows[row]), ofRow(level.rows[row + 1]), share);
}

double AtomicTimes::cycles(double jobs, double passes, double casShare) const {
  const Level &first = levels.front(), &last = levels.back();
  if (jobs <= first.jobs)
    return at(first, passes, casShare) * jobs / first.jobs;
  if (jobs >= last.jobs)
    return at(last, passes, casShare) * jobs / last.jobs;
  auto [level, share] =
      find(levels, jobs, [](const Level &level) { return level.jobs; });
  return between(at(levels[level], passes, casShare),
                 at(levels[level + 1], passes, casShare), share);
}

std::string AtomicTimes::text() const {
  size_t rows = 0;
  for (const Level &level : levels)
    rows += level.rows.size();
  return std::to_string(rows) + " rows, " + formatNumber(levels.front().jobs) +
         " to " + formatNumber(mostJobs()) + " jobs";
}
