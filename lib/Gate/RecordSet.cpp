// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading one side of a comparison: files, folders, and what must not be twice.
#include "RecordParts.h"

#include "auspex/Report/PredictionReport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace auspex;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {
/// Reads documents one after the other into one set.
class SetReader {
public:
  explicit SetReader(RecordSet &set) : set(set) {}

  Error readDocument(StringRef path);
  /// Sorts the records and folds those that say the same.
  Error finish();

private:
  RecordSet &set;
  /// Of the current document, by qualified name and GPU.
  llvm::StringMap<unsigned> positions;

  Error checkVersion(const Node &root, StringRef key) const;
  Error readItem(const Node &root, StringRef key, const Node &item);
};
} // namespace

static Error refuseVersion(const Node &node, StringRef what, int64_t version,
                           int64_t known, StringRef remedy) {
  return node.error(llvm::formatv(
      "{0} have version {1} of their format, and this Auspex reads version "
      "{2}; {3}{4}",
      what, version, known, version > known ? "use a newer Auspex, or " : "",
      remedy));
}

/// Before anything else: of another version nothing can be expected.
Error SetReader::checkVersion(const Node &root, StringRef key) const {
  const Node *node = root.find("schemaVersion");
  if (!node)
    return root.error("schemaVersion is missing; a document of predictions or "
                      "a baseline starts with it");
  Expected<int64_t> version = node->integer();
  if (!version)
    return version.takeError();
  if (key == "baseline") {
    if (*version != BaselineSchemaVersion)
      return refuseVersion(*node, "baselines", *version, BaselineSchemaVersion,
                           "write the baseline again with 'auspex gate "
                           "--write-baseline'");
    return Error::success();
  }
  if (*version != PredictionsSchemaVersion)
    return refuseVersion(*node, "these predictions", *version,
                         PredictionsSchemaVersion,
                         "predict again with this Auspex");
  return Error::success();
}

Error SetReader::readItem(const Node &root, StringRef key, const Node &item) {
  if (key != "predictions" && key != "baseline")
    return Error::success();
  if (Error error = checkVersion(root, key))
    return error;
  Expected<KernelRecord> record = readRecord(item);
  if (!record)
    return record.takeError();
  if (key == "predictions")
    record->position =
        positions[record->qualifiedName() + '\n' + record->gpu]++;
  set.records.push_back(std::move(*record));
  return Error::success();
}

Error SetReader::readDocument(StringRef path) {
  positions.clear();
  auto root = loadDocumentByItems(
      path, [this](const Node &root, StringRef key, const Node &item) {
        return readItem(root, key, item);
      });
  if (!root)
    return root.takeError();
  const Node *predictions = root->find("predictions");
  const Node *baseline = root->find("baseline");
  const Node *list = predictions ? predictions : baseline;
  if (!list || (predictions && baseline)) {
    StringRef found = root->find("kernels")  ? "; this is a summary of kernels"
                      : root->find("sweeps") ? "; this is a sweep"
                                             : "";
    return makeInputError({path.str(), 0, ""},
                          "expected predictions ('auspex predict "
                          "--format=json') or a baseline ('auspex gate "
                          "--write-baseline')" +
                              found);
  }
  if (!list->isSequence() && !list->isNull())
    return list->error("expected a list, found " + list->description());
  set.isBaseline |= baseline != nullptr;
  return checkVersion(*root, baseline ? "baseline" : "predictions");
}

/// Whether nothing tells two records apart: kernel, GPU, launch and places.
static bool haveOneIdentity(const KernelRecord &a, const KernelRecord &b) {
  return a.kernel == b.kernel && a.gpu == b.gpu && a.isSameLaunch(b) &&
         a.launch.location == b.launch.location && a.source == b.source &&
         a.location.file == b.location.file &&
         a.location.line == b.location.line;
}

static Error refuseSecond(const KernelRecord &first, const KernelRecord &second,
                          StringRef remedy) {
  return makeInputError({second.place.file, second.place.line, ""},
                        second.demangled + " is there twice on " + second.gpu +
                            " in the same launch, also at " + first.place.file +
                            ":" + std::to_string(first.place.line) + remedy);
}

Error SetReader::finish() {
  llvm::stable_sort(set.records);
  std::vector<KernelRecord> once;
  for (KernelRecord &record : set.records) {
    if (!once.empty() && haveOneIdentity(once.back(), record)) {
      KernelRecord &first = once.back();
      bool isOneDocument = first.place.file == record.place.file;
      // Baselines have no places: launches on several lines look the same.
      if (isOneDocument && !set.isBaseline)
        return refuseSecond(first, record,
                            "; remove one, or predict sources that share "
                            "kernels into a document each");
      bool isEqual = first.timeInUs == record.timeInUs &&
                     first.timeRangeInUs == record.timeRangeInUs;
      if (!isEqual && !set.isBaseline)
        return refuseSecond(first, record,
                            ", with another time; remove the older of the two "
                            "documents");
      if (!set.isBaseline)
        continue;
    }
    once.push_back(std::move(record));
  }
  set.records = std::move(once);
  return Error::success();
}

/// The documents of a folder, sorted by path.
static Expected<std::vector<std::string>> documentsOf(StringRef folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".json"))
      paths.push_back(it->path());
  if (error)
    return makeInputError({folder.str(), 0, ""},
                          "cannot be read: " + error.message());
  if (paths.empty())
    return makeInputError({folder.str(), 0, ""},
                          "the folder holds no predictions (*.json); write "
                          "some with 'auspex predict --format=json -o' or "
                          "the plugin's -out=DIR");
  llvm::sort(paths);
  return paths;
}

void auspex::makeRelative(RecordSet &set, StringRef root) {
  std::string prefix = root.rtrim('/').str() + "/";
  auto shorten = [&](SourceLocation &location) {
    StringRef file = location.file;
    if (file.consume_front(prefix) || file.consume_front("./"))
      location.file = file.str();
  };
  for (KernelRecord &record : set.records) {
    shorten(record.location);
    shorten(record.launch.location);
    for (FindingRecord &finding : record.findings)
      shorten(finding.location);
    for (AccessVolume &access : record.accesses)
      shorten(access.location);
    for (LineVolume &line : record.lines)
      shorten(line.location);
    for (LoopVolume &loop : record.loops)
      shorten(loop.location);
  }
}

Expected<RecordSet> auspex::readRecords(StringRef path) {
  RecordSet set;
  set.path = path.str();
  std::vector<std::string> paths{path.str()};
  if (llvm::sys::fs::is_directory(path)) {
    auto documents = documentsOf(path);
    if (!documents)
      return documents.takeError();
    paths = std::move(*documents);
  }
  SetReader reader(set);
  for (const std::string &document : paths)
    if (Error error = reader.readDocument(document))
      return std::move(error);
  if (Error error = reader.finish())
    return std::move(error);
  return set;
}
