// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Gate/AllowList.h"

#include "auspex/Support/Document.h"
#include "auspex/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <cmath>
#include <cstdlib>

using namespace auspex;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Dates and limits
//===----------------------------------------------------------------------===//

std::optional<Date> Date::parse(StringRef text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-')
    return std::nullopt;
  unsigned year, month, day;
  if (text.substr(0, 4).getAsInteger(10, year) ||
      text.substr(5, 2).getAsInteger(10, month) ||
      text.substr(8, 2).getAsInteger(10, day))
    return std::nullopt;
  if (!(std::chrono::year(year) / month / day).ok())
    return std::nullopt;
  return Date{int(year), int(month), int(day)};
}

Date Date::today() {
  using namespace std::chrono;
  auto now = system_clock::now();
  // Builds that are to be the same on every day state one.
  int64_t seconds;
  const char *stated = std::getenv("SOURCE_DATE_EPOCH");
  if (stated && !StringRef(stated).getAsInteger(10, seconds))
    now = system_clock::time_point(std::chrono::seconds(seconds));
  year_month_day day(floor<days>(now));
  return {int(day.year()), int(unsigned(day.month())),
          int(unsigned(day.day()))};
}

std::string Date::str() const {
  return llvm::formatv("{0:d4}-{1:d2}-{2:d2}", year, month, day);
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

bool AllowEntry::isFor(const KernelRecord &record) const {
  return (gpu.empty() || gpu == record.gpu) && record.isCalled(kernel);
}

static Expected<AllowEntry> readEntry(const Node &node, const Date &today) {
  Reader in(node);
  AllowEntry entry;
  entry.place = node.place();
  entry.kernel = in.text("kernel");
  entry.gpu = in.maybeText("gpu").value_or("");
  std::string limit = in.text("limit"), expires = in.text("expires");
  entry.reason = in.text("reason");
  if (Error problem = in.finish())
    return std::move(problem);
  if (StringRef(entry.reason).trim().empty())
    return node.find("reason")->error(
        "is empty; say why the slowdown is accepted");
  if (std::optional<double> share = parseShare(limit))
    entry.limit = *share;
  else
    return node.find("limit")->error(
        "expected a percentage such as 20%, found '" + limit + "'");
  std::optional<Date> date = Date::parse(expires);
  if (!date)
    return node.find("expires")->error(
        "expected a day such as 2027-03-31, found '" + expires + "'");
  entry.expires = *date;
  if (entry.expires < today)
    return node.find("expires")->error(
        "the entry for " + entry.kernel + " expired on " + expires +
        "; remove it, or set a later day if the reason still holds");
  return entry;
}

Expected<std::vector<AllowEntry>> auspex::loadAllowList(StringRef path,
                                                        const Date &today) {
  auto document = loadDocument(path);
  if (!document)
    return document.takeError();
  Reader in(*document);
  std::vector<AllowEntry> entries;
  in.each("allow", [&](const Node &item) -> Error {
    Expected<AllowEntry> entry = readEntry(item, today);
    if (!entry)
      return entry.takeError();
    entries.push_back(std::move(*entry));
    return Error::success();
  });
  if (Error problem = in.finish())
    return std::move(problem);
  return entries;
}

Error auspex::checkKernels(llvm::ArrayRef<AllowEntry> entries,
                           llvm::ArrayRef<const KernelRecord *> records) {
  for (const AllowEntry &entry : entries) {
    if (llvm::any_of(records, [&](const KernelRecord *record) {
          return entry.isFor(*record);
        }))
      continue;
    std::vector<std::string> names;
    for (const KernelRecord *record : records)
      names.push_back(record->qualifiedName());
    llvm::sort(names);
    names.erase(llvm::unique(names), names.end());
    return makeInputError(entry.place,
                          "there is no kernel '" + entry.kernel + "'" +
                              (entry.gpu.empty() ? "" : " on " + entry.gpu) +
                              " on either side; remove the entry" +
                              didYouMean(entry.kernel, names));
  }
  return Error::success();
}
