// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The descriptions that come with Auspex, by name and by architecture. To find
/// one, only the first keys of each text are read (name, aliases, compute
/// capability); LLVM's YAML parser goes no further than it is asked to.
#include "auspex/HW/GPU.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace auspex;
using llvm::StringRef;

namespace {

struct Head {
  const EmbeddedFile *description;
  std::string name;
  std::vector<std::string> aliases;
  unsigned arch = 0;
};

/// The GPU that stands for an architecture, where there is a choice (DESIGN).
struct Representative {
  unsigned arch;
  StringRef name;
};

constexpr Representative Representatives[] = {
    {52, "GTX-980"},  {60, "P100"},      {61, "GTX-1080-Ti"}, {70, "V100-PCIe"},
    {75, "T4"},       {80, "A100-40GB"}, {86, "RTX-A6000"},   {89, "L40"},
    {90, "H100-SXM"}, {100, "B200"},     {120, "RTX-5090"},
};

} // namespace

static std::string scalarText(llvm::yaml::Node *node) {
  llvm::SmallString<32> storage;
  auto *scalar = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(node);
  return scalar ? scalar->getValue(storage).str() : "";
}

/// The member "value" of a mapping; the members before it are read over.
static std::string valueText(llvm::yaml::Node *node) {
  std::string text;
  if (auto *mapping = llvm::dyn_cast_or_null<llvm::yaml::MappingNode>(node))
    for (llvm::yaml::KeyValueNode &entry : *mapping) {
      bool wanted = scalarText(entry.getKey()) == "value";
      std::string value = scalarText(entry.getValue());
      if (wanted)
        text = std::move(value);
    }
  return text;
}

static void readHeadMember(llvm::yaml::KeyValueNode &entry, Head &head) {
  std::string key = scalarText(entry.getKey());
  if (key == "name")
    head.name = scalarText(entry.getValue());
  else if (key == "compute_capability")
    head.arch = parseArch(valueText(entry.getValue())).value_or(0);
  else if (key == "aliases")
    if (auto *list =
            llvm::dyn_cast_or_null<llvm::yaml::SequenceNode>(entry.getValue()))
      for (llvm::yaml::Node &item : *list)
        head.aliases.push_back(scalarText(&item));
}

static Head readHead(const EmbeddedFile &description) {
  Head head{&description, "", {}, 0};
  llvm::SourceMgr sources;
  llvm::yaml::Stream stream(description.text, sources);
  auto *root = llvm::dyn_cast_or_null<llvm::yaml::MappingNode>(
      stream.begin()->getRoot());
  if (!root)
    return head;
  for (llvm::yaml::KeyValueNode &entry : *root) {
    readHeadMember(entry, head);
    // The keys stand first in this order; a test holds the files to it.
    if (head.arch)
      break;
  }
  return head;
}

/// All heads, sorted by compute capability, then name.
static const std::vector<Head> &heads() {
  static const std::vector<Head> sorted = [] {
    std::vector<Head> list;
    for (const EmbeddedFile &description : embeddedDescriptions())
      list.push_back(readHead(description));
    llvm::sort(list, [](const Head &a, const Head &b) {
      return std::tie(a.arch, a.name) < std::tie(b.arch, b.name);
    });
    return list;
  }();
  return sorted;
}

static std::string normalized(StringRef name) {
  std::string text;
  for (char c : name)
    if (!StringRef("-_ ").contains(c))
      text += llvm::toLower(c);
  return text;
}

static const Head *findHead(StringRef name) {
  std::string wanted = normalized(name);
  for (const Head &head : heads())
    if (normalized(head.name) == wanted ||
        llvm::any_of(head.aliases, [&](const std::string &alias) {
          return normalized(alias) == wanted;
        }))
      return &head;
  return nullptr;
}

std::vector<std::string> auspex::gpuNames() {
  std::vector<std::string> names;
  for (const Head &head : heads())
    names.push_back(head.name);
  return names;
}

StringRef auspex::gpuForArch(unsigned arch) {
  const Head *best = nullptr;
  for (const Head &head : heads()) {
    if (head.arch <= arch && (!best || head.arch > best->arch))
      best = &head;
    // A newer one of a generation is closer than an older generation.
    bool isOlderGeneration = !best || best->arch / 10 < arch / 10;
    if (head.arch > arch && head.arch / 10 == arch / 10 && isOlderGeneration)
      best = &head;
  }
  if (!best)
    return "";
  for (const Representative &fixed : Representatives)
    if (fixed.arch == best->arch && findHead(fixed.name))
      return fixed.name;
  return best->name;
}

std::optional<unsigned> auspex::parseArch(StringRef text) {
  unsigned major, minor;
  if (text.consume_front_insensitive("sm_") ||
      text.consume_front_insensitive("compute_")) {
    // sm_90a and sm_100f are variants of the same hardware.
    if (!text.consume_back("a"))
      text.consume_back("f");
    unsigned arch;
    if (text.getAsInteger(10, arch))
      return std::nullopt;
    return arch;
  }
  auto [before, after] = text.split('.');
  if (after.size() != 1 || before.getAsInteger(10, major) ||
      after.getAsInteger(10, minor))
    return std::nullopt;
  return major * 10 + minor;
}

static bool isPath(StringRef name) {
  return name.contains('/') || name.ends_with(".yaml") ||
         name.ends_with(".yml");
}

static llvm::Error unknownGPU(StringRef name) {
  std::vector<std::string> known;
  for (const Head &head : heads()) {
    known.push_back(head.name);
    llvm::append_range(known, head.aliases);
  }
  std::string near = didYouMean(name, known);
  if (near.empty())
    near = "; 'auspex gpu list' lists them";
  return makeInputError({}, "unknown GPU '" + name + "'" + near);
}

const EmbeddedFile *auspex::findEmbedded(StringRef name) {
  if (std::optional<unsigned> arch = parseArch(name))
    name = gpuForArch(*arch);
  const Head *head = findHead(name);
  return head ? head->description : nullptr;
}

llvm::Expected<GPU> auspex::findGPU(StringRef name) {
  llvm::Expected<Node> document = Node();
  if (isPath(name))
    document = loadDocument(name);
  else if (const EmbeddedFile *found = findEmbedded(name))
    document = parseDocument(found->text, found->fileName);
  else
    return unknownGPU(name);
  if (!document)
    return document.takeError();
  llvm::Expected<GPU> gpu = parseGPU(*document);
  std::optional<unsigned> arch = parseArch(name);
  if (gpu && arch && *arch != gpu->arch)
    gpu->standsInFor = "sm_" + std::to_string(*arch);
  return gpu;
}
