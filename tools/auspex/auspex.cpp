// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Command.h"
#include "Documentation.h"

#include "auspex/Support/Error.h"
#include "auspex/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

#include <cstdlib>

using namespace auspex;
namespace cl = llvm::cl;

static std::vector<Command *> &commands() {
  static std::vector<Command *> list;
  return list;
}

static std::vector<std::string> &trailing() {
  static std::vector<std::string> list;
  return list;
}

Command::Command(cl::SubCommand &subCommand, Run run)
    : subCommand(subCommand), run(run) {
  commands().push_back(this);
}

const std::vector<Command *> &Command::all() { return commands(); }

void auspex::addTrailingArgument(std::string argument) {
  trailing().push_back(std::move(argument));
}

const std::vector<std::string> &auspex::trailingArguments() {
  return trailing();
}

FormatOption::FormatOption(cl::SubCommand &subCommand)
    : format(
          "format", cl::sub(subCommand), cl::desc("How to print"),
          cl::init(Format::Text),
          cl::values(clEnumValN(Format::Text, "text", "for people (default)"),
                     clEnumValN(Format::Json, "json", "one JSON document"))) {}

void auspex::note(const llvm::Twine &text) {
  llvm::WithColor::note() << text << '\n';
}

static ExitCode complain(llvm::Error error) {
  llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase &info) {
    llvm::WithColor::error() << info.message() << '\n';
  });
  return ExitBadInput;
}

static void printVersion(llvm::raw_ostream &os) {
  os << "auspex " AUSPEX_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
}

static std::vector<const Command *> sortedCommands() {
  std::vector<const Command *> sorted(commands().begin(), commands().end());
  llvm::sort(sorted, [](const Command *a, const Command *b) {
    return a->subCommand.getName() < b->subCommand.getName();
  });
  return sorted;
}

static void printUsage(llvm::raw_ostream &os) {
  os << "auspex predicts how fast CUDA kernels run, without a GPU.\n\n"
        "usage: auspex <command> [options]\n\ncommands:\n";
  for (const Command *command : sortedCommands())
    os << "  " << llvm::left_justify(command->subCommand.getName(), 11)
       << command->subCommand.getDescription() << '\n';
  os << "\n'auspex <command> --help' lists the options of a command.\n";
}

/// On terminals, unless the user wants none (no-color.org).
static bool showsColors(const llvm::raw_ostream &os) {
  const char *unwanted = std::getenv("NO_COLOR");
  return os.has_colors() && (!unwanted || !*unwanted);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::WithColor::setAutoDetectFunction(showsColors);
  cl::SetVersionPrinter(printVersion);

  llvm::StringRef first = argc > 1 ? argv[1] : "";
  if (first.empty() || first == "--help" || first == "-h" || first == "help") {
    printUsage(first.empty() ? llvm::errs() : llvm::outs());
    return first.empty() ? ExitBadInput : ExitFine;
  }
  if (first == "--man" || first == "--completion=bash") {
    (first == "--man" ? printManual : printBashCompletion)(sortedCommands(),
                                                           llvm::outs());
    return ExitFine;
  }
  std::vector<std::string> names;
  for (const Command *command : commands())
    names.push_back(command->subCommand.getName().str());
  bool known = llvm::is_contained(names, first);
  if (!known && first != "--version") {
    std::string near = didYouMean(first, names);
    return complain(makeInputError(
        {}, "unknown command '" + first + "'" +
                (near.empty() ? "; 'auspex --help' lists them" : near)));
  }

  // Everything after "--" belongs to another program.
  int own = 1;
  while (own < argc && llvm::StringRef(argv[own]) != "--")
    ++own;
  for (int i = own + 1; i < argc; ++i)
    trailing().push_back(argv[i]);

  if (llvm::Error error = parseOptions({argv, argv + own}))
    return complain(std::move(error));
  for (const Command *command : commands()) {
    if (!command->subCommand)
      continue;
    llvm::Expected<ExitCode> code = command->run();
    if (!code)
      return complain(code.takeError());
    llvm::Error unwritten = writeFile("-", "");
    return unwritten ? complain(std::move(unwritten)) : *code;
  }
  return ExitBadInput;
}
