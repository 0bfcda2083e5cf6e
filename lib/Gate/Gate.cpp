// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Gate/Gate.h"

#include "AssumedGrid.h"
#include "PlaceChanges.h"
#include "ReportTexts.h"
#include "auspex/Support/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

using namespace auspex;
using llvm::Error;
using llvm::StringRef;

StringRef auspex::toString(Verdict verdict) {
  switch (verdict) {
  case Verdict::Tripped:
    return "tripped";
  case Verdict::Allowed:
    return "allowed";
  case Verdict::Uncertain:
    return "uncertain";
  case Verdict::Slower:
    return "slower";
  case Verdict::Faster:
    return "faster";
  case Verdict::Added:
    return "added";
  case Verdict::Removed:
    return "removed";
  case Verdict::Unchanged:
    return "unchanged";
  }
  llvm_unreachable("covered switch");
}

SourceLocation Comparison::location() const {
  for (const Cause &cause : causes)
    if (cause.location.isKnown())
      return cause.location;
  const KernelRecord &record = any();
  return record.location.isKnown() ? record.location : record.launch.location;
}

size_t GateResult::count(Verdict verdict) const {
  return llvm::count_if(comparisons, [&](const Comparison &comparison) {
    return comparison.verdict == verdict;
  });
}

//===----------------------------------------------------------------------===//
// Can the sides be compared?
//===----------------------------------------------------------------------===//

static Error checkGPUs(const RecordSet &base, const RecordSet &head) {
  // A side without kernels says nothing about GPUs.
  if (base.records.empty() || head.records.empty() ||
      base.gpus() == head.gpus())
    return Error::success();
  return makeInputError({head.path, 0, ""},
                        "is about " + llvm::join(head.gpus(), ", ") + ", and " +
                            base.path + " about " +
                            llvm::join(base.gpus(), ", ") +
                            "; predict both for the same GPUs, or choose some "
                            "with --gpu");
}

static Error checkModels(const RecordSet &base, const RecordSet &head) {
  auto modelOf = [](const RecordSet &set) {
    return set.records.empty() ? StringRef()
                               : StringRef(set.records.front().model);
  };
  for (const RecordSet *set : {&base, &head})
    for (const KernelRecord &record : set->records)
      if (StringRef expected =
              modelOf(base).empty() ? modelOf(head) : modelOf(base);
          record.model != expected)
        return makeInputError({record.place.file, record.place.line, "model"},
                              "the time is that of " + record.model +
                                  ", and elsewhere of " + expected +
                                  "; predict all with the same --model");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

namespace {
/// Compares one launch.
class Judge {
public:
  explicit Judge(const GateOptions &options) : options(options) {}

  Comparison judge(const RecordPair &pair) const {
    Comparison result;
    result.pair = pair;
    result.differences = pair.differences();
    if (!pair.base || !pair.head) {
      result.verdict = pair.head ? Verdict::Added : Verdict::Removed;
      if (pair.head)
        noteUnknown(*pair.head, result);
      applyStrictness(result);
      return result;
    }
    compareTimes(*pair.base, *pair.head, result);
    noteUnknown(*pair.head, result);
    noteLessCertain(*pair.base, *pair.head, result);
    if (result.verdict == Verdict::Tripped)
      applyAllowance(result);
    else if (!result.doubts.empty())
      result.verdict = Verdict::Uncertain;
    applyStrictness(result);
    return result;
  }

private:
  const GateOptions &options;
  /// Baselines have six digits.
  static constexpr double Rounding = 2e-5;

  Verdict verdictOf(double before, double after) const {
    double growth = after - before;
    if (std::abs(growth) <= Rounding * std::max(before, after))
      return Verdict::Unchanged;
    if (growth < 0)
      return Verdict::Faster;
    bool trips =
        growth > options.maxSlowdown * before && growth > options.minTimeInUs;
    return trips ? Verdict::Tripped : Verdict::Slower;
  }

  static void setGrowth(double before, double after, Comparison &result) {
    result.growthInUs = after - before;
    if (before > 0)
      result.growth = (after - before) / before;
  }

  using Range = std::pair<double, double>;

  void compareTimes(const KernelRecord &base, const KernelRecord &head,
                    Comparison &result) const {
    std::optional<Range> before = rangeOf(base), after = rangeOf(head);
    if (base.timeInUs && head.timeInUs) {
      setGrowth(*base.timeInUs, *head.timeInUs, result);
      result.verdict = verdictOf(*base.timeInUs, *head.timeInUs);
      // What is known of one side alone makes neither slower: where they are
      // nearest, they differ too.
      if (result.verdict == Verdict::Tripped &&
          base.isCertain() != head.isCertain() &&
          verdictOf(before->second, after->first) != Verdict::Tripped)
        result.verdict = Verdict::Slower;
    } else if (before && after) {
      compareRanges(*before, *after, result);
    }
    // A list of what changed need not have what its figures do not show.
    if ((result.verdict == Verdict::Slower ||
         result.verdict == Verdict::Faster) &&
        shownTime(base) == shownTime(head))
      result.verdict = Verdict::Unchanged;
  }

  /// The time as it is printed, the one expected alone if there is one.
  static std::string shownTime(const KernelRecord &record) {
    return record.timeInUs ? formatTimeInUs(*record.timeInUs)
                           : timeText(record);
  }

  /// A range got slower if both of its ends did.
  void compareRanges(const Range &before, const Range &after,
                     Comparison &result) const {
    Verdict low = verdictOf(before.first, after.first);
    Verdict high = verdictOf(before.second, after.second);
    result.verdict = std::max(low, high);
    if (low == Verdict::Faster || high == Verdict::Faster)
      result.verdict = low == high ? low : Verdict::Unchanged;
    // Of a range that grew wider there is no one growth.
    if ((after.first < before.first) != (after.second < before.second))
      return;
    double growthOfLow = (after.first - before.first) / before.first;
    double growthOfHigh = (after.second - before.second) / before.second;
    if (growthOfLow < growthOfHigh)
      setGrowth(before.first, after.first, result);
    else
      setGrowth(before.second, after.second, result);
  }

  static std::optional<Range> rangeOf(const KernelRecord &record) {
    if (record.isCertain())
      return Range(*record.timeInUs, *record.timeInUs);
    return record.timeRangeInUs;
  }

  static void noteUnknown(const KernelRecord &head, Comparison &result) {
    if (head.timeInUs)
      return;
    std::string text = head.timeRangeInUs ? "there is no one time to expect"
                                          : "the time is not known";
    if (const FindingRecord *loop = head.find("UnknownLoop"))
      text += ": " + openText(*loop);
    result.doubts.push_back(text);
  }

  /// "k.cu:7:3: the trip count of this loop depends on argument n".
  static std::string openText(const FindingRecord &finding) {
    StringRef message = finding.message;
    message.consume_back(", so the time is unknown");
    std::string place = placeText(finding.location);
    return place + (place.empty() ? "" : ": ") + message.str();
  }

  void noteLessCertain(const KernelRecord &base, const KernelRecord &head,
                       Comparison &result) const {
    auto note = [&](const llvm::Twine &text) {
      result.doubts.push_back(text.str());
    };
    auto before = rangeOf(base), after = rangeOf(head);
    if (before && after &&
        after->second * before->first >
            after->first * before->second * (1 + options.maxSlowdown))
      note("the time may be " + formatTimeInUs(after->first) + " to " +
           formatTimeInUs(after->second) + "; it was " +
           (base.isCertain() ? formatTimeInUs(before->first)
                             : formatTimeInUs(before->first) + " to " +
                                   formatTimeInUs(before->second)) +
           " before");
    auto drop = [&](StringRef what, double before, double after) {
      if (after < before - 1e-5)
        note(formatShare(after) + " of " + what + " are understood, " +
             formatShare(before) + " before");
    };
    drop("accesses", base.coverage.accesses, head.coverage.accesses);
    drop("loops", base.coverage.loops, head.coverage.loops);
    if (head.launch.origin() == LaunchOrigin::Assumed &&
        base.launch.origin() != LaunchOrigin::Assumed)
      note("the launch is assumed now; it was from the " +
           toString(base.launch.origin()) + " before");
  }

  void applyAllowance(Comparison &result) const {
    for (const AllowEntry &entry : options.allowed) {
      if (!entry.isFor(*result.pair.head) && !entry.isFor(*result.pair.base))
        continue;
      // Of several the most generous counts.
      if (!result.allowance || result.allowance->limit < entry.limit)
        result.allowance = &entry;
    }
    if (result.allowance && result.growth &&
        *result.growth <= result.allowance->limit)
      result.verdict = Verdict::Allowed;
  }

  void applyStrictness(Comparison &result) const {
    if (options.strict && !result.doubts.empty())
      result.verdict = Verdict::Tripped;
  }
};
} // namespace

/// Worst first, and an order that the input's has no say in.
static bool isWorse(const Comparison &a, const Comparison &b) {
  if (a.verdict != b.verdict)
    return a.verdict < b.verdict;
  double growthOfA = a.growth.value_or(0), growthOfB = b.growth.value_or(0);
  if (growthOfA != growthOfB)
    return growthOfA > growthOfB;
  return a.any() < b.any();
}

/// Entries that held nothing back.
static void noteUnused(GateResult &result) {
  for (const AllowEntry &entry : result.options.allowed) {
    bool isUsed =
        llvm::any_of(result.comparisons, [&](const Comparison &comparison) {
          return comparison.allowance == &entry;
        });
    if (!isUsed)
      result.notes.push_back(
          entry.place.prefix() + "the entry for " + entry.kernel +
          " allows nothing: it did not get slower than the limits; remove it");
  }
}

namespace {
/// Descriptions, each read once.
class GPULibrary {
public:
  /// Null if there is none of that name.
  const GPU *find(StringRef name) {
    auto [entry, isNew] = gpus.try_emplace(name);
    if (!isNew)
      return entry->second.get();
    if (auto gpu = findGPU(name))
      entry->second = std::make_unique<GPU>(std::move(*gpu));
    else
      llvm::consumeError(gpu.takeError());
    return entry->second.get();
  }

private:
  llvm::StringMap<std::unique_ptr<GPU>> gpus;
};
} // namespace

/// Compares launches of as many threads where grids are assumed; what is said
/// about that.
static std::string resize(RecordPair &pair, const GPU *gpu,
                          std::deque<KernelRecord> &resized) {
  if (!pair.base || !pair.head || !gpu)
    return "";
  auto head = withThreadsOf(*pair.base, *pair.head, *gpu);
  if (!head)
    return "";
  std::string text = "assumed grid " + pair.base->launch.grid->value.str() +
                     " -> " + pair.head->launch.grid->value.str() +
                     ", compared with as many threads as before";
  pair.head = &resized.emplace_back(std::move(*head));
  return text;
}

/// What is slower; and what changed where no time says whether it is.
static bool isToExplain(const Comparison &comparison) {
  const auto &[base, head] = comparison.pair;
  if (!base || !head)
    return false;
  if (comparison.verdict == Verdict::Uncertain)
    return !head->timeInUs && base->input && head->input &&
           *base->input != *head->input;
  return comparison.verdict == Verdict::Tripped ||
         comparison.verdict == Verdict::Allowed;
}

llvm::Expected<GateResult> auspex::compareSets(const RecordSet &base,
                                               const RecordSet &head,
                                               GateOptions options) {
  if (Error error = checkGPUs(base, head))
    return std::move(error);
  if (Error error = checkModels(base, head))
    return std::move(error);
  std::vector<const KernelRecord *> all;
  for (const RecordSet *set : {&base, &head})
    for (const KernelRecord &record : set->records)
      all.push_back(&record);
  if (Error error = checkKernels(options.allowed, all))
    return std::move(error);

  GPULibrary gpus;
  GateResult result;
  result.options = std::move(options);
  // Allowances point into these options: moving the result keeps them.
  Judge judge(result.options);
  for (RecordPair pair : matchRecords(base.records, head.records)) {
    const GPU *gpu = gpus.find(pair.any().gpu);
    std::string resizing = resize(pair, gpu, result.resized);
    Comparison comparison = judge.judge(pair);
    if (!resizing.empty())
      comparison.differences.push_back(std::move(resizing));
    if (isToExplain(comparison))
      comparison.causes = explain(pair, pair.head->timeInUs ? gpu : nullptr);
    result.comparisons.push_back(std::move(comparison));
  }
  llvm::sort(result.comparisons, isWorse);
  noteUnused(result);
  return result;
}
