// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Report/IgnoreComments.h"

#include "auspex/Model/Remark.h"
#include "auspex/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <tuple>

using namespace auspex;
using llvm::StringRef;

/// What stands between "auspex: ignore" and the end of the line or comment;
/// nothing if it is not there.
static std::optional<StringRef> afterMark(StringRef line) {
  size_t start = line.find("auspex:");
  if (start == StringRef::npos)
    return std::nullopt;
  StringRef before = line.take_front(start);
  if (!before.contains("//") && !before.contains("/*"))
    return std::nullopt;
  StringRef rest = line.drop_front(start + StringRef("auspex:").size()).trim();
  if (!rest.consume_front("ignore"))
    return std::nullopt;
  return rest.take_front(rest.find("*/")).trim();
}

static bool isCommentAlone(StringRef line) {
  line = line.trim();
  return line.empty() || line.starts_with("//") || line.starts_with("/*") ||
         line.starts_with("*");
}

std::vector<IgnoreComment> auspex::findIgnoreComments(StringRef text) {
  llvm::SmallVector<StringRef, 0> lines;
  text.split(lines, '\n');
  std::vector<IgnoreComment> comments;
  for (size_t number = 0; number < lines.size(); ++number) {
    std::optional<StringRef> rest = afterMark(lines[number]);
    if (!rest)
      continue;
    size_t target = number;
    while (target + 1 < lines.size() && isCommentAlone(lines[target]))
      ++target;
    StringRef names, reason = *rest;
    if (rest->starts_with("("))
      std::tie(names, reason) = rest->drop_front().split(')');
    llvm::SmallVector<StringRef, 4> ids;
    names.split(ids, ',');
    for (StringRef id : ids)
      comments.push_back({unsigned(number + 1), unsigned(target + 1),
                          id.trim().str(), reason.trim().str(), false});
  }
  return comments;
}

std::vector<IgnoreComment> &
IgnoreComments::commentsOf(const std::string &file) {
  auto [entry, isNew] = files.try_emplace(file);
  if (isNew)
    if (auto buffer = llvm::MemoryBuffer::getFile(file))
      entry->second = findIgnoreComments((*buffer)->getBuffer());
  return entry->second;
}

void IgnoreComments::apply(Prediction &prediction) {
  for (Finding &finding : prediction.findings) {
    if (!finding.location.isKnown())
      continue;
    for (IgnoreComment &comment : commentsOf(finding.location.file)) {
      if (comment.target != finding.location.line || comment.id != finding.id ||
          comment.reason.empty())
        continue;
      comment.isUsed = true;
      finding.ignoredBecause = comment.reason;
    }
  }
}

static std::string complaintAbout(const IgnoreComment &comment,
                                  bool areAllSeen) {
  if (comment.isUsed)
    return "";
  if (comment.id.empty())
    return "which remark is to be ignored? write 'auspex: ignore(NAME) reason'";
  const RemarkInfo *info = findRemark(comment.id);
  if (!info || info->id != comment.id) {
    std::vector<std::string> names;
    for (const RemarkInfo &known : remarkInfos())
      names.push_back(known.id.str());
    return "there is no remark '" + comment.id + "' to ignore" +
           didYouMean(comment.id, names);
  }
  if (comment.reason.empty())
    return comment.id + " is not ignored without a reason; write it behind "
                        "the parenthesis";
  if (!areAllSeen)
    return "";
  return "there is no " + comment.id + " to ignore in line " +
         std::to_string(comment.target) + "; remove the comment";
}

std::vector<std::string> IgnoreComments::complaints(bool areAllSeen) const {
  std::vector<std::string> texts;
  for (const auto &[file, comments] : files)
    for (const IgnoreComment &comment : comments)
      if (std::string text = complaintAbout(comment, areAllSeen); !text.empty())
        texts.push_back(Place{file, comment.line, ""}.prefix() + text);
  return texts;
}
