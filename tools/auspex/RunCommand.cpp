// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// auspex run: runs a CUDA program without a GPU and predicts what it launched.
#include "Command.h"

#include "ClangForCuda.h"
#include "PredictionInput.h"
#include "ProgramRun.h"
#include "auspex/Model/Predict.h"
#include "auspex/Report/RunReport.h"
#include "auspex/Support/Document.h"
#include "auspex/Support/File.h"
#include "auspex/Support/TemporaryFile.h"
#include "llvm/Support/FileSystem.h"

using namespace auspex;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;

static cl::SubCommand Sub("run", "What a CUDA program launches would take; "
                                 "runs it without a GPU");
/// There are none; it shows what stands behind "--".
static cl::list<std::string> Misplaced(cl::Positional, cl::sub(Sub),
                                       cl::desc("-- PROGRAM [ARGUMENT...]"));
static cl::list<std::string>
    GpuNames("gpu", cl::sub(Sub), cl::value_desc("name"),
             cl::desc("A GPU ('auspex gpu list') to predict for; the first is "
                      "the one the program sees; repeatable (default: the one "
                      "of the architecture compiled for)"));
static cl::opt<std::string>
    Output("o", cl::sub(Sub), cl::value_desc("file"),
           cl::desc("Write predictions and profiles there as JSON"));
static cl::opt<std::string>
    Record("record", cl::sub(Sub), cl::value_desc("file"),
           cl::desc("Write kernels and profiles there, for 'auspex validate "
                    "--run'"));
static cl::opt<std::string> RecordLaunches(
    "record-launches", cl::sub(Sub), cl::value_desc("file"),
    cl::desc("Write the launches there, for --launches and the clang plugin"));
static cl::opt<std::string>
    Model("model", cl::sub(Sub), cl::value_desc("name"),
          cl::init("operational"),
          cl::desc("operational (default), mwp-cwp or gpuperf"));
static ChoiceOption<RunDetail> Detail(
    "detail", cl::sub(Sub), cl::desc("How much to print"),
    cl::init(RunDetail::Table),
    cl::values(clEnumValN(RunDetail::Table, "table",
                          "a line for each kernel, grid and block (default)"),
               clEnumValN(RunDetail::Lines, "lines",
                          "and what each source line did"),
               clEnumValN(RunDetail::Predictions, "predictions",
                          "and all of each prediction")));
static NumberOption<unsigned> Threads(
    "threads", cl::sub(Sub), cl::value_desc("n"), cl::init(1),
    cl::desc("Threads that run the blocks of a kernel (default 1); counts "
             "do not depend on them"));
static NumberOption<double>
    TimeLimit("time-limit", cl::sub(Sub), cl::value_desc("s"),
              cl::desc("Stop the program after so many seconds, and tell what "
                       "is known until then"));
static NumberOption<unsigned> SampleBlocks(
    "sample-blocks", cl::sub(Sub), cl::value_desc("n"),
    cl::desc("Look at the addresses of at most so many blocks of a launch, "
             "and say how far off that may be"));

static llvm::Error checkOptions() {
  if (trailingArguments().empty() || !Misplaced.empty())
    return makeInputError({}, "run needs a program, behind '--': auspex run "
                              "[options] -- ./program arguments");
  if (Threads == 0)
    return makeInputError({"", 0, "--threads"}, "expected at least 1");
  if (TimeLimit.getNumOccurrences() && !(TimeLimit > 0))
    return makeInputError({"", 0, "--time-limit"},
                          "expected a number of seconds above 0");
  if (SampleBlocks.getNumOccurrences() && SampleBlocks == 0)
    return makeInputError({"", 0, "--sample-blocks"}, "expected at least 1");
  return checkModelName(Model);
}

/// Runs the program and reads what it launched.
static Expected<RunRecord> runProgram(ProgramEnd &end) {
  auto file = TemporaryFile::create("json");
  if (!file)
    return file.takeError();
  const std::string &path = file->path();
  ProgramRun run;
  run.command = trailingArguments();
  run.timeLimitInSeconds = TimeLimit;
  run.environment = {{"AUSPEX_RUN_RECORD", path},
                     {"AUSPEX_THREADS", std::to_string(Threads)}};
  if (!GpuNames.empty())
    run.environment.emplace_back("AUSPEX_GPU", GpuNames.front());
  if (SampleBlocks)
    run.environment.emplace_back("AUSPEX_SAMPLE_BLOCKS",
                                 std::to_string(SampleBlocks));
  auto ended = runToItsEnd(run, besideProgram("lib"));
  if (!ended)
    return ended.takeError();
  end = *ended;
  uint64_t size = 0;
  if (llvm::sys::fs::file_size(path, size) || size == 0)
    return makeInputError(
        {run.command.front(), 0, ""},
        end.problem.empty()
            ? "it used nothing of the CUDA runtime that Auspex could see; "
              "build it with auspex-clang++, and link the runtime library "
              "dynamically"
            : end.problem + " before it used anything of the CUDA runtime that "
                            "Auspex could see");
  auto document = loadDocument(path);
  if (!document)
    return document.takeError();
  return readRunRecord(*document);
}

static PredictedRun predictOn(const RunRecord &record, const GPU &gpu) {
  PredictedRun run;
  run.record = &record;
  run.gpu = gpu.name;
  for (const LaunchGroup &group : record.launches) {
    const KernelSummary *summary = record.find(group.launch.kernel);
    auto prediction =
        predictRun(*summary, group, gpu, Model, record.launches.size());
    if (prediction)
      run.groups.push_back({&group, summary, std::move(*prediction)});
    else
      run.refused.push_back(llvm::toString(prediction.takeError()));
  }
  return run;
}

static llvm::Error writeResults(const RunRecord &record,
                                llvm::ArrayRef<PredictedRun> runs) {
  if (record.launches.empty())
    note(record.problems.empty() ? "the program launched no kernel"
                                 : "no launch of the program came to its end");
  else
    writeRunText(runs, Detail, llvm::errs());
  if (!RecordLaunches.empty())
    if (llvm::Error error = writeFile(RecordLaunches, writeLaunchFile(record)))
      return error;
  if (!Record.empty())
    if (llvm::Error error = writeFile(Record, writeRunRecord(record)))
      return error;
  if (Output.empty())
    return llvm::Error::success();
  std::string text;
  llvm::raw_string_ostream os(text);
  writeRunJSON(runs, os);
  return writeFile(Output, text);
}

static Expected<ExitCode> run() {
  if (llvm::Error error = checkOptions())
    return std::move(error);
  auto gpus = findGPUs(GpuNames);
  if (!gpus)
    return gpus.takeError();
  ProgramEnd end;
  auto record = runProgram(end);
  if (!record)
    return record.takeError();
  if (gpus->empty() && !record->launches.empty()) {
    std::vector<std::string> names{record->gpu};
    gpus = findGPUs(names);
    if (!gpus)
      return gpus.takeError();
  }
  std::vector<PredictedRun> runs;
  for (const GPU &gpu : *gpus)
    runs.push_back(predictOn(*record, gpu));
  if (llvm::Error error = writeResults(*record, runs))
    return std::move(error);
  // Which the program may not have looked at.
  if (end.problem.empty() && !record->problems.empty())
    end.problem = "a launch failed: what is told ends there";
  if (!end.problem.empty())
    return makeInputError({trailingArguments().front(), 0, ""}, end.problem);
  return ExitFine;
}

static Command Run(Sub, run);
