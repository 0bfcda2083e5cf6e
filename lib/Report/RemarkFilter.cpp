// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Report/RemarkFilter.h"

#include "auspex/Model/Remark.h"
#include "auspex/Support/File.h"
#include "auspex/Support/Numbers.h"
#include "llvm/ADT/StringExtras.h"

using namespace auspex;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Diffs
//===----------------------------------------------------------------------===//

/// The number at the front of \p text, which loses it.
static std::optional<unsigned> takeNumber(StringRef &text) {
  unsigned number = 0;
  if (text.consumeInteger(10, number))
    return std::nullopt;
  return number;
}

namespace {

/// The two sides of "@@ -3,2 +4,5 @@".
struct Hunk {
  unsigned oldLines = 1, newBegin = 0, newLines = 1;
};

} // namespace

static std::optional<Hunk> parseHunk(StringRef line) {
  Hunk hunk;
  if (!line.consume_front("@@ -") || !takeNumber(line))
    return std::nullopt;
  auto takeLength = [&](unsigned &length) {
    if (!line.consume_front(","))
      return true;
    std::optional<unsigned> number = takeNumber(line);
    length = number.value_or(0);
    return number.has_value();
  };
  if (!takeLength(hunk.oldLines) || !line.consume_front(" +"))
    return std::nullopt;
  std::optional<unsigned> begin = takeNumber(line);
  if (!begin || !takeLength(hunk.newLines) || !line.starts_with(" @@"))
    return std::nullopt;
  hunk.newBegin = *begin;
  return hunk;
}

/// "x.cu" of "+++ b/x.cu\t2026-01-01".
static std::string fileOfHeader(StringRef line) {
  line = line.drop_front(strlen("+++ ")).split('\t').first.rtrim('\r');
  line.consume_front("b/");
  return line.str();
}

llvm::Expected<ChangedLines> auspex::parseUnifiedDiff(StringRef text,
                                                      StringRef name) {
  ChangedLines changed;
  std::string file;
  Hunk hunk{0, 0, 0};
  unsigned number = 0;
  for (StringRef line : llvm::split(text, '\n')) {
    ++number;
    bool isInHunk = hunk.oldLines || hunk.newLines;
    if (isInHunk) {
      // Some editors take the blank off an empty line.
      char kind = line.empty() ? ' ' : line.front();
      if (kind == '+')
        changed[file].insert(hunk.newBegin);
      if (kind != '-' && kind != '\\') {
        ++hunk.newBegin;
        hunk.newLines -= hunk.newLines > 0;
      }
      if (kind != '+' && kind != '\\')
        hunk.oldLines -= hunk.oldLines > 0;
    } else if (line.starts_with("+++ ")) {
      file = fileOfHeader(line);
      if (StringRef(file).starts_with("\""))
        return makeInputError({name.str(), number, ""},
                              "the name of the file is quoted; write the diff "
                              "with 'git -c core.quotePath=off diff'");
    } else if (line.starts_with("@@")) {
      std::optional<Hunk> next = parseHunk(line);
      if (!next || file.empty())
        return makeInputError({name.str(), number, ""},
                              "expected '@@ -LINE,COUNT +LINE,COUNT @@' after "
                              "'+++ FILE', found '" +
                                  line + "'");
      hunk = *next;
    }
  }
  if (file.empty() && !text.trim().empty() && !text.contains("diff --git"))
    return makeInputError({name.str(), 0, ""},
                          "there is no unified diff in it, as 'git diff' "
                          "writes it");
  return changed;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

llvm::Error RemarkFilter::setMinBenefit(StringRef text, Place place) {
  // A number alone could be either.
  bool isShare = text.ends_with("%"), isTime = text.ends_with("s");
  std::optional<double> value = isShare  ? parseShare(text)
                                : isTime ? parseTimeInUs(text)
                                         : std::nullopt;
  if (value) {
    minBenefitShare.reset();
    minBenefitInUs.reset();
    (isShare ? minBenefitShare : minBenefitInUs) = *value;
    return llvm::Error::success();
  }
  return makeInputError(std::move(place),
                        "expected a share such as 5% or a time such as 2us, "
                        "found '" +
                            text + "'");
}

llvm::Error RemarkFilter::setRemarks(StringRef text, Place place) {
  ids.clear();
  for (StringRef id : llvm::split(text, ',')) {
    const RemarkInfo *info = findRemark(id.trim());
    if (!info) {
      std::vector<std::string> names;
      for (const RemarkInfo &known : remarkInfos())
        names.push_back(known.id.str());
      std::string near = didYouMean(id.trim(), names);
      return makeInputError(
          std::move(place),
          "there is no remark '" + id.trim() + "'" +
              (near.empty() ? "; 'auspex explain' lists them" : near));
    }
    ids.insert(info->id.str());
  }
  return llvm::Error::success();
}

llvm::Error RemarkFilter::setTop(StringRef text, Place place) {
  unsigned number = 0;
  if (!llvm::to_integer(text, number, 10))
    return makeInputError(std::move(place),
                          "expected how many, 0 or more, found '" + text + "'");
  top = number;
  return llvm::Error::success();
}

llvm::Error RemarkFilter::setPaths(StringRef text, Place place) {
  paths.clear();
  for (StringRef path : llvm::split(text, ',')) {
    auto pattern = llvm::GlobPattern::create(path.trim().rtrim('/'));
    if (!pattern || path.trim().empty())
      return makeInputError(
          std::move(place),
          "expected files or folders such as k.cu,src/*, found '" + text + "'" +
              (pattern ? "" : ": " + toString(pattern.takeError())));
    paths.push_back(std::move(*pattern));
  }
  return llvm::Error::success();
}

llvm::Error RemarkFilter::setChanged(StringRef path, Place) {
  auto text = readFile(path);
  if (!text)
    return text.takeError();
  auto lines =
      parseUnifiedDiff((*text)->getBuffer(), path == "-" ? "<stdin>" : path);
  if (!lines)
    return lines.takeError();
  changed = std::move(*lines);
  return llvm::Error::success();
}

llvm::ArrayRef<RemarkFilterOption> auspex::remarkFilterOptions() {
  static constexpr RemarkFilterOption Options[] = {
      {"min-benefit", "5% or 2us", "leave out advice that gains less",
       &RemarkFilter::setMinBenefit},
      {"remarks", "ID,...", "these remarks alone ('auspex explain')",
       &RemarkFilter::setRemarks},
      {"top", "N",
       "the N pieces of advice that gain the most, of each launch, and the "
       "facts",
       &RemarkFilter::setTop},
      {"paths", "PATH,...",
       "remarks in these files and folders alone, by a part of their path "
       "(k.cu, src/solver, *.cuh)",
       &RemarkFilter::setPaths},
      {"changed", "file",
       "remarks on lines that a unified diff changes (git diff; - is stdin)",
       &RemarkFilter::setChanged},
  };
  return Options;
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

double RemarkFilter::leastGainInUs(const Prediction &prediction) const {
  if (!minBenefitShare)
    return minBenefitInUs.value_or(0);
  return *minBenefitShare * prediction.timeInUs.value_or(0);
}

/// Whether \p pattern is a run of whole components of \p path.
static bool isPartOf(StringRef path, const llvm::GlobPattern &pattern) {
  for (StringRef rest = path; !rest.empty();) {
    for (size_t end = rest.find('/', 1);; end = rest.find('/', end + 1)) {
      if (pattern.match(rest.take_front(end)))
        return true;
      if (end == StringRef::npos)
        break;
    }
    size_t next = rest.find('/');
    rest = next == StringRef::npos ? "" : rest.drop_front(next + 1);
  }
  return false;
}

bool RemarkFilter::isInPaths(const SourceLocation &location) const {
  return llvm::any_of(paths, [&](const llvm::GlobPattern &pattern) {
    return isPartOf(location.file, pattern);
  });
}

/// The diff names files from the root of the repository, the compiler from
/// wherever it was started.
bool RemarkFilter::isChanged(const SourceLocation &location) const {
  auto isSame = [](StringRef longer, StringRef shorter) {
    return longer.consume_back(shorter) &&
           (longer.empty() || longer.ends_with("/"));
  };
  StringRef file = location.file;
  while (file.consume_front("./"))
    ;
  return location.isKnown() && llvm::any_of(*changed, [&](const auto &entry) {
           return (isSame(file, entry.first) || isSame(entry.first, file)) &&
                  entry.second.count(location.line);
         });
}

std::vector<const Finding *>
RemarkFilter::shown(const Prediction &prediction) const {
  std::vector<const Finding *> findings;
  double least = leastGainInUs(prediction);
  unsigned advice = 0;
  // Advice is sorted by gain.
  for (const Finding &finding : prediction.findings) {
    bool isAdvice = finding.kind == Finding::Kind::Missed;
    if (!finding.ignoredBecause.empty() ||
        (isAdvice && finding.gainInUs < least) ||
        (!ids.empty() && !ids.count(finding.id)) ||
        (!paths.empty() && !isInPaths(finding.location)) ||
        (changed && !isChanged(finding.location)))
      continue;
    if (isAdvice && top && advice++ >= *top)
      continue;
    findings.push_back(&finding);
  }
  return findings;
}
