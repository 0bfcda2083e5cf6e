// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PluginOptions.h"

#include "auspex/Analysis/Assembler.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace auspex;
using llvm::StringRef;

static llvm::Error optionError(StringRef option, const llvm::Twine &message) {
  return makeInputError({"", 0, ("-fplugin-arg-auspex-" + option).str()},
                        message);
}

/// "5%" or a time with its unit.
static llvm::Error parseMinBenefit(StringRef text, PluginOptions &options) {
  static constexpr std::pair<StringRef, double> Units[] = {
      {"%", 0.01}, {"ns", 1e-3}, {"us", 1}, {"ms", 1e3}, {"s", 1e6}};
  StringRef number = text.take_until(
      [](char c) { return c == '%' || llvm::isAlpha(c) || c == ' '; });
  StringRef unit = text.drop_front(number.size()).trim();
  double value;
  for (const auto &[name, factor] : Units)
    if (unit == name && !number.empty() && llvm::to_float(number, value) &&
        value >= 0) {
      options.minBenefitShare.reset();
      options.minBenefitInUs.reset();
      (name == "%" ? options.minBenefitShare : options.minBenefitInUs) =
          value * factor;
      return llvm::Error::success();
    }
  return optionError("min-benefit",
                     "expected a share such as 5% or a time such as 2us, found "
                     "'" +
                         text + "'");
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
      "gpu", "launches", "out", "min-benefit", "ptxas", "summary", "snapshot"};
  if (!llvm::is_contained(names, name))
    return optionError(name, "unknown option; the options are gpu=NAME, "
                             "launches=FILE, out=DIR, "
                             "min-benefit=PERCENT or TIME, ptxas or "
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
  } else {
    return parseMinBenefit(value, options);
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
