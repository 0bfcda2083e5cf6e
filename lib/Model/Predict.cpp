// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/Predict.h"

#include "PaperModels.h"
#include "SourceVolumes.h"
#include "auspex/Kernel/KernelNames.h"
#include "auspex/Kernel/LaunchUse.h"
#include "auspex/Model/AtomicDemands.h"
#include "auspex/Model/Fixes.h"
#include "auspex/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <set>

using namespace auspex;

std::vector<std::string> auspex::modelNames() {
  std::vector<std::string> names = {"operational"};
  for (const PaperModel &model : paperModels())
    names.push_back(model.name.str());
  return names;
}

llvm::Error auspex::checkModelName(llvm::StringRef model) {
  std::vector<std::string> names = modelNames();
  if (llvm::is_contained(names, model))
    return llvm::Error::success();
  std::string near = didYouMean(model, names);
  if (near.empty())
    near = "; there is " + llvm::join(names, ", ");
  return makeInputError({}, "unknown model '" + model + "'" + near);
}

namespace {
/// A bound kernel as the operational model sees it.
struct Evaluated {
  BoundKernel kernel;
  MemoryTraffic traffic;
  OperationalInput input;
  OperationalResult result;
};

/// A launch bound and evaluated as far as every model and search needs it.
struct TimedLaunch {
  /// What is expected where something is open.
  Evaluated shown;
  /// Where something is open and there is an upper end: both ends.
  std::optional<Evaluated> low, high;

  bool hasRange() const { return high.has_value(); }
  bool hasTime() const { return shown.kernel.isComplete || hasRange(); }
};
} // namespace

static Evaluated evaluate(BoundKernel bound, const GPU &gpu) {
  Evaluated launch{std::move(bound), {}, {}, {}};
  launch.traffic = computeTraffic(launch.kernel, gpu);
  launch.input = operationalInput(launch.kernel, launch.traffic, gpu);
  launch.result = evaluateOperational(launch.input, gpu);
  return launch;
}

/// \p stated with all its parts, and nothing in it that cannot be.
static llvm::Expected<LaunchConfig>
completeAndCheck(const LaunchConfig &stated, const KernelSummary &summary,
                 const GPU &gpu) {
  auto resolved = resolveArguments(stated, summary);
  if (!resolved)
    return resolved.takeError();
  LaunchConfig launch = completeLaunch(*resolved, summary, gpu);
  if (llvm::Error error = checkLaunch(launch, summary, gpu))
    return std::move(error);
  return launch;
}

static llvm::Error checkThatBlocksFit(const BoundKernel &kernel,
                                      const GPU &gpu) {
  if (kernel.occupancy.activeBlocksPerSM > 0)
    return llvm::Error::success();
  const SourceLocation &place = kernel.launch.location;
  return makeInputError({place.file, place.line, ""},
                        "no block of " + kernel.summary->demangled +
                            " fits on " + gpu.name + ": limited by " +
                            kernel.occupancy.limiterText());
}

/// A run leaves nothing open.
static llvm::Expected<TimedLaunch>
timeRun(const KernelSummary &summary, const LaunchGroup &run, const GPU &gpu) {
  auto launch = completeAndCheck(run.launch, summary, gpu);
  if (!launch)
    return launch.takeError();
  BoundKernel bound = bindRun(summary, *launch, gpu, run.profile, run.times);
  if (llvm::Error error = checkThatBlocksFit(bound, gpu))
    return std::move(error);
  return TimedLaunch{evaluate(std::move(bound), gpu), {}, {}};
}

static llvm::Expected<TimedLaunch> timeLaunch(const KernelSummary &summary,
                                              const LaunchConfig &stated,
                                              const GPU &gpu) {
  auto checked = completeAndCheck(stated, summary, gpu);
  if (!checked)
    return checked.takeError();
  const LaunchConfig &launch = *checked;
  LaunchBinding binding(summary, launch, gpu);
  BoundKernel expected = binding.bind(Scenario::Expected);
  if (llvm::Error error = checkThatBlocksFit(expected, gpu))
    return std::move(error);
  TimedLaunch timed{evaluate(std::move(expected), gpu), {}, {}};
  if (timed.shown.kernel.isComplete || !timed.shown.kernel.hasUpperBound)
    return timed;
  timed.low = evaluate(binding.bind(Scenario::Low), gpu);
  timed.high = evaluate(binding.bind(Scenario::High), gpu);
  return timed;
}

/// The time a model gives a bound kernel, in us.
static llvm::Expected<double> timeOf(const Evaluated &launch, const GPU &gpu,
                                     llvm::StringRef model) {
  for (const PaperModel &other : paperModels())
    if (other.name == model) {
      auto run = other.run(launch.kernel, launch.traffic, gpu);
      return run ? llvm::Expected<double>(run->timeInUs) : run.takeError();
    }
  return launch.result.timeInUs;
}

/// Fills timeInUs and timeRangeInUs of a Prediction, TimeEstimate or ModelTime.
template <typename T>
static llvm::Error setTime(const TimedLaunch &timed, const GPU &gpu,
                           llvm::StringRef model, T &out) {
  auto time = timeOf(timed.shown, gpu, model);
  if (!time)
    return time.takeError();
  if (timed.hasTime())
    out.timeInUs = *time;
  if (!timed.hasRange())
    return llvm::Error::success();
  auto low = timeOf(*timed.low, gpu, model);
  if (!low)
    return low.takeError();
  auto high = timeOf(*timed.high, gpu, model);
  if (!high)
    return high.takeError();
  out.timeRangeInUs = std::minmax({*low, *time, *high});
  return llvm::Error::success();
}

llvm::Expected<TimeEstimate> auspex::predictTime(const KernelSummary &summary,
                                                 const LaunchConfig &launch,
                                                 const GPU &gpu) {
  auto timed = timeLaunch(summary, launch, gpu);
  if (!timed)
    return timed.takeError();
  TimeEstimate estimate;
  if (llvm::Error error = setTime(*timed, gpu, modelNames().front(), estimate))
    return std::move(error);
  Limiter limiter = operationalLimiter(timed->shown.result);
  estimate.limiter = std::move(limiter.name);
  estimate.shareOfLimit = limiter.share;
  estimate.launch = std::move(timed->shown.kernel.launch);
  estimate.warps = timed->shown.kernel.warps();
  estimate.occupancy = timed->shown.kernel.occupancy;
  estimate.input = timed->shown.input;
  return estimate;
}

static ComparedTimes::Residency residencyOf(const BoundKernel &kernel) {
  return {kernel.registers, kernel.occupancy.activeWarpsPerSM};
}

llvm::Expected<ComparedTimes>
auspex::compareModels(const KernelSummary &summary, const LaunchConfig &launch,
                      const GPU &gpu, llvm::ArrayRef<std::string> models,
                      const LaunchGroup *run) {
  auto timed =
      run ? timeRun(summary, *run, gpu) : timeLaunch(summary, launch, gpu);
  if (!timed)
    return timed.takeError();
  ComparedTimes compared;
  Limiter limiter = operationalLimiter(timed->shown.result);
  compared.limiter = std::move(limiter.name);
  compared.shareOfLimit = limiter.share;
  const BoundKernel &kernel = timed->shown.kernel;
  compared.unknowns = kernel.unknowns;
  compared.counts =
      profilerCounts(kernel, timed->shown.traffic, timed->shown.input, gpu);
  compared.residency = residencyOf(kernel);
  LaunchConfig own = kernel.launch;
  own.registers.reset();
  compared.ownResidency = residencyOf(bindResources(summary, own, gpu));
  for (const std::string &model : models)
    if (llvm::Error error =
            setTime(*timed, gpu, model, compared.times.emplace_back()))
      compared.times.back() = {{}, {}, llvm::toString(std::move(error))};
  return compared;
}

/// What goes into every model that the GPU's description suffices for, and what
/// comes out of those whose results are not the prediction's own.
static void listModels(const BoundKernel &kernel, const MemoryTraffic &traffic,
                       const GPU &gpu, const OperationalInput &operational,
                       Prediction &prediction) {
  prediction.inputs.emplace_back("operational", listValues(operational));
  for (const PaperModel &model : paperModels())
    if (auto run = model.run(kernel, traffic, gpu)) {
      prediction.inputs.emplace_back(model.name, std::move(run->input));
      prediction.outputs.emplace_back(model.name, std::move(run->output));
    } else {
      llvm::consumeError(run.takeError());
    }
}

static void describeSharedAtomics(const Evaluated &launch, const GPU &gpu,
                                  Prediction &prediction) {
  const OperationalResult &result = launch.result;
  double cycles =
      (result.timeInUs - result.launchOverheadInUs) * gpu.cyclesPerUs();
  auto input = sharedAtomicsInput(launch.input.sharedAtomics, gpu,
                                  launch.kernel.warps() / result.activeSMs,
                                  result.residentWarps, cycles);
  if (!input)
    return;
  prediction.inputs.emplace_back("shared-atomics", listValues(*input));
  prediction.sharedAtomics = evaluateSharedAtomics(*input);
}

/// Says which launch \p prediction is of.
static void setLaunch(const KernelSummary &summary, LaunchConfig launch,
                      Prediction &prediction) {
  prediction.argumentNames.clear();
  auto nameAll = [&](const auto &arguments) {
    for (const auto &[symbol, value] : arguments)
      if (std::string name = argumentName(summary, symbol); !name.empty())
        prediction.argumentNames.emplace_back(symbol, std::move(name));
  };
  nameAll(launch.arguments);
  nameAll(launch.floatArguments);
  for (Fix &fix : prediction.fixes)
    if (fix.launch) {
      fix.launch->arguments = launch.arguments;
      fix.launch->floatArguments = launch.floatArguments;
    }
  prediction.launch = std::move(launch);
}

/// What is known of \p object but takes too many pieces to count.
static bool isTooIrregular(const BoundKernel &kernel, size_t object) {
  bool isNamed = false;
  for (const BoundAccess &access : kernel.accesses)
    if (access.object == static_cast<int>(object)) {
      if (!access.isKnown)
        return false;
      isNamed = true;
    }
  return isNamed;
}

static void describe(const KernelSummary &summary, const BoundKernel &kernel,
                     const MemoryTraffic &traffic, const GPU &gpu,
                     Prediction &prediction) {
  prediction.kernel = summary.name;
  prediction.demangled = summary.demangled;
  prediction.location = summary.location;
  prediction.gpu = gpu.name;
  prediction.gpuProvenance = gpu.provenanceText();
  setLaunch(summary, kernel.launch, prediction);
  prediction.coverage = {summary.accessCoverage(), summary.loopCoverage()};
  prediction.occupancy = kernel.occupancy;
  prediction.activeLanes = kernel.activeLanes;
  prediction.registers = kernel.registers;
  prediction.registerOrigin = kernel.registerOrigin;
  prediction.assumptions = summary.assumptions;
  llvm::append_range(prediction.assumptions, kernel.assumptions);
  if (kernel.instructions[InstructionClass::Texture] > 0)
    prediction.assumptions.push_back(
        "threads side by side fetch texels side by side: of each thread's "
        "fetches one texel of 4 B comes from DRAM");
  if (traffic.isL2TakenWarm)
    prediction.assumptions.push_back(
        "L2 has what an equal launch left of arrays whose addresses are open, "
        "which are taken to be as large as what is picked of them");
  auto nameOf = [&](const std::string &symbol) {
    std::string name = argumentName(summary, symbol);
    return name.empty() ? symbol : name;
  };
  for (size_t i = 0; i < kernel.objects.size(); ++i)
    if (!traffic.objects[i].isKnown && isTooIrregular(kernel, i))
      prediction.assumptions.push_back(
          "what blocks have in common of " + nameOf(traffic.objects[i].name) +
          " takes too many pieces to count: its addresses are taken to be "
          "picked at random");
  std::set<std::string> apart;
  for (auto [access, bound] : llvm::zip(summary.accesses, kernel.accesses))
    if (isTakenNotToCollide(kernel, access, bound))
      apart.insert(nameOf(access.base));
  for (const std::string &name : apart)
    prediction.assumptions.push_back(
        "atomics on " + name +
        " do not collide: nothing says how far their addresses reach");
  prediction.unknowns = kernel.unknowns;
}

/// Whether blocks may have parts of the work each: what they access, or how
/// often, hangs on the block's index, or on what is not known. More blocks of
/// other kernels do the same once more.
static bool mayShareWork(const KernelSummary &summary) {
  auto isOfBlock = [&](const Expr &expr) {
    bool found = false;
    expr.forEachSymbol([&](llvm::StringRef name) {
      found |= name.starts_with("ctaid.") || name.starts_with("nctaid.");
    });
    return found;
  };
  auto mayBeOfBlock = [&](const MaybeExpr &value) {
    return !value.isKnown() || isOfBlock(value.expr) ||
           llvm::any_of(summary.dataSymbols, [&](const DataSymbol &symbol) {
             return value.expr.uses(symbol.name) &&
                    llvm::any_of(symbol.changesWith, isOfBlock);
           });
  };
  return llvm::any_of(
             summary.loops,
             [&](const Loop &loop) { return mayBeOfBlock(loop.tripCount); }) ||
         llvm::any_of(summary.accesses, [&](const Access &access) {
           bool isOfThreads = access.space == MemorySpace::Shared ||
                              access.space == MemorySpace::Local;
           return !isOfThreads && mayBeOfBlock(access.offset);
         });
}

static llvm::Expected<Prediction> describeAll(const TimedLaunch &timed,
                                              const GPU &gpu,
                                              llvm::StringRef model,
                                              size_t launches) {
  const auto &[kernel, traffic, input, result] = timed.shown;
  Prediction prediction;
  prediction.model = model.str();
  describe(*kernel.summary, kernel, traffic, gpu, prediction);
  if (llvm::Error error = setTime(timed, gpu, model, prediction))
    return std::move(error);
  Limiter limiter = operationalLimiter(result);
  prediction.limiter = limiter.name;
  prediction.shareOfLimit = limiter.share;
  prediction.stations = result.stations;
  prediction.bounds = operationalBounds(input, gpu);
  prediction.benefits = operationalBenefits(input, gpu, result.timeInUs);
  if (!mayShareWork(*kernel.summary))
    for (Benefit &benefit : prediction.benefits)
      if (benefit.id == "tail")
        benefit.gainInUs = 0;
  if (timed.hasTime())
    prediction.fixes = findFixes({kernel, traffic, gpu, input, result.timeInUs,
                                  prediction.benefits, launches});
  prediction.traffic = traffic;
  listModels(kernel, traffic, gpu, input, prediction);
  describeSharedAtomics(timed.shown, gpu, prediction);
  std::vector<AccessPlace> places = accessPlaces(kernel);
  prediction.accesses = accessVolumes(kernel, places);
  prediction.lines = lineVolumes(kernel);
  prediction.loops = loopVolumes(kernel);
  prediction.findings =
      findAll(kernel, gpu, input, result.timeInUs, prediction, places);
  return prediction;
}

llvm::Expected<Prediction>
auspex::predict(const KernelSummary &summary, const LaunchConfig &launch,
                const GPU &gpu, llvm::StringRef model, size_t launches) {
  if (llvm::Error error = checkModelName(model))
    return std::move(error);
  auto timed = timeLaunch(summary, launch, gpu);
  if (!timed)
    return timed.takeError();
  return describeAll(*timed, gpu, model, launches);
}

llvm::Expected<Prediction>
auspex::predictRun(const KernelSummary &summary, const LaunchGroup &run,
                   const GPU &gpu, llvm::StringRef model, size_t launches) {
  if (llvm::Error error = checkModelName(model))
    return std::move(error);
  auto timed = timeRun(summary, run, gpu);
  if (!timed)
    return timed.takeError();
  return describeAll(*timed, gpu, model, launches);
}

std::vector<Prediction>
auspex::predictAll(const KernelSummary &summary,
                   llvm::ArrayRef<LaunchConfig> launches, const GPU &gpu,
                   llvm::StringRef model,
                   llvm::function_ref<void(llvm::Error)> refuse) {
  LaunchConfig assumed;
  // Launches, and the different ones of them as far as they count.
  std::vector<LaunchConfig> possible, different;
  std::vector<size_t> kinds;
  for (const LaunchConfig &launch :
       launches.empty() ? llvm::ArrayRef(assumed) : launches) {
    auto checked = completeAndCheck(launch, summary, gpu);
    if (!checked) {
      refuse(checked.takeError());
      continue;
    }
    LaunchConfig counting = withoutIdleArguments(*checked, summary);
    // Floating-point numbers that change nothing do not make a launch another.
    bool hasIdle = checked->floatArguments != counting.floatArguments;
    checked->floatArguments = counting.floatArguments;
    if (hasIdle && llvm::any_of(possible, [&](LaunchConfig other) {
          other.location = checked->location;
          return other == *checked;
        }))
      continue;
    auto known = llvm::find(different, counting);
    kinds.push_back(known - different.begin());
    if (known == different.end())
      different.push_back(std::move(counting));
    possible.push_back(std::move(*checked));
  }
  std::vector<Prediction> predictions;
  std::vector<std::optional<Prediction>> ofKind(different.size());
  for (auto [launch, kind] : llvm::zip(possible, kinds)) {
    if (!ofKind[kind]) {
      auto first = predict(summary, launch, gpu, model, different.size());
      if (!first) {
        refuse(first.takeError());
        continue;
      }
      ofKind[kind] = std::move(*first);
    }
    predictions.push_back(*ofKind[kind]);
    setLaunch(summary, launch, predictions.back());
  }
  return predictions;
}
