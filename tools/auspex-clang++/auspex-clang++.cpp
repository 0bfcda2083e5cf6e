// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// auspex-clang++: clang++ for CUDA programs that run without a GPU. It takes
/// the arguments of clang++, and the usual ones of nvcc, and builds programs
/// that have their device code inside as the analysis saw it, linked with the
/// runtime library of Auspex.
#include "Build.h"
#include "CommandLine.h"
#include "NvccFlags.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace auspex;

static int fail(llvm::Error error) {
  llvm::WithColor::error() << "auspex-clang++: "
                           << llvm::toString(std::move(error)) << '\n';
  return 1;
}

static void note(const llvm::Twine &message) {
  llvm::WithColor::note() << "auspex-clang++: " << message << '\n';
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::BumpPtrAllocator allocator;
  llvm::SmallVector<const char *> words(argv + 1, argv + argc);
  if (llvm::Error error = expandOptionFiles(words, "", allocator))
    return fail(std::move(error));

  TranslatedFlags flags = translateNvccFlags(words);
  if (!flags.dropped.empty())
    note("without " + llvm::join(flags.dropped, ", "));
  auto line = parseCommandLine(flags.arguments, flags.isDeviceLink);
  if (!line)
    return fail(line.takeError());
  if (!line->otherArchs.empty() && line->hasCuda())
    note("compiling for " + line->arch + " and not for " +
         llvm::join(line->otherArchs, ", ") +
         ": a program has the code of one architecture");
  bool isEmpty = line->items.empty();
  auto code = line->goal == CommandLine::Goal::Other || isEmpty
                  ? passThrough(*line, flags.arguments)
                  : build(*line);
  if (!code)
    return fail(code.takeError());
  return *code < 0 ? 1 : *code;
}
