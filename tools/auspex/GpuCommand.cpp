// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// auspex gpu list | show NAME | check FILE...: what is known about the GPUs,
/// and where it is from.
#include "Command.h"

#include "auspex/HW/GPU.h"
#include "auspex/Support/Json.h"
#include "auspex/Support/Table.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace auspex;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;
namespace json = llvm::json;

static cl::SubCommand Gpu("gpu", "List, show and check GPU descriptions");
static cl::list<std::string> Arguments(cl::Positional, cl::sub(Gpu),
                                       cl::desc("list | show NAME | check "
                                                "[FILE...]"));

namespace {
enum class Format { Text, Json, Yaml };
} // namespace

static ChoiceOption<Format> OutputFormat(
    "format", cl::sub(Gpu), cl::desc("How to print"), cl::init(Format::Text),
    cl::values(clEnumValN(Format::Text, "text", "for people (default)"),
               clEnumValN(Format::Json, "json", "one JSON document"),
               clEnumValN(Format::Yaml, "yaml",
                          "show: the description as it is written")));
static cl::list<std::string>
    Overrides("set", cl::sub(Gpu), cl::value_desc("key=value"),
              cl::desc("show: what if a number were different; repeatable"));

static Expected<std::vector<GPU>> loadAll(llvm::ArrayRef<std::string> names) {
  std::vector<GPU> gpus;
  for (const std::string &name : names) {
    Expected<GPU> gpu = findGPU(name);
    if (!gpu)
      return gpu.takeError();
    gpus.push_back(std::move(*gpu));
  }
  return gpus;
}

static void printTable(llvm::ArrayRef<GPU> gpus) {
  Table table({"name", "cc", "chip", "SMs", "MHz", "DRAM GB/s", "L2 KiB",
               "documented", "measured", "derived", "assumed"});
  for (const GPU &gpu : gpus) {
    std::array<unsigned, 4> kinds = gpu.countByKind();
    table.add({gpu.name, computeCapabilityText(gpu.arch), gpu.chip,
               shortestNumber(gpu[Q::SMCount]), shortestNumber(gpu[Q::SMClock]),
               shortestNumber(gpu[Q::DramBandwidth]),
               shortestNumber(gpu[Q::L2Size]), std::to_string(kinds[0]),
               std::to_string(kinds[1]), std::to_string(kinds[2]),
               std::to_string(kinds[3])});
  }
  table.print(llvm::outs());
}

static void writeHead(json::OStream &out, const GPU &gpu) {
  out.attribute("name", gpu.name);
  out.attributeArray("aliases", [&] {
    for (const std::string &alias : gpu.aliases)
      out.value(alias);
  });
  out.attribute("computeCapability", computeCapabilityText(gpu.arch));
}

static void writeList(llvm::ArrayRef<GPU> gpus) {
  json::OStream out(llvm::outs(), 2);
  out.object([&] {
    out.attribute("schemaVersion", 1);
    out.attributeArray("gpus", [&] {
      for (const GPU &gpu : gpus)
        out.object([&] {
          writeHead(out, gpu);
          for (Q id : {Q::SMCount, Q::SMClock, Q::DramBandwidth, Q::L2Size})
            writeNumber(out, info(id).key, gpu[id]);
          std::array<unsigned, 4> kinds = gpu.countByKind();
          for (unsigned kind = 0; kind < kinds.size(); ++kind)
            out.attribute(toString(static_cast<SourceKind>(kind)), kinds[kind]);
        });
    });
  });
  llvm::outs() << '\n';
}

static Expected<ExitCode> list() {
  Expected<std::vector<GPU>> gpus = loadAll(gpuNames());
  if (!gpus)
    return gpus.takeError();
  if (OutputFormat == Format::Yaml)
    return makeInputError({}, "--format=yaml is for 'auspex gpu show'");
  if (OutputFormat == Format::Json)
    writeList(*gpus);
  else
    printTable(*gpus);
  return ExitFine;
}

static void printGPU(const GPU &gpu) {
  llvm::outs() << gpu.name << ": compute capability "
               << computeCapabilityText(gpu.arch) << "; "
               << gpu.provenanceText() << '\n';
  if (!gpu.aliases.empty())
    llvm::outs() << "also called " << llvm::join(gpu.aliases, ", ") << '\n';
  llvm::outs() << '\n';
  Table table({"key", "value", "unit", "kind", "from", "source"});
  for (const IdentityFact &fact : gpu.identity)
    table.add({fact.key.str(), fact.text, fact.unit.str(),
               toString(fact.kind).str(), fact.borrowedFrom, fact.source});
  for (const QuantityInfo &info : quantityInfos())
    if (const std::optional<Quantity> &quantity = gpu.quantity(info.id))
      table.add({info.key.str(), shortestNumber(quantity->value),
                 info.unit.str(), toString(quantity->kind).str(),
                 quantity->borrowedFrom, quantity->source});
  table.print(llvm::outs());
}

static void writeProvenance(json::OStream &out, SourceKind kind,
                            StringRef borrowedFrom, StringRef source) {
  out.attribute("kind", toString(kind));
  if (!borrowedFrom.empty())
    out.attribute("from", borrowedFrom);
  out.attribute("source", source);
}

static void writeGPU(const GPU &gpu) {
  json::OStream out(llvm::outs(), 2);
  out.object([&] {
    out.attribute("schemaVersion", 1);
    writeHead(out, gpu);
    out.attribute("provenance", gpu.provenanceText());
    out.attributeObject("identity", [&] {
      for (const IdentityFact &fact : gpu.identity)
        out.attributeObject(fact.key, [&] {
          out.attribute("value", fact.text);
          if (!fact.unit.empty())
            out.attribute("unit", fact.unit);
          writeProvenance(out, fact.kind, fact.borrowedFrom, fact.source);
        });
    });
    out.attributeObject("quantities", [&] {
      for (const QuantityInfo &info : quantityInfos())
        if (const std::optional<Quantity> &quantity = gpu.quantity(info.id))
          out.attributeObject(info.key, [&] {
            writeNumber(out, "value", quantity->value);
            out.attribute("unit", info.unit);
            writeProvenance(out, quantity->kind, quantity->borrowedFrom,
                            quantity->source);
          });
    });
  });
  llvm::outs() << '\n';
}

static Error showYaml(StringRef name) {
  if (!Overrides.empty())
    return makeInputError({}, "--set changes numbers, --format=yaml prints the "
                              "description as it is written; use one of them");
  const EmbeddedFile *found = findEmbedded(name);
  if (!found) {
    // The error for an unknown name; a path is YAML already.
    if (Expected<GPU> gpu = findGPU(name); !gpu)
      return gpu.takeError();
    return makeInputError({name.str(), 0, ""}, "is a YAML file already");
  }
  llvm::outs() << found->text;
  return Error::success();
}

static Expected<ExitCode> show(StringRef name) {
  if (OutputFormat == Format::Yaml) {
    if (Error problem = showYaml(name))
      return problem;
    return ExitFine;
  }
  Expected<GPU> gpu = findGPU(name);
  if (!gpu)
    return gpu.takeError();
  if (Error problem = overrideQuantities(*gpu, Overrides))
    return problem;
  if (OutputFormat == Format::Json)
    writeGPU(*gpu);
  else
    printGPU(*gpu);
  return ExitFine;
}

static Expected<ExitCode> check(llvm::ArrayRef<std::string> files) {
  Error problems = Error::success();
  unsigned count = 0;
  auto take = [&](Expected<Node> document) {
    ++count;
    if (!document) {
      problems = llvm::joinErrors(std::move(problems), document.takeError());
      return;
    }
    Expected<GPU> gpu = parseGPU(*document);
    if (!gpu)
      problems = llvm::joinErrors(std::move(problems), gpu.takeError());
  };
  for (const std::string &file : files)
    take(loadDocument(file));
  if (files.empty())
    for (const EmbeddedFile &description : embeddedDescriptions())
      take(parseDocument(description.text, description.fileName));
  if (problems)
    return problems;
  llvm::outs() << count << " description" << (count == 1 ? "" : "s")
               << ", no problems\n";
  return ExitFine;
}

static Expected<ExitCode> run() {
  StringRef verb = Arguments.empty() ? "" : StringRef(Arguments[0]);
  if (!Overrides.empty() && (verb == "list" || verb == "check"))
    return makeInputError({}, "--set is for 'auspex gpu show NAME'");
  auto operands = llvm::ArrayRef<std::string>(Arguments).drop_front(
      Arguments.empty() ? 0 : 1);
  if (verb == "list" && operands.empty())
    return list();
  if (verb == "show" && operands.size() == 1)
    return show(operands[0]);
  if (verb == "check")
    return check(operands);
  if (verb == "show")
    return makeInputError({}, "expected one name after 'show', found " +
                                  llvm::Twine(operands.size()) +
                                  "; 'auspex gpu list' lists them");
  return makeInputError(
      {},
      "expected 'auspex gpu list', 'auspex gpu show NAME' or 'auspex gpu "
      "check [FILE...]'" +
          (verb.empty() ? "" : didYouMean(verb, {"list", "show", "check"})));
}

static Command Register(Gpu, run);
