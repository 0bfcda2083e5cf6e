// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/Predict.h"

#include "auspex/Model/Operational.h"
#include "auspex/Model/Remark.h"
#include "auspex/Model/SeedInputs.h"
#include "auspex/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace auspex;

std::vector<std::string> auspex::modelNames() {
  return {"operational", "mwp-cwp", "gpuperf"};
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

/// The time a model gives a bound kernel, in us.
static llvm::Expected<double> timeOf(const BoundKernel &kernel,
                                     const MemoryTraffic &traffic,
                                     const GPU &gpu, llvm::StringRef model) {
  if (model == "mwp-cwp") {
    auto input = mwpCwpInput(kernel, gpu);
    if (!input)
      return input.takeError();
    return evaluateMwpCwp(*input).execCycles / gpu.cyclesPerUs();
  }
  if (model == "gpuperf") {
    auto input = gpuperfInput(kernel, traffic, gpu);
    if (!input)
      return input.takeError();
    return evaluateGpuperf(*input).tExecInCycles / gpu.cyclesPerUs();
  }
  return evaluateOperational(operationalInput(kernel, traffic, gpu), gpu)
      .timeInUs;
}

/// The inputs of every model that the GPU's description suffices for.
static void listInputs(const BoundKernel &kernel, const MemoryTraffic &traffic,
                       const GPU &gpu, const OperationalInput &operational,
                       Prediction &prediction) {
  prediction.inputs.emplace_back("operational", listValues(operational));
  if (auto input = mwpCwpInput(kernel, gpu))
    prediction.inputs.emplace_back("mwp-cwp", listValues(*input));
  else
    llvm::consumeError(input.takeError());
  if (auto input = gpuperfInput(kernel, traffic, gpu))
    prediction.inputs.emplace_back("gpuperf", listValues(*input));
  else
    llvm::consumeError(input.takeError());
}

static void describe(const KernelSummary &summary, const BoundKernel &kernel,
                     const GPU &gpu, Prediction &prediction) {
  prediction.kernel = summary.name;
  prediction.demangled = summary.demangled;
  prediction.location = summary.location;
  prediction.gpu = gpu.name;
  prediction.gpuProvenance = gpu.provenanceText();
  prediction.launch = kernel.launch;
  prediction.coverage = {summary.accessCoverage(), summary.loopCoverage()};
  prediction.occupancy = kernel.occupancy;
  prediction.registers = kernel.registers;
  prediction.registerOrigin = kernel.registerOrigin;
  prediction.assumptions = summary.assumptions;
  llvm::append_range(prediction.assumptions, kernel.assumptions);
  prediction.unknowns = kernel.unknowns;
}

/// Adds what \p high leaves open to \p low.
static void noteOpen(const BoundKernel &high, BoundKernel &low) {
  for (const std::string &sentence : high.unknowns)
    if (!llvm::is_contained(low.unknowns, sentence))
      low.unknowns.push_back(sentence);
  for (auto [from, to] : llvm::zip(high.loops, low.loops))
    if (to.openBecause.empty())
      to.openBecause = from.openBecause;
}

llvm::Expected<Prediction> auspex::predict(const KernelSummary &summary,
                                           const LaunchConfig &stated,
                                           const GPU &gpu,
                                           llvm::StringRef model) {
  if (llvm::Error error = checkModelName(model))
    return std::move(error);
  auto resolved = resolveArguments(stated, summary);
  if (!resolved)
    return resolved.takeError();
  LaunchConfig launch = completeLaunch(*resolved, summary, gpu);
  if (llvm::Error error = checkLaunch(launch, summary, gpu))
    return std::move(error);
  BoundKernel low = bind(summary, launch, gpu, Scenario::Low);
  if (low.occupancy.activeBlocksPerSM == 0)
    return makeInputError({launch.location.file, launch.location.line, ""},
                          "no block of " + summary.demangled + " fits on " +
                              gpu.name + ": limited by " +
                              low.occupancy.limiterText());
  MemoryTraffic lowTraffic = computeTraffic(low, gpu);
  std::optional<BoundKernel> high;
  std::optional<MemoryTraffic> highTraffic;
  if (!low.isComplete) {
    high = bind(summary, launch, gpu, Scenario::High);
    highTraffic = computeTraffic(*high, gpu);
  }

  Prediction prediction;
  prediction.model = model.str();
  // What is open shows in the upper scenario, if there is an upper end. If
  // there is none, why not still shows there: at what the lower one skips.
  bool showHigh = high && high->hasUpperBound;
  const BoundKernel &kernel = showHigh ? *high : low;
  const MemoryTraffic &traffic = showHigh ? *highTraffic : lowTraffic;
  if (high && !showHigh)
    noteOpen(*high, low);
  describe(summary, kernel, gpu, prediction);
  auto time = timeOf(low, lowTraffic, gpu, model);
  if (!time)
    return time.takeError();
  if (low.isComplete) {
    prediction.timeInUs = *time;
  } else if (high->hasUpperBound) {
    auto most = timeOf(*high, *highTraffic, gpu, model);
    if (!most)
      return most.takeError();
    prediction.timeRangeInUs = std::minmax(*time, *most);
  }

  OperationalInput input = operationalInput(kernel, traffic, gpu);
  OperationalResult result = evaluateOperational(input, gpu);
  Limiter limiter = operationalLimiter(result);
  prediction.limiter = limiter.name;
  prediction.shareOfLimit = limiter.share;
  prediction.stations = result.stations;
  prediction.bounds = operationalBounds(input, gpu);
  prediction.benefits = operationalBenefits(input, gpu, result.timeInUs);
  prediction.traffic = traffic;
  listInputs(kernel, traffic, gpu, input, prediction);
  prediction.findings = findAll(kernel, gpu, input, prediction);
  return prediction;
}

std::vector<Prediction>
auspex::predictAll(const KernelSummary &summary,
                   llvm::ArrayRef<LaunchConfig> launches, const GPU &gpu,
                   llvm::StringRef model,
                   llvm::function_ref<void(llvm::Error)> refuse) {
  LaunchConfig assumed;
  std::vector<Prediction> predictions;
  for (const LaunchConfig &launch :
       launches.empty() ? llvm::ArrayRef(assumed) : launches)
    if (auto prediction = predict(summary, launch, gpu, model))
      predictions.push_back(std::move(*prediction));
    else
      refuse(prediction.takeError());
  return predictions;
}
