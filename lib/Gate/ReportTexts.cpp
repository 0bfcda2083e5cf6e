// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReportTexts.h"

#include "auspex/Support/Json.h"
#include "auspex/Support/Table.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <cmath>

using namespace auspex;

std::string auspex::headline(const GateResult &result) {
  size_t tripped = result.count(Verdict::Tripped);
  size_t all = result.comparisons.size();
  std::string text = (tripped ? std::to_string(tripped) : "none") + " of " +
                     std::to_string(all) +
                     (all == 1 ? " launch" : " launches") +
                     (tripped > 1 ? " are" : " is") + " slower by more than " +
                     formatShare(result.options.maxSlowdown);
  if (result.options.minTimeInUs > 0)
    text += " and " + formatTimeInUs(result.options.minTimeInUs);
  if (result.options.strict)
    text += ", or less certain";
  return text;
}

std::string
auspex::argumentText(const LaunchConfig &launch,
                     const std::map<std::string, std::string> &names) {
  std::string text;
  auto add = [&](const std::string &symbol, const std::string &value) {
    auto named = names.find(symbol);
    text += (text.empty() ? "" : ", ") +
            (named == names.end() ? symbol : named->second) + "=" + value;
  };
  for (const auto &[symbol, argument] : launch.arguments)
    add(symbol, std::to_string(argument.value));
  for (const auto &[symbol, argument] : launch.floatArguments)
    add(symbol, floatText(argument.value));
  return text;
}

std::string auspex::launchText(const KernelRecord &record) {
  const LaunchConfig &launch = record.launch;
  std::string text = record.demangled;
  if (launch.grid)
    text += ", grid " + launch.grid->value.str();
  if (launch.block)
    text += ", block " + launch.block->value.str();
  if (launch.dynamicShared && launch.dynamicShared->value)
    text += ", " + std::to_string(launch.dynamicShared->value) +
            " B of dynamic shared memory";
  if (std::string arguments = argumentText(launch, record.argumentNames);
      !arguments.empty())
    text += ", " + arguments;
  return text + ", on " + record.gpu;
}

std::string auspex::timeText(const KernelRecord &record) {
  return formatTimeInUs(record.timeInUs, record.timeRangeInUs);
}

std::string auspex::growthText(double growth) {
  return (growth < 0 ? "-" : "+") + formatShare(std::abs(growth));
}

std::string auspex::timesText(const Comparison &comparison) {
  const auto &[base, head] = comparison.pair;
  if (!base || !head)
    return timeText(comparison.any());
  bool isSlower = comparison.verdict == Verdict::Tripped ||
                  comparison.verdict == Verdict::Allowed;
  if (comparison.verdict == Verdict::Unchanged ||
      (!isSlower && timeText(*base) == timeText(*head)))
    return timeText(*head);
  std::string text = timeText(*base) + " -> " + timeText(*head);
  if (comparison.growth)
    text += " (" + growthText(*comparison.growth) + ")";
  return text;
}

std::string auspex::causeText(const Cause &cause) {
  std::string text = cause.message;
  if (cause.costInUs)
    text += "; costs " + formatTimeInUs(*cause.costInUs);
  return text;
}

std::string auspex::allowanceText(const Comparison &comparison) {
  const AllowEntry &entry = *comparison.allowance;
  return formatShare(entry.limit) + " more allowed until " +
         entry.expires.str() + ": " + entry.reason;
}

std::string auspex::placeText(const SourceLocation &location) {
  if (!location.isKnown())
    return "";
  std::string text = location.file + ":" + std::to_string(location.line);
  return location.column ? text + ":" + std::to_string(location.column) : text;
}

std::string auspex::sentence(const Comparison &comparison) {
  std::string text =
      launchText(comparison.any()) + ": " + timesText(comparison);
  for (const std::string &doubt : comparison.doubts)
    text += "; " + doubt;
  if (comparison.allowance)
    text += "; " + allowanceText(comparison);
  if (!comparison.causes.empty())
    text += "; " + causeText(comparison.causes.front());
  return text;
}

std::string auspex::ruleOf(const Comparison &comparison) {
  for (const Cause &cause : comparison.causes)
    if (!cause.remark.empty())
      return cause.remark;
  return "PredictedTime";
}

std::string auspex::fingerprintOf(const Comparison &comparison) {
  const KernelRecord &record = comparison.any();
  std::string key = record.qualifiedName() + '\n' + record.gpu + '\n' +
                    record.source + '\n' + std::to_string(record.position);
  return llvm::utohexstr(llvm::xxh3_64bits(key), /*LowerCase=*/true,
                         /*Width=*/16);
}
