// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// auspex sweep: one kernel in blocks of many sizes and with many arguments,
/// ranked by time.
#include "Command.h"

#include "PredictionInput.h"
#include "auspex/Kernel/KernelNames.h"
#include "auspex/Kernel/LaunchUse.h"
#include "auspex/Report/SweepReport.h"
#include "auspex/Support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"

#include <utility>

using namespace auspex;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;

static cl::SubCommand Sub("sweep", "Which launch of a kernel is the fastest");
static cl::list<std::string> Files(cl::Positional, cl::sub(Sub),
                                   cl::desc("FILE [-- clang flags]"));
static cl::list<std::string>
    Kernels("kernel", cl::sub(Sub), cl::value_desc("name"),
            cl::desc("A kernel, as in --launch: all instances if it is a "
                     "template; repeatable; may be left out if there is one "
                     "kernel"));
static cl::opt<std::string> Blocks(
    "block", cl::sub(Sub), cl::value_desc("ranges"),
    cl::desc("Block sizes, 'x=32..1024:pow2,y=1,2,4,z=1..8:2,"
             "threads=256..1024'; a side that is not named is 1 (default: the "
             "base launch's block)"));
static cl::list<std::string> Arguments(
    "arg", cl::sub(Sub), cl::value_desc("n=..."),
    cl::desc("Values of an integer argument, by name, position or symbol, "
             "'n=1024..4096:1024'; repeatable: all combinations"));
static cl::opt<std::string>
    GridRule("grid", cl::sub(Sub), cl::value_desc("rules"),
             cl::desc("The grid from block and arguments, "
                      "'x=(n + ntid.x - 1)/ntid.x,y=m' (default: as few "
                      "blocks as cover the base launch's threads)"));
static cl::opt<std::string>
    SharedRule("shared", cl::sub(Sub), cl::value_desc("rule"),
               cl::desc("Dynamic shared memory in bytes from block and "
                        "arguments, '8*ntid.x' (default: the base launch's)"));
static cl::list<std::string>
    GpuNames("gpu", cl::sub(Sub), cl::value_desc("name"),
             cl::desc("A GPU ('auspex gpu list'), an architecture or a "
                      "description's path; repeatable (default: the one of the "
                      "architecture compiled for)"));
static cl::opt<std::string> LaunchText(
    "launch", cl::sub(Sub), cl::value_desc("k=..."),
    cl::desc("The base launch, whose threads every configuration covers: "
             "'k=grid:4096x1x1,block:256,n=1048576' (default: the first one in "
             "the source)"));
static cl::opt<std::string> Top("top", cl::sub(Sub), cl::value_desc("n"),
                                cl::desc("Only the n best; 'all' for all "
                                         "(default: 10 as text, else all)"));
static cl::opt<std::string>
    Ptxas("ptxas", cl::sub(Sub), cl::value_desc("path"), cl::ValueOptional,
          cl::desc("Ask ptxas for registers, not an estimate; its path, or "
                   "that of a toolkit, if it is not found by itself"));
static cl::opt<std::string> Output("o", cl::sub(Sub), cl::init("-"),
                                   cl::value_desc("file"),
                                   cl::desc("Write there, not to stdout"));

namespace {
enum class Format { Text, Csv, Json };
} // namespace

static ChoiceOption<Format> OutputFormat(
    "format", cl::sub(Sub), cl::desc("How to print"), cl::init(Format::Text),
    cl::values(clEnumValN(Format::Text, "text", "for people (default)"),
               clEnumValN(Format::Csv, "csv", "one line a configuration"),
               clEnumValN(Format::Json, "json", "one JSON document")));

/// The number of --top; 0 for all.
static Expected<uint64_t> topCount() {
  constexpr uint64_t OnAScreen = 10;
  if (Top.getNumOccurrences() == 0)
    return OutputFormat == Format::Text ? OnAScreen : 0;
  uint64_t count;
  if (Top == "all")
    return 0;
  if (StringRef(Top).getAsInteger(10, count) || count == 0)
    return makeInputError({}, "--top: expected a number from 1 on or 'all', "
                              "found '" +
                                  Top + "'");
  return count;
}

namespace {
/// What the options say, before the kernel is known.
struct Request {
  std::vector<GPU> gpus;
  std::vector<Dim3> blocks;
  std::vector<ArgumentRange> arguments;
  LaunchRules rules;
  std::vector<LaunchConfig> stated;
  std::string assembler;
  uint64_t top = 0;
};
} // namespace

static llvm::Error readRanges(Request &request) {
  if (!Blocks.empty()) {
    auto blocks = parseBlocks(Blocks, {"--block", 0, ""});
    if (!blocks)
      return blocks.takeError();
    request.blocks = std::move(*blocks);
  }
  for (const std::string &text : Arguments) {
    auto argument = parseArgumentRange(text, {"--arg", 0, ""});
    if (!argument)
      return argument.takeError();
    request.arguments.push_back(std::move(*argument));
  }
  if (!GridRule.empty()) {
    auto grid = parseGridRule(GridRule, {"--grid", 0, ""});
    if (!grid)
      return grid.takeError();
    request.rules.grid = std::move(*grid);
  }
  if (!SharedRule.empty()) {
    auto shared = parseRule(SharedRule, {"--shared", 0, ""});
    if (!shared)
      return shared.takeError();
    request.rules.shared = std::move(*shared);
  }
  return llvm::Error::success();
}

static Expected<Request> readRequest() {
  if (Files.size() != 1)
    return makeInputError({}, "sweep needs one file: .cu, .ll, .bc or a "
                              "summary .json");
  Request request;
  if (llvm::Error error = readRanges(request))
    return std::move(error);
  auto top = topCount();
  if (!top)
    return top.takeError();
  request.top = *top;
  auto gpus = findGPUs(GpuNames);
  if (!gpus)
    return gpus.takeError();
  request.gpus = std::move(*gpus);
  if (!LaunchText.empty()) {
    auto launches = readLaunches({LaunchText}, {});
    if (!launches)
      return launches.takeError();
    request.stated = std::move(*launches);
  }
  if (Ptxas.getNumOccurrences() > 0) {
    auto assembler = askedAssembler(Ptxas);
    if (!assembler)
      return assembler.takeError();
    request.assembler = std::move(*assembler);
  }
  return request;
}

/// The kernels that --kernel or --launch names, or the only one.
static Expected<std::vector<const KernelSummary *>>
chooseKernels(const SummaryDocument &document, const Request &request) {
  std::vector<std::string> wanted(Kernels.begin(), Kernels.end());
  if (wanted.empty() && !request.stated.empty())
    wanted.push_back(request.stated.front().kernel);
  std::vector<std::string> names;
  for (const KernelSummary &summary : document.kernels)
    names.push_back(qualifiedName(summary.name));
  if (names.empty())
    return makeInputError({Files.front(), 0, ""}, "there is no kernel");
  if (wanted.empty() && names.size() > 1)
    return makeInputError(
        {"--kernel", 0, ""},
        "one kernel is needed, or several by name; there is " +
            llvm::join(names, ", "));
  std::vector<const KernelSummary *> found;
  for (const KernelSummary &summary : document.kernels)
    if (wanted.empty() || llvm::any_of(wanted, [&](const std::string &name) {
          return isCalled(name, summary);
        }))
      found.push_back(&summary);
  for (const std::string &name : wanted)
    if (llvm::none_of(found, [&](const KernelSummary *summary) {
          return isCalled(name, *summary);
        }))
      return makeInputError({"--kernel", 0, ""}, "there is no kernel '" + name +
                                                     "'" +
                                                     knownKernels(name, names));
  if (found.size() == 1 && request.blocks.empty() && request.arguments.empty())
    return makeInputError({}, "nothing varies; give --block, for instance "
                              "--block=x=32..1024:pow2, or --arg");
  return found;
}

/// The launch that predict would take first.
static Expected<LaunchConfig> baseLaunch(const KernelSummary &summary,
                                         const SummaryDocument &document,
                                         const Request &request,
                                         const GPU &gpu) {
  for (const LaunchConfig &launch : request.stated)
    if (!isCalled(launch.kernel, summary))
      return makeInputError({"--launch", 0, "kernel"},
                            "'" + launch.kernel + "' is not " +
                                qualifiedName(summary.name) +
                                ", the kernel of --kernel");
  std::vector<LaunchConfig> launches =
      chooseLaunches(summary, request.stated, document.launches);
  if (launches.empty())
    launches.emplace_back();
  static bool isNoted = false;
  if (launches.size() > 1 && !std::exchange(isNoted, true))
    note("the base is the first of " + llvm::Twine(launches.size()) +
         " launches; --launch states another one");
  auto resolved = resolveArguments(launches.front(), summary);
  if (!resolved)
    return resolved.takeError();
  return completeLaunch(*resolved, summary, gpu);
}

/// Shows how far the sweep is, on a terminal alone.
static void showProgress(uint64_t done, uint64_t all) {
  static bool isTerminal = llvm::sys::Process::StandardErrIsDisplayed();
  if (!isTerminal)
    return;
  llvm::errs() << "\r" << done << " of " << all << " configurations";
  if (done == all)
    llvm::errs() << "\r\033[K";
}

static Expected<SweepReport> sweepKernel(const KernelSummary &kernel,
                                         const KernelsOnGPU &compiled,
                                         const Request &request) {
  auto base = baseLaunch(kernel, *compiled.document, request, compiled.gpu);
  if (!base)
    return base.takeError();
  auto space = SweepSpace::create(kernel, std::move(*base), request.blocks,
                                  request.arguments, request.rules);
  if (!space)
    return space.takeError();
  SweepOptions options;
  options.top = request.top;
  auto progress = [&](uint64_t done) { showProgress(done, space->size()); };
  options.progress = progress;
  auto result = sweep(kernel, *space, compiled.gpu, options);
  if (!result)
    return result.takeError();
  return SweepReport{&kernel, std::move(*space), std::move(*result)};
}

static std::string render(const std::vector<SweepReport> &sweeps) {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (OutputFormat) {
  case Format::Text:
    writeSweepsText(sweeps, os);
    break;
  case Format::Csv:
    writeSweepsCSV(sweeps, os);
    break;
  case Format::Json:
    writeSweepsJSON(sweeps, os);
    break;
  }
  return text;
}

static Expected<ExitCode> run() {
  auto request = readRequest();
  if (!request)
    return request.takeError();
  auto kernels = readKernels(Files.front(), request->gpus, request->assembler);
  if (!kernels)
    return kernels.takeError();
  if (kernels->empty())
    return makeInputError({Files.front(), 0, ""}, "there is no kernel");
  std::vector<SweepReport> sweeps;
  for (const KernelsOnGPU &compiled : *kernels) {
    auto chosen = chooseKernels(*compiled.document, *request);
    if (!chosen)
      return chosen.takeError();
    for (const KernelSummary *kernel : *chosen) {
      auto sweep = sweepKernel(*kernel, compiled, *request);
      if (!sweep)
        return sweep.takeError();
      sweeps.push_back(std::move(*sweep));
    }
  }
  if (llvm::Error error = writeFile(Output, render(sweeps)))
    return std::move(error);
  return ExitFine;
}

static Command Sweep(Sub, run);
