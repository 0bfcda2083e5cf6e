// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Gate/Matching.h"

#include "ReportTexts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <set>

using namespace auspex;

using Names = std::map<std::string, std::string>;

/// Of a side that has none, those of the other.
static const Names &namesOf(const KernelRecord &record,
                            const KernelRecord &other) {
  return record.argumentNames.empty() ? other.argumentNames
                                      : record.argumentNames;
}

static std::string sizeText(const std::optional<Stated<Dim3>> &size) {
  return size ? size->value.str() : "not known";
}

std::vector<std::string> RecordPair::differences() const {
  std::vector<std::string> texts;
  if (!base || !head)
    return texts;
  auto compare = [&](const llvm::Twine &what, const std::string &before,
                     const std::string &after) {
    if (before != after)
      texts.push_back((what + " " + (before.empty() ? "none" : before) +
                       " -> " + (after.empty() ? "none" : after))
                          .str());
  };
  compare("signature", base->demangled, head->demangled);
  compare("grid", sizeText(base->launch.grid), sizeText(head->launch.grid));
  compare("block", sizeText(base->launch.block), sizeText(head->launch.block));
  auto shared = [](const LaunchConfig &launch) {
    return std::to_string(launch.dynamicShared ? launch.dynamicShared->value
                                               : 0) +
           " B";
  };
  compare("dynamic shared memory", shared(base->launch), shared(head->launch));
  if (argumentText(base->launch) != argumentText(head->launch))
    compare("arguments", argumentText(base->launch, namesOf(*base, *head)),
            argumentText(head->launch, namesOf(*head, *base)));
  return texts;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// "ns::k" for "ns::k<float>(int)::f<3>".
static std::string withoutTemplateArguments(llvm::StringRef name) {
  std::string text;
  int depth = 0;
  for (char c : name) {
    depth += c == '<';
    if (!depth)
      text += c;
    depth -= c == '>' && depth > 0;
  }
  return text;
}

/// "k" for "ns::k".
static std::string ownName(llvm::StringRef name) {
  size_t scope = name.rfind("::");
  return (scope == llvm::StringRef::npos ? name : name.substr(scope + 2)).str();
}

namespace {

/// Takes records out of both sides, pass by pass.
class Matcher {
public:
  Matcher(llvm::ArrayRef<KernelRecord> base, llvm::ArrayRef<KernelRecord> head)
      : base(remember(base)), head(remember(head)) {}

  std::vector<RecordPair> run() {
    pass([](const Entry &entry) { return entry.launch; });
    pass([](const Entry &entry) {
      return entry.name + '\n' + entry.record->source + '\n' +
             std::to_string(entry.record->position);
    });
    pass([](const Entry &entry) { return entry.name; });
    pass([](const Entry &entry) { return entry.plainName; });
    passMoved();
    for (const Entry &entry : base)
      if (entry.record)
        pairs.push_back({entry.record, nullptr});
    for (const Entry &entry : head)
      if (entry.record)
        pairs.push_back({nullptr, entry.record});
    llvm::stable_sort(pairs, [](const RecordPair &a, const RecordPair &b) {
      return a.any() < b.any();
    });
    return std::move(pairs);
  }

private:
  struct Entry {
    /// Null once it has its counterpart.
    const KernelRecord *record;
    /// What each pass compares; the GPU is in all.
    std::string launch, name, plainName, ownName;
  };
  std::vector<Entry> base, head;
  std::vector<RecordPair> pairs;

  static std::vector<Entry> remember(llvm::ArrayRef<KernelRecord> records) {
    std::vector<Entry> entries;
    for (const KernelRecord &record : records) {
      const LaunchConfig &launch = record.launch;
      std::string name = record.qualifiedName();
      std::string plainName = withoutTemplateArguments(name);
      std::string shared = std::to_string(
          launch.dynamicShared ? launch.dynamicShared->value : 0);
      entries.push_back(
          {&record,
           record.kernel + '\n' + record.gpu + '\n' + sizeText(launch.grid) +
               '\n' + sizeText(launch.block) + '\n' + shared + '\n' +
               argumentText(launch),
           name + '\n' + record.gpu, plainName + '\n' + record.gpu,
           ownName(plainName) + '\n' + record.gpu});
    }
    // Several of one key are paired in the order of their documents.
    llvm::stable_sort(entries, [](const Entry &a, const Entry &b) {
      return std::tie(a.record->source, a.record->position) <
             std::tie(b.record->source, b.record->position);
    });
    return entries;
  }

  /// Pairs what has the same key, in order.
  template <typename Key> void pass(Key key) {
    llvm::StringMap<std::vector<Entry *>> left;
    for (Entry &entry : base)
      if (entry.record)
        left[key(entry)].push_back(&entry);
    // From the front, by reversing once.
    for (auto &bucket : left)
      std::reverse(bucket.second.begin(), bucket.second.end());
    for (Entry &entry : head) {
      if (!entry.record)
        continue;
      auto found = left.find(key(entry));
      if (found == left.end() || found->second.empty())
        continue;
      Entry *other = found->second.back();
      found->second.pop_back();
      pairs.push_back({other->record, entry.record});
      other->record = entry.record = nullptr;
    }
  }

  /// The qualified names of what is left, by own name.
  static std::map<std::string, std::set<std::string>>
  qualifiedNamesOf(llvm::ArrayRef<Entry> entries) {
    std::map<std::string, std::set<std::string>> names;
    for (const Entry &entry : entries)
      if (entry.record)
        names[entry.ownName].insert(entry.plainName);
    return names;
  }

  /// Pairs what moved to another namespace or class, where only one kernel of
  /// its own name is left on either side.
  void passMoved() {
    auto before = qualifiedNamesOf(base), after = qualifiedNamesOf(head);
    pass([&](const Entry &entry) {
      bool isMeant =
          before[entry.ownName].size() == 1 && after[entry.ownName].size() == 1;
      return isMeant ? entry.ownName : entry.plainName;
    });
  }
};

} // namespace

std::vector<RecordPair>
auspex::matchRecords(llvm::ArrayRef<KernelRecord> base,
                     llvm::ArrayRef<KernelRecord> head) {
  return Matcher(base, head).run();
}
