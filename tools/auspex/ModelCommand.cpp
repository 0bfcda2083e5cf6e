// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// auspex model NAME --input FILE: evaluates one of the published models on
// plain numbers.

#include "Command.h"

#include "auspex/Model/DataVolume.h"
#include "auspex/Model/Gpuperf.h"
#include "auspex/Model/MwpCwp.h"
#include "auspex/Model/SharedAtomicsCounters.h"
#include "auspex/Support/File.h"
#include "auspex/Support/Json.h"
#include "auspex/Support/Table.h"
#include "llvm/ADT/StringExtras.h"

using namespace auspex;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;

namespace {

cl::SubCommand modelCommand("model",
                            "Evaluate a published model on plain numbers");
cl::opt<std::string> modelName(cl::Positional,
                               cl::desc("data-volume | gpuperf | mwp-cwp | "
                                        "shared-atomics"),
                               cl::sub(modelCommand));
cl::opt<std::string> inputPath("input",
                               cl::desc("The model's input, JSON or YAML; '-' "
                                        "is standard input"),
                               cl::value_desc("file"), cl::sub(modelCommand));
cl::opt<std::string> gpuName("gpu",
                             cl::desc("Take hardware numbers that the input "
                                      "leaves out from this GPU"),
                             cl::value_desc("name"), cl::sub(modelCommand));
cl::opt<std::string>
    countersPath("counters",
                 cl::desc("Of shared-atomics, instead of --input: what ncu "
                          "--csv printed; '-' is standard input"),
                 cl::value_desc("file"), cl::sub(modelCommand));
cl::opt<bool> popcInc("popc-inc",
                      cl::desc("The atomics that were counted are "
                               "ATOMS.POPC.INC, which ncu does not tell"),
                      cl::sub(modelCommand));
FormatOption format(modelCommand);
cl::opt<std::string> outputPath("o", cl::desc("Write there, not to stdout"),
                                cl::value_desc("file"), cl::init("-"),
                                cl::sub(modelCommand));

/// One evaluation, ready for printing.
struct Evaluation {
  NamedValues inputs, outputs;
  ValueOrigins origins;
};

using Run = Expected<Evaluation> (*)(const Node &document, const GPU *gpu);

/// A model that reads an input from a document and evaluates it.
template <auto read, auto evaluate>
Expected<Evaluation> run(const Node &document, const GPU *gpu) {
  Evaluation result;
  auto input = read(document, gpu, &result.origins);
  if (!input)
    return input.takeError();
  result.inputs = listValues(*input);
  if constexpr (requires { evaluate(*input).takeError(); }) {
    auto output = evaluate(*input);
    if (!output)
      return output.takeError();
    result.outputs = listValues(*output);
  } else {
    result.outputs = listValues(evaluate(*input));
  }
  return result;
}

struct SeedModel {
  StringRef name;
  Run run;
};

const SeedModel seedModels[] = {
    {"data-volume", run<readDataVolumeInput, evaluateDataVolume>},
    {"gpuperf", run<readGpuperfInput, evaluateGpuperf>},
    {"mwp-cwp", run<readMwpCwpInput, evaluateMwpCwp>},
    {"shared-atomics", run<readSharedAtomicsInput, evaluateSharedAtomics>},
};

Expected<const SeedModel *> findModel(StringRef name) {
  std::vector<std::string> names;
  for (const SeedModel &model : seedModels) {
    if (model.name == name)
      return &model;
    names.push_back(model.name.str());
  }
  std::string list = "; the models are " + llvm::join(names, ", ");
  if (name.empty())
    return makeInputError({}, "no model is named" + list);
  std::string near = didYouMean(name, names);
  return makeInputError({}, "unknown model '" + name + "'" +
                                (near.empty() ? list : near));
}

void printJson(const SeedModel &model, const GPU *gpu,
               const Evaluation &evaluation, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("schemaVersion", 1);
    json.attribute("model", model.name);
    for (const NamedValue &output : evaluation.outputs)
      writeValue(json, output.key, output.value);
    if (gpu)
      json.attribute("gpu", gpu->name);
    json.attributeObject("inputs", [&] {
      for (const NamedValue &input : evaluation.inputs)
        writeValue(json, input.key, input.value);
    });
    if (!evaluation.origins.empty())
      json.attributeObject("origins", [&] {
        for (const auto &[key, origin] : evaluation.origins)
          json.attribute(key, origin);
      });
  });
  os << '\n';
}

/// "640 x 512 x 1" for numbers; for anything else how many there are.
std::string listText(const llvm::json::Array &list) {
  std::vector<std::string> numbers;
  for (const llvm::json::Value &item : list)
    if (auto number = item.getAsNumber())
      numbers.push_back(formatNumber(*number, 6));
  return numbers.size() == list.size() ? llvm::join(numbers, " x ")
                                       : std::to_string(list.size());
}

/// Adds \p value to \p table: an object as one row a member, "chart.a.t_mem".
/// Names go below the table, where they do not break its alignment.
void addRows(Table &table, std::string &names, const llvm::Twine &key,
             StringRef unit, const llvm::json::Value &value, StringRef origin) {
  if (auto number = value.getAsNumber())
    table.add({key.str(), formatNumber(*number, 6),
               unit == "1" ? "" : unit.str(), origin.str()});
  else if (auto name = value.getAsString())
    names += (key + ": " + *name + (origin.empty() ? "" : ", ") + origin + "\n")
                 .str();
  else if (const llvm::json::Array *list = value.getAsArray())
    table.add({key.str(), listText(*list), unit.str(), origin.str()});
  else if (const llvm::json::Object *object = value.getAsObject()) {
    std::map<StringRef, const llvm::json::Value *> sorted;
    for (const auto &[name, member] : *object)
      sorted[name] = &member;
    for (const auto &[name, member] : sorted)
      addRows(table, names, key + "." + name, unit, *member, origin);
  }
}

void printValues(StringRef title, const NamedValues &values,
                 const ValueOrigins &origins, llvm::raw_ostream &os) {
  Table table({title.str(), "value", "unit", origins.empty() ? "" : "from"});
  std::string names;
  for (const NamedValue &entry : values) {
    auto origin = origins.find(entry.key.str());
    addRows(table, names, entry.key, entry.unit, entry.value,
            origin == origins.end() ? "" : origin->second);
  }
  table.print(os);
  os << names;
}

void printText(const SeedModel &model, const GPU *gpu,
               const Evaluation &evaluation, llvm::raw_ostream &os) {
  os << model.name << (gpu ? " on " + gpu->name : "") << "\n\n";
  printValues("input", evaluation.inputs, evaluation.origins, os);
  os << '\n';
  printValues("output", evaluation.outputs, {}, os);
}

/// The rows of one launch: its outputs after what names it.
void printCounters(llvm::ArrayRef<ProfiledKernel> kernels, const GPU &gpu,
                   llvm::raw_ostream &os) {
  if (format.isJson()) {
    llvm::json::OStream json(os, /*IndentSize=*/2);
    json.object([&] {
      json.attribute("schemaVersion", 1);
      json.attribute("model", modelName);
      json.attribute("gpu", gpu.name);
      json.attributeArray("kernels", [&] {
        for (const ProfiledKernel &kernel : kernels)
          json.object([&] {
            writeText(json, "id", kernel.id);
            writeText(json, "kernel", kernel.kernel);
            for (const NamedValue &output :
                 listValues(evaluateSharedAtomics(kernel.input)))
              writeValue(json, output.key, output.value);
            json.attributeObject("inputs", [&] {
              for (const NamedValue &input : listValues(kernel.input))
                writeValue(json, input.key, input.value);
            });
          });
      });
    });
    os << '\n';
    return;
  }
  Table table({"utilization", "n", "e", "c", "service", "kernel"});
  for (const ProfiledKernel &kernel : kernels) {
    SharedAtomicsOutput out = evaluateSharedAtomics(kernel.input);
    double service = out.serviceInCycles
                         ? *out.serviceInCycles
                         : out.popcIncServiceInCycles.value_or(0);
    table.add(
        {formatShare(out.utilization) +
             (out.overestimate ? " (" + formatShare(*out.overestimate) + ")"
                               : ""),
         formatNumber(out.n), formatNumber(out.e), formatNumber(out.c),
         formatNumber(service), kernel.kernel});
  }
  if (kernels.empty())
    os << "no launch has atomics on shared memory\n";
  else
    table.print(os);
}

Expected<ExitCode> runCounters() {
  if (modelName != "shared-atomics")
    return makeInputError({}, "--counters is for 'auspex model "
                              "shared-atomics'");
  if (!inputPath.empty())
    return makeInputError({}, "--counters stands instead of --input; give one "
                              "of the two");
  if (gpuName.empty())
    return makeInputError({}, "--gpu is missing: the GPU that was profiled");
  Expected<GPU> gpu = findGPU(gpuName);
  if (!gpu)
    return gpu.takeError();
  auto csv = readFile(countersPath);
  if (!csv)
    return csv.takeError();
  auto kernels =
      readCounters((*csv)->getBuffer(), countersPath, *gpu,
                   popcInc ? CountedAs::PopcInc : CountedAs::FetchAndOp);
  if (!kernels)
    return kernels.takeError();
  std::string text;
  llvm::raw_string_ostream os(text);
  printCounters(*kernels, *gpu, os);
  if (llvm::Error error = writeFile(outputPath, text))
    return std::move(error);
  return ExitFine;
}

Expected<ExitCode> runModel() {
  Expected<const SeedModel *> model = findModel(modelName);
  if (!model)
    return model.takeError();
  if (!countersPath.empty())
    return runCounters();
  if (popcInc)
    return makeInputError({}, "--popc-inc is for --counters");
  if (inputPath.empty())
    return makeInputError({}, "--input is missing: a file with the numbers, or "
                              "'-' for standard input");
  std::optional<GPU> gpu;
  if (!gpuName.empty()) {
    Expected<GPU> found = findGPU(gpuName);
    if (!found)
      return found.takeError();
    gpu = std::move(*found);
  }
  Expected<Node> document = loadDocument(inputPath);
  if (!document)
    return document.takeError();
  const GPU *named = gpu ? &*gpu : nullptr;
  Expected<Evaluation> evaluation = (*model)->run(*document, named);
  if (!evaluation)
    return evaluation.takeError();
  std::string text;
  llvm::raw_string_ostream os(text);
  (format.isJson() ? printJson : printText)(**model, named, *evaluation, os);
  if (llvm::Error error = writeFile(outputPath, text))
    return std::move(error);
  return ExitFine;
}

Command command(modelCommand, runModel);

} // namespace
