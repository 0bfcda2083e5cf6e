// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PluginOptions.h"

#include "auspex/Analysis/Assembler.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace auspex;
using llvm::StringRef;

static Place placeOf(StringRef option) {
  return {"", 0, ("-fplugin-arg-auspex-" + option).str()};
}

static llvm::Error optionError(StringRef option, const llvm::Twine &message) {
  return makeInputError(placeOf(option), message);
}

static llvm::Error parseOption(StringRef argument, PluginOptions &options) {
  auto [name, value] = argument.split('=');
  if (name == "debug" && argument == "debug") {
    options.debug = true;
    return llvm::Error::success();
  }
  if (name == "ptxas") {
    llvm::Expected<std::string> assembler = findAssembler(value);
    if (!assembler)
      return optionError(name, llvm::toString(assembler.takeError()));
    options.assembler = std::move(*assembler);
    return llvm::Error::success();
  }
  const std::vector<std::string> names = {
      "gpu",   "launches", "out",   "min-benefit", "remarks", "top",
      "paths", "changed",  "ptxas", "summary",     "snapshot"};
  if (!llvm::is_contained(names, name))
    return optionError(name, "unknown option; the options are gpu=NAME, "
                             "launches=FILE, out=DIR, "
                             "min-benefit=PERCENT or TIME, remarks=ID,..., "
                             "top=N, paths=PATH,..., changed=FILE, ptxas or "
                             "ptxas=PATH, summary=FILE and snapshot=FILE" +
                                 didYouMean(name, names));
  if (value.empty())
    return optionError(name, "the value is missing");
  if (name == "gpu") {
    llvm::Expected<GPU> gpu = findGPU(value);
    if (!gpu)
      return optionError(name, llvm::toString(gpu.takeError()));
    options.gpu = std::move(*gpu);
  } else if (name == "launches") {
    auto launches = loadLaunchFile(value);
    if (!launches)
      return launches.takeError();
    llvm::append_range(options.launches, std::move(*launches));
  } else if (name == "summary") {
    options.summaryFile = value.str();
  } else if (name == "snapshot") {
    options.snapshotFile = value.str();
  } else if (name == "out") {
    if (llvm::sys::fs::exists(value) && !llvm::sys::fs::is_directory(value))
      return optionError(name, "'" + value + "' is not a folder");
    options.outputDirectory = value.str();
  } else if (name == "remarks") {
    return options.filter.setRemarks(value, placeOf(name));
  } else if (name == "top") {
    return options.filter.setTop(value, placeOf(name));
  } else if (name == "paths") {
    return options.filter.setPaths(value, placeOf(name));
  } else if (name == "changed") {
    return options.filter.setChanged(value);
  } else {
    return options.filter.setMinBenefit(value, placeOf(name));
  }
  return llvm::Error::success();
}

llvm::Expected<PluginOptions>
auspex::parsePluginOptions(llvm::ArrayRef<std::string> arguments) {
  PluginOptions options;
  for (const std::string &argument : arguments)
    if (llvm::Error problem = parseOption(argument, options))
      return problem;
  return options;
}
