// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PaperModels.h"

#include "auspex/Model/SeedInputs.h"

using namespace auspex;

static llvm::Expected<MwpCwpInput>
ofMwpCwp(const BoundKernel &kernel, const MemoryTraffic &, const GPU &gpu) {
  return mwpCwpInput(kernel, gpu);
}

template <auto inputOf, auto evaluate, auto cyclesOf>
static llvm::Expected<ModelRun>
run(const BoundKernel &kernel, const MemoryTraffic &traffic, const GPU &gpu) {
  auto input = inputOf(kernel, traffic, gpu);
  if (!input)
    return input.takeError();
  auto output = evaluate(*input);
  return ModelRun{output.*cyclesOf / gpu.cyclesPerUs(), listValues(*input),
                  listValues(output)};
}

llvm::ArrayRef<PaperModel> auspex::paperModels() {
  static constexpr PaperModel All[] = {
      {"mwp-cwp", run<ofMwpCwp, evaluateMwpCwp, &MwpCwpOutput::execCycles>},
      {"gpuperf",
       run<gpuperfInput, evaluateGpuperf, &GpuperfOutput::tExecInCycles>},
  };
  return All;
}
