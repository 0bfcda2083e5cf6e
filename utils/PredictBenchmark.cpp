// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a prediction from a summary takes: microseconds beyond reading it, with
// all models, what-ifs, fixes and remarks, for each launch of the summaries.
//
//   ninja -C build predict-benchmark
//   build/bin/predict-benchmark A100-40GB SUMMARY.json...
//
// "bind" is the part that gives the time alone (predictTime). Each is the least
// processor time of several rounds. Launches that cannot be are left out.
// Nothing is judged by the exit status: it is no test.

#include "auspex/Kernel/SummaryDocument.h"
#include "auspex/Model/Predict.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <ctime>

using namespace auspex;

/// The least time of \p work in us.
static double leastInUs(llvm::function_ref<void()> work) {
  constexpr unsigned Rounds = 20;
  constexpr double EnoughInUs = 50e3;
  double least = HUGE_VAL, all = 0;
  for (unsigned i = 0; i < Rounds && all < EnoughInUs; ++i) {
    std::clock_t start = std::clock();
    work();
    double spent = 1e6 * (std::clock() - start) / CLOCKS_PER_SEC;
    least = std::min(least, spent);
    all += spent;
  }
  return least;
}

namespace {
/// What the predictions of all launches take.
struct Totals {
  unsigned launches = 0, slow = 0;
  double bindInUs = 0, allInUs = 0;
};
} // namespace

static void measure(const KernelSummary &kernel, const LaunchConfig &launch,
                    const GPU &gpu, Totals &totals) {
  constexpr double SlowInUs = 200;
  auto possible = predictTime(kernel, launch, gpu);
  if (!possible)
    return llvm::consumeError(possible.takeError());
  double bind =
      leastInUs([&] { llvm::cantFail(predictTime(kernel, launch, gpu)); });
  size_t fixes = 0;
  double all = leastInUs([&] {
    fixes = llvm::cantFail(predict(kernel, launch, gpu)).fixes.size();
  });
  llvm::outs() << llvm::formatv("{0,-48}{1,10:f1}{2,10:f1}{3,8}\n",
                                kernel.demangled.substr(0, 47), bind, all,
                                fixes);
  ++totals.launches;
  totals.slow += all > SlowInUs;
  totals.bindInUs += bind;
  totals.allInUs += all;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    llvm::errs() << "usage: predict-benchmark GPU SUMMARY.json...\n";
    return 2;
  }
  llvm::ExitOnError check("predict-benchmark: ");
  GPU gpu = check(findGPU(argv[1]));
  llvm::outs() << llvm::formatv("{0,-48}{1,10}{2,10}{3,8}\n", "kernel",
                                "bind us", "all us", "fixes");
  Totals totals;
  for (llvm::StringRef path : llvm::ArrayRef(argv + 2, argc - 2)) {
    SummaryDocument document = check(readSummaries(check(loadDocument(path))));
    for (const KernelSummary &kernel : document.kernels) {
      auto launches = chooseLaunches(kernel, {}, document.launches);
      if (launches.empty())
        launches.emplace_back();
      for (const LaunchConfig &launch : launches)
        measure(kernel, launch, gpu, totals);
    }
  }
  llvm::outs() << llvm::formatv(
      "{0,-48}{1,10:f1}{2,10:f1}\n{3} of {4} launches "
      "take more than 200 us\n",
      "all", totals.bindInUs, totals.allInUs, totals.slow, totals.launches);
  return 0;
}
