// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Validate/Measurement.h"

#include "Gunzip.h"
#include "auspex/Support/Csv.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace auspex;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

const std::string *Measurement::findField(StringRef name) const {
  for (const auto &[key, value] : fields)
    if (key == name)
      return &value;
  return nullptr;
}

/// "grid.0" for "grid.x".
static std::string withoutAxis(StringRef name) {
  if (name.size() > 2 && name[name.size() - 2] == '.')
    if (size_t axis = StringRef("xyz").find(name.back());
        axis != StringRef::npos)
      return (name.drop_back() + llvm::Twine(axis)).str();
  return name.str();
}

/// The value of "-name=value" or, for "args.2", the third word that is not of
/// this form.
static std::optional<std::string> findWord(StringRef name, StringRef words,
                                           unsigned &position) {
  for (StringRef word : llvm::split(words, ' ')) {
    if (word.empty())
      continue;
    auto [key, value] = word.split('=');
    if (word.starts_with("-") && word.contains('=')) {
      if (key.ltrim('-') == name)
        return value.str();
    } else if (name == "args." + std::to_string(position++)) {
      return word.str();
    }
  }
  return std::nullopt;
}

std::optional<std::string> Measurement::find(StringRef name) const {
  if (name == "file")
    return llvm::sys::path::filename(place.file).str();
  std::string plain = withoutAxis(name);
  bool isWord = name.starts_with("args.");
  for (StringRef room : {"", "problem.", "compile_defs."})
    if (const std::string *value = findField((room + plain).str());
        value && !isWord)
      return *value;
  unsigned position = 0;
  for (const auto &[key, value] : members("problem.args"))
    if (auto found = findWord(name, value, position))
      return found;
  return std::nullopt;
}

std::string Measurement::misspelt(StringRef name) const {
  std::vector<std::string> names;
  for (StringRef key : llvm::make_first_range(fields)) {
    key.consume_front("problem.");
    std::string first = key.split('.').first.str();
    if (!llvm::is_contained(names, first))
      names.push_back(std::move(first));
  }
  std::vector<std::string> nearest = nearestNames(name, names, 1);
  return nearest.empty() ? "" : "; did you mean it by " + nearest.front() + "?";
}

std::vector<std::pair<std::string, std::string>>
Measurement::members(StringRef name) const {
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto &[key, value] : fields) {
    StringRef rest = key;
    if (rest.consume_front(name) && rest.consume_front("."))
      found.emplace_back(rest.str(), value);
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static void addFields(const Node &node, std::string name,
                      Measurement &measurement) {
  if (node.isScalar())
    measurement.fields.emplace_back(std::move(name), node.scalar);
  for (size_t i = 0; i < node.items.size(); ++i)
    addFields(node.items[i], name + "." + std::to_string(i), measurement);
  // Neither enters a prediction, and they are most of what there is.
  constexpr StringRef Unused[] = {"provenance", "timing"};
  for (const auto &[key, value] : node.members)
    if (!name.empty())
      addFields(value, name + "." + key, measurement);
    else if (!llvm::is_contained(Unused, key))
      addFields(value, key, measurement);
}

/// An error where a field that one number or word is expected of has several.
static Error checkShape(const Node &record) {
  constexpr StringRef Single[] = {"dataset",  "gpu",         "kernel",
                                  "app",      "source_repo", "status",
                                  "source",   "source_path", "dyn_smem",
                                  "core_MHz", "mem_MHz",     "measured_ms"};
  constexpr StringRef Named[] = {"compiled", "compile_defs", "counters"};
  auto expectOne = [](const Node &node) -> Error {
    if (node.isScalar() || node.isNull())
      return Error::success();
    return node.error("expected one number or word, found " +
                      node.description());
  };
  for (const auto &[key, value] : record.members) {
    if (llvm::is_contained(Single, key))
      if (Error error = expectOne(value))
        return error;
    if (!llvm::is_contained(Named, key))
      continue;
    if (!value.isMapping() && !value.isNull())
      return value.error("expected names with their values, found " +
                         value.description());
    for (const auto &member : value.members)
      if (Error error = expectOne(member.value))
        return error;
  }
  return Error::success();
}

static Expected<std::vector<Measurement>> readJsonLines(StringRef text,
                                                        StringRef path) {
  std::vector<Measurement> measurements;
  Error error = parseJsonLines(text, path, [&](const Node &node) -> Error {
    if (!node.isMapping())
      return node.error("expected a record, {\"gpu\": ...}, found " +
                        node.description());
    if (Error error = checkShape(node))
      return error;
    Measurement &measurement = measurements.emplace_back();
    measurement.place = {path.str(), node.line, ""};
    addFields(node, "", measurement);
    return Error::success();
  });
  if (error)
    return std::move(error);
  return measurements;
}

/// The field that a column holds.
static std::string columnField(StringRef column) {
  constexpr StringRef Fields[] = {
      "dataset",  "gpu",     "kernel",     "app",         "source_repo",
      "status",   "grid",    "block",      "source_path", "dyn_smem",
      "core_MHz", "mem_MHz", "measured_ms"};
  constexpr StringRef Rooms[] = {"problem.", "compile_defs.", "compiled.",
                                 "grid.",    "block.",        "compile_flags."};
  if (llvm::is_contained(Fields, column) ||
      llvm::any_of(Rooms,
                   [&](StringRef room) { return column.starts_with(room); }))
    return withoutAxis(column);
  return ("problem." + column).str();
}

static Expected<std::vector<Measurement>> readCsv(StringRef text,
                                                  StringRef path) {
  auto rows = parseCsv(text, path);
  if (!rows)
    return rows.takeError();
  std::vector<Measurement> measurements;
  if (rows->empty())
    return measurements;
  std::vector<std::string> names;
  for (const std::string &column : rows->front().cells) {
    std::string name = columnField(StringRef(column).trim());
    if (llvm::is_contained(names, name))
      return makeInputError({path.str(), rows->front().line, column},
                            "the column is there twice; remove one");
    names.push_back(std::move(name));
  }
  for (const CsvRow &row : llvm::drop_begin(*rows)) {
    if (row.cells.size() > names.size())
      return makeInputError({path.str(), row.line, ""},
                            "the row has " + llvm::Twine(row.cells.size()) +
                                " cells, and the header names " +
                                llvm::Twine(names.size()));
    Measurement &measurement = measurements.emplace_back();
    measurement.place = {path.str(), row.line, ""};
    for (auto [name, cell] : llvm::zip(names, row.cells))
      if (!StringRef(cell).trim().empty())
        measurement.fields.emplace_back(name, StringRef(cell).trim());
  }
  return measurements;
}

Expected<std::vector<Measurement>> auspex::readMeasurements(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeInputError({path.str(), 0, ""},
                          "cannot be read: " + buffer.getError().message());
  StringRef text = (*buffer)->getBuffer();
  // What spreadsheets begin with.
  text.consume_front("\xef\xbb\xbf");
  if (path.ends_with(".csv"))
    return readCsv(text, path);
  if (!path.ends_with(".gz"))
    return readJsonLines(text, path);
  std::optional<std::string> plain = gunzip(text);
  if (!plain)
    return makeInputError({path.str(), 0, ""},
                          "is no whole file in the format of gzip");
  return readJsonLines(*plain, path);
}

static bool isMeasurementFile(StringRef path) {
  return path.ends_with(".jsonl") || path.ends_with(".jsonl.gz") ||
         path.ends_with(".csv");
}

Expected<std::vector<std::string>> auspex::measurementFiles(StringRef path) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return makeInputError({path.str(), 0, ""},
                          "cannot be read: " + error.message());
  if (!llvm::sys::fs::is_directory(status)) {
    if (isMeasurementFile(path))
      return std::vector<std::string>{path.str()};
    return makeInputError({path.str(), 0, ""},
                          "the name has to end in .jsonl, .jsonl.gz or .csv");
  }
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(path, error), end;
       it != end && !error; it.increment(error))
    if (isMeasurementFile(it->path()))
      files.push_back(it->path());
  if (error)
    return makeInputError({path.str(), 0, ""},
                          "cannot be read: " + error.message());
  if (files.empty())
    return makeInputError({path.str(), 0, ""},
                          "the folder holds no measurements (*.jsonl, "
                          "*.jsonl.gz, *.csv)");
  llvm::sort(files);
  return files;
}
