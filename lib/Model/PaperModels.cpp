// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PaperModels.h"

#include "auspex/Model/SeedInputs.h"

using namespace auspex;

static llvm::Expected<MwpCwpInput>
ofMwpCwp(const BoundKernel &kernel, const MemoryTraffic &, const GPU &gpu) {
  return mwpCwpInput(kernel, gpu);
}

template <auto inputOf, auto evaluate, auto cyclesOf>
static llvm::Expected<double> timeInUs(const BoundKernel &kernel,
                                       const MemoryTraffic &traffic,
                                       const GPU &gpu) {
  auto input = inputOf(kernel, traffic, gpu);
  if (!input)
    return input.takeError();
  return evaluate(*input).*cyclesOf / gpu.cyclesPerUs();
}

template <auto inputOf, auto evaluate>
static llvm::Expected<ModelValues> values(const BoundKernel &kernel,
                                          const MemoryTraffic &traffic,
                                          const GPU &gpu) {
  auto input = inputOf(kernel, traffic, gpu);
  if (!input)
    return input.takeError();
  return ModelValues{listValues(*input), listValues(evaluate(*input))};
}

llvm::ArrayRef<PaperModel> auspex::paperModels() {
  static constexpr PaperModel All[] = {
      {"mwp-cwp", timeInUs<ofMwpCwp, evaluateMwpCwp, &MwpCwpOutput::execCycles>,
       values<ofMwpCwp, evaluateMwpCwp>},
      {"gpuperf",
       timeInUs<gpuperfInput, evaluateGpuperf, &GpuperfOutput::tExecInCycles>,
       values<gpuperfInput, evaluateGpuperf>},
  };
  return All;
}
