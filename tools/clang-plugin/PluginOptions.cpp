// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PluginOptions.h"

#include "auspex/Analysis/Assembler.h"
#include "auspex/Kernel/SummaryDocument.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/StringSaver.h"

using namespace auspex;
using llvm::StringRef;

static Place placeOf(StringRef option) {
  return {"", 0, ("-fplugin-arg-auspex-" + option).str()};
}

/// Whether a quote of \p words does not end before they do.
static bool hasOpenQuote(llvm::StringRef words) {
  char quote = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == '\\')
      ++i;
    else if (quote ? words[i] == quote : words[i] == '"' || words[i] == '\'')
      quote = quote ? 0 : words[i];
  }
  return quote != 0;
}

static llvm::Error optionError(StringRef option, const llvm::Twine &message) {
  return makeInputError(placeOf(option), message);
}

static llvm::Error unknownOption(StringRef name) {
  std::vector<std::string> names = {"gpu",          "kernel",   "launches",
                                    "out",          "ptxas",    "maxrregcount",
                                    "summary",      "host",     "callers",
                                    "program-args", "snapshot", "nvcc"};
  std::string list =
      "gpu=NAME, kernel=NAME, launches=FILE, out=DIR, ptxas or "
      "ptxas=PATH, maxrregcount=N, summary=FILE, "
      "host=FILE, callers=FILE, program-args=ARGUMENTS, snapshot=FILE, nvcc";
  for (const RemarkFilterOption &option : remarkFilterOptions()) {
    names.push_back(option.name.str());
    list += (", " + option.name + "=" + option.value).str();
  }
  return optionError(name, "unknown option; the options are " + list +
                               didYouMean(name, names));
}

static llvm::Error parseOption(StringRef argument, PluginOptions &options) {
  auto [name, value] = argument.split('=');
  if (name == "debug" || name == "nvcc") {
    if (argument != name)
      return optionError(name, "it takes no value, found '" + value + "'");
    (name == "debug" ? options.debug : options.isForNvcc) = true;
    return llvm::Error::success();
  }
  if (name == "ptxas") {
    llvm::Expected<std::string> assembler = findAssembler(value);
    if (!assembler)
      return optionError(name, llvm::toString(assembler.takeError()));
    options.assembler = std::move(*assembler);
    return llvm::Error::success();
  }
  const RemarkFilterOption *filter = llvm::find_if(
      remarkFilterOptions(),
      [&](const RemarkFilterOption &option) { return option.name == name; });
  bool isFilter = filter != remarkFilterOptions().end();
  if (!isFilter && !llvm::is_contained({"gpu", "kernel", "launches", "out",
                                        "maxrregcount", "summary", "host",
                                        "callers", "program-args", "snapshot"},
                                       name))
    return unknownOption(name);
  if (value.empty() && name != "program-args")
    return optionError(name, "the value is missing");
  if (isFilter)
    return (options.filter.*filter->set)(value, placeOf(name));
  if (name == "kernel") {
    options.kernels.push_back(value.str());
  } else if (name == "maxrregcount") {
    constexpr unsigned Most = 255;
    if (value.getAsInteger(10, options.maxRegisters) ||
        options.maxRegisters == 0 || options.maxRegisters > Most)
      return optionError(
          name, "expected registers a thread, 1 to 255, found '" + value + "'");
  } else if (name == "gpu") {
    llvm::Expected<GPU> gpu = findGPU(value);
    if (!gpu)
      return optionError(name, llvm::toString(gpu.takeError()));
    if (llvm::none_of(options.gpus, [&](const GPU &other) {
          return other.name == gpu->name;
        }))
      options.gpus.push_back(std::move(*gpu));
  } else if (name == "launches") {
    auto launches = loadLaunchFile(value);
    if (!launches)
      return launches.takeError();
    llvm::append_range(options.launches, std::move(*launches));
  } else if (name == "callers") {
    auto document = loadDocument(value);
    if (!document)
      return document.takeError();
    auto callers = readSummaries(*document);
    if (!callers)
      return callers.takeError();
    llvm::append_range(options.program.calls,
                       std::move(callers->interface.calls));
  } else if (name == "program-args") {
    if (hasOpenQuote(value))
      return optionError(name, "a quote does not end in '" + value + "'");
    llvm::BumpPtrAllocator allocator;
    llvm::StringSaver saver(allocator);
    llvm::SmallVector<const char *> words;
    llvm::cl::TokenizeGNUCommandLine(value, saver, words);
    options.program.arguments.emplace(words.begin(), words.end());
  } else if (name == "host") {
    options.hostFile = value.str();
  } else if (name == "summary") {
    options.summaryFile = value.str();
  } else if (name == "snapshot") {
    options.snapshotFile = value.str();
  } else {
    if (llvm::sys::fs::exists(value) && !llvm::sys::fs::is_directory(value))
      return optionError(name, "'" + value + "' is not a folder");
    options.outputDirectory = value.str();
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
