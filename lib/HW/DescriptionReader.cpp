// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reads a GPU's description. Problems are collected, not only the first: who
/// writes a description of some ninety numbers wants to see all of them.
#include "Checks.h"
#include "Relatives.h"

#include "auspex/Support/Numbers.h"
#include "auspex/Support/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace auspex;
using llvm::Error;
using llvm::StringRef;

static constexpr std::array<StringRef, 4> KindNames = {"documented", "measured",
                                                       "derived", "assumed"};

static constexpr StringRef IdentityKeys[] = {"name",
                                             "aliases",
                                             "compute_capability",
                                             "like",
                                             "chip",
                                             "dram_type",
                                             "shared_carveouts",
                                             "register_allocation",
                                             "shared_atomic_times",
                                             "shared_popc_inc_times"};

static bool isTimes(StringRef key) {
  return key == "shared_atomic_times" || key == "shared_popc_inc_times";
}

/// Whether what has the unit \p unit is counted.
static bool isCount(StringRef unit) {
  return llvm::is_contained({"SM", "B", "banks", "barriers", "blocks",
                             "partitions", "registers", "schedulers", "threads",
                             "warps"},
                            unit);
}

static std::optional<std::string> rangeProblem(const QuantityInfo &info,
                                               double value) {
  if (value >= info.low && value <= info.high) {
    if (!isCount(info.unit) || value == std::floor(value))
      return std::nullopt;
    return formatNumber(value, 9) + " is no whole number of " +
           info.unit.str() + ", as " + info.key.str() + " has to be";
  }
  return formatNumber(value, 9) + " is out of range; " + info.key.str() +
         " has to be between " + formatNumber(info.low, 9) + " and " +
         formatNumber(info.high, 9) + " " + info.unit.str();
}

/// The member \p key, or an error that says what to write there.
static const Node *need(Reader &in, const Node &node, StringRef key,
                        const llvm::Twine &remedy) {
  const Node *member = in.maybeMember(key);
  if (!member)
    in.fail(node.error("the " + key + " is missing; " + remedy));
  return member;
}

/// Reads unit, kind, source and from into a Quantity or an IdentityFact.
template <typename Value>
static void readProvenance(Reader &in, const Node &node, StringRef unit,
                           Value &value) {
  const Node *given =
      unit.empty() ? nullptr : need(in, node, "unit", "write unit: " + unit);
  if (given && given->scalar != unit)
    in.fail(given->error("the unit has to be " + unit + ", found " +
                         given->description() + "; convert the value"));
  if (need(in, node, "kind", "one of " + llvm::join(KindNames, ", ")))
    value.kind = static_cast<SourceKind>(in.choice("kind", KindNames));
  if (const Node *source =
          need(in, node, "source",
               "cite the document, the benchmark or the GPU it is from")) {
    value.source = in.text("source");
    if (StringRef(value.source).trim().empty())
      in.fail(source->error("the source is empty; cite the document, the "
                            "benchmark or the GPU the value is from"));
  }
  value.borrowedFrom = in.maybeText("from").value_or("");
  if (!value.borrowedFrom.empty() && value.kind != SourceKind::Derived)
    in.fail(in.member("from")->error("a value taken from another GPU is of "
                                     "kind derived; change the kind or remove "
                                     "from"));
}

namespace {

class DescriptionReader {
public:
  explicit DescriptionReader(const Node &document) : document(document) {}

  llvm::Expected<GPU> read();

private:
  const Node &document;
  GPU gpu;
  /// The one that "like" names.
  std::optional<GPU> relative;
  Error problems = Error::success();

  void add(Error problem) {
    problems = llvm::joinErrors(std::move(problems), std::move(problem));
  }
  Error readMember(StringRef key, const Node &node);
  Error readQuantity(const QuantityInfo &info, const Node &node);
  Error readIdentity(StringRef key, const Node &node);
  Error readAliases(const Node &node);
  Error readFact(StringRef key, const Node &node);
  Error readLike(const Node &node);
  Error takeFact(const IdentityFact &fact, const Node &value);
  Error readCarveouts(const Node &value);
  void requireMembers();
  void checkConsistency();
};

} // namespace

llvm::Expected<GPU> DescriptionReader::read() {
  if (!document.isMapping())
    return document.error("expected the description of a GPU, found " +
                          document.description());
  for (const auto &[key, node] : document.members)
    add(readMember(key, node));
  if (relative)
    takeFromRelative(gpu, *relative);
  requireMembers();
  if (!problems)
    checkConsistency();
  if (problems)
    return std::move(problems);
  return std::move(gpu);
}

Error DescriptionReader::readMember(StringRef key, const Node &node) {
  // The table's own text, which outlives the document, becomes a fact's key.
  for (StringRef identity : IdentityKeys)
    if (identity == key)
      return readIdentity(identity, node);
  if (const QuantityInfo *info = findQuantity(key))
    return readQuantity(*info, node);
  std::vector<std::string> known(std::begin(IdentityKeys),
                                 std::end(IdentityKeys));
  for (const QuantityInfo &info : quantityInfos())
    known.push_back(info.key.str());
  return node.error("unknown key" + didYouMean(key, known));
}

Error DescriptionReader::readQuantity(const QuantityInfo &info,
                                      const Node &node) {
  if (!node.isMapping())
    return node.error("expected {value: ..., unit: " + info.unit +
                      ", kind: ..., source: ...}, found " + node.description());
  Reader in(node);
  Quantity quantity;
  const Node *value = need(in, node, "value", "write the number");
  if (value)
    quantity.value = in.number("value");
  readProvenance(in, node, info.unit, quantity);
  // Last: a value in a wrong unit is out of range because of it.
  if (!in.failed())
    if (auto problem = rangeProblem(info, quantity.value))
      in.fail(value->error(*problem));
  Error problem = in.finish();
  if (!problem)
    gpu.set(info.id, std::move(quantity));
  return problem;
}

Error DescriptionReader::readIdentity(StringRef key, const Node &node) {
  if (key == "aliases")
    return readAliases(node);
  if (key == "like")
    return readLike(node);
  if (key != "name")
    return readFact(key, node);
  if (!node.isScalar() || node.scalar.empty())
    return node.error("expected the GPU's name, found " + node.description());
  gpu.name = node.scalar;
  return Error::success();
}

Error DescriptionReader::readAliases(const Node &node) {
  if (!node.isSequence())
    return node.error("expected a list of names, found " + node.description());
  for (const Node &item : node.items) {
    if (!item.isScalar())
      return item.error("expected a name, found " + item.description());
    gpu.aliases.push_back(item.scalar);
  }
  return Error::success();
}

/// One step leads to numbers of a description's own: what is like another GPU
/// lends nothing.
Error DescriptionReader::readLike(const Node &node) {
  const EmbeddedFile *found =
      node.isScalar() ? findEmbedded(node.scalar) : nullptr;
  if (!found)
    return node.error("expected a GPU of 'auspex gpu list', found " +
                      node.description());
  auto theirs = parseDocument(found->text, found->fileName);
  if (!theirs)
    return theirs.takeError();
  if (const Node *other = theirs->find("like"))
    return node.error("the description of the " + node.scalar +
                      " is itself like that of the " + other->scalar +
                      ": name that");
  llvm::Expected<GPU> parsed = parseGPU(*theirs);
  if (!parsed)
    return parsed.takeError();
  relative = std::move(*parsed);
  return Error::success();
}

Error DescriptionReader::readFact(StringRef key, const Node &node) {
  if (!node.isMapping())
    return node.error("expected {value: ..., kind: ..., source: ...}, found " +
                      node.description());
  Reader in(node);
  IdentityFact fact;
  fact.key = key;
  if (key == "shared_carveouts")
    fact.unit = "KiB";
  if (isTimes(key))
    fact.unit = "cycles";
  const Node *value = need(in, node, "value", "write what it is");
  readProvenance(in, node, fact.unit, fact);
  if (value && !in.failed())
    in.fail(takeFact(fact, *value));
  return in.finish();
}

Error DescriptionReader::takeFact(const IdentityFact &fact, const Node &value) {
  IdentityFact taken = fact;
  if (fact.key == "shared_carveouts") {
    if (Error problem = readCarveouts(value))
      return problem;
    std::vector<std::string> sizes;
    for (unsigned size : gpu.sharedCarveouts)
      sizes.push_back(std::to_string(size));
    taken.text = llvm::join(sizes, ", ");
  } else if (isTimes(fact.key)) {
    llvm::Expected<AtomicTimes> times = AtomicTimes::read(value);
    if (!times)
      return times.takeError();
    taken.text = times->text();
    (fact.key == "shared_atomic_times" ? gpu.sharedAtomicTimes
                                       : gpu.sharedPopcIncTimes) =
        std::move(*times);
  } else if (llvm::Expected<std::string> text = value.text()) {
    taken.text = *text;
  } else {
    return text.takeError();
  }
  if (fact.key == "compute_capability") {
    std::optional<unsigned> arch = parseArch(taken.text);
    if (!arch || !StringRef(taken.text).contains('.'))
      return value.error("expected a compute capability such as 8.0, found " +
                         value.description());
    gpu.arch = *arch;
  }
  if (fact.key == "register_allocation") {
    if (taken.text != "warp" && taken.text != "block")
      return value.error(
          "registers are allocated per warp or per block, found " +
          value.description());
    gpu.registersPerBlock = taken.text == "block";
  }
  if (fact.key == "chip")
    gpu.chip = taken.text;
  if (fact.key == "dram_type")
    gpu.dramType = taken.text;
  gpu.identity.push_back(std::move(taken));
  return Error::success();
}

Error DescriptionReader::readCarveouts(const Node &value) {
  if (!value.isSequence())
    return value.error("expected a list of sizes, found " +
                       value.description());
  for (const Node &item : value.items) {
    llvm::Expected<int64_t> size = item.integer();
    if (!size)
      return size.takeError();
    if (*size < 0 || *size > 1024)
      return item.error(item.scalar +
                        " is out of range; a carve-out has 0 to 1024 KiB");
    gpu.sharedCarveouts.push_back(*size);
  }
  return Error::success();
}

void DescriptionReader::requireMembers() {
  auto isTaken = [&](StringRef key) {
    const QuantityInfo *number = findQuantity(key);
    return number ? gpu.has(number->id)
                  : llvm::any_of(gpu.identity, [&](const IdentityFact &fact) {
                      return fact.key == key;
                    });
  };
  auto require = [&](StringRef key, const llvm::Twine &what) {
    if (document.find(key) || isTaken(key))
      return;
    Place place = document.place();
    place.line = 0;
    place.key = key.str();
    add(makeInputError(std::move(place), "the key is missing: " + what));
  };
  require("name", "the GPU's name");
  require("compute_capability", "such as 8.0");
  require("shared_carveouts", "the sizes shared memory can have, in KiB");
  for (const QuantityInfo &info : quantityInfos())
    if (info.required)
      require(info.key, info.doc + ", in " + info.unit);
}

void DescriptionReader::checkConsistency() {
  for (const Inconsistency &problem : findInconsistencies(gpu)) {
    StringRef key = problem.where ? info(*problem.where).key
                                  : StringRef("shared_carveouts");
    const Node *stated = document.find(key);
    add(stated
            ? stated->error(problem.message)
            : document.find("like")->error("of the " + relative->name + ", " +
                                           key + ": " + problem.message));
  }
}

llvm::Expected<GPU> auspex::parseGPU(const Node &document) {
  return DescriptionReader(document).read();
}

static Error setQuantity(GPU &gpu, StringRef assignment) {
  auto [key, text] = assignment.split('=');
  Place place{"", 0, key.trim().str()};
  const QuantityInfo *info = findQuantity(key.trim());
  if (!info) {
    std::vector<std::string> known;
    for (const QuantityInfo &each : quantityInfos())
      known.push_back(each.key.str());
    return makeInputError(place, "no such number of a GPU" +
                                     didYouMean(key.trim(), known));
  }
  std::optional<double> value = parseNumber(text.trim());
  if (!value)
    return makeInputError(place, "expected " + info->key + "=<number in " +
                                     info->unit + ">, found '" + assignment +
                                     "'");
  if (auto problem = rangeProblem(*info, *value))
    return makeInputError(place, *problem);
  std::string before = gpu.has(info->id)
                           ? "; was " + formatNumber(gpu[info->id], 9)
                           : "; was absent";
  gpu.set(info->id, {*value, SourceKind::Assumed,
                     "set to " + formatNumber(*value, 9) + before, ""});
  return Error::success();
}

Error auspex::overrideQuantities(GPU &gpu,
                                 llvm::ArrayRef<std::string> assignments) {
  GPU changed = gpu;
  for (const std::string &assignment : assignments)
    if (Error problem = setQuantity(changed, assignment))
      return problem;
  for (const Inconsistency &problem : findInconsistencies(changed))
    return makeInputError(
        {"", 0, problem.where ? info(*problem.where).key.str() : ""},
        problem.message + "; set both");
  gpu = std::move(changed);
  return Error::success();
}
