// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/Error.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace auspex;

char InputError::ID = 0;

std::string Place::prefix() const {
  std::string text = file;
  if (line)
    text += (text.empty() ? "line " : ":") + std::to_string(line);
  if (!text.empty())
    text += ": ";
  if (!key.empty())
    text += key + ": ";
  return text;
}

void InputError::log(llvm::raw_ostream &os) const {
  os << place.prefix() << message;
}

std::error_code InputError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

llvm::Error auspex::makeInputError(Place place, const llvm::Twine &message) {
  return llvm::make_error<InputError>(std::move(place), message);
}

std::vector<std::string>
auspex::nearestNames(llvm::StringRef name,
                     llvm::ArrayRef<std::string> candidates, unsigned limit) {
  std::vector<std::pair<unsigned, std::string>> ranked;
  std::string lowered = name.lower();
  for (const std::string &candidate : candidates) {
    std::string other = llvm::StringRef(candidate).lower();
    unsigned distance = llvm::StringRef(lowered).edit_distance(other);
    bool contains =
        name.size() >= 2 && llvm::StringRef(other).contains(lowered);
    // A part of a name is as good as a name with two wrong letters.
    if (contains || distance <= std::max(name.size(), other.size()) / 2)
      ranked.emplace_back(contains ? std::min(distance, 2u) : distance,
                          candidate);
  }
  llvm::stable_sort(ranked, llvm::less_first());
  std::vector<std::string> names;
  for (auto &entry : ranked)
    if (names.size() < limit && !llvm::is_contained(names, entry.second))
      names.push_back(std::move(entry.second));
  return names;
}

std::string auspex::didYouMean(llvm::StringRef name,
                               llvm::ArrayRef<std::string> candidates) {
  std::vector<std::string> names = nearestNames(name, candidates);
  if (names.empty())
    return "";
  std::string text = "; did you mean ";
  for (size_t i = 0; i < names.size(); ++i) {
    if (i)
      text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text + "?";
}
