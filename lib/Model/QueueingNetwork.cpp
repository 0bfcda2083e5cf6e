// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/QueueingNetwork.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

using namespace auspex;

NetworkSolution auspex::solve(const QueueingNetwork &network,
                              unsigned customers) {
  size_t count = network.stations.size();
  NetworkSolution solution;
  solution.queue.assign(count, 0);
  solution.utilization.assign(count, 0);
  size_t bottleneck = 0;
  for (size_t k = 0; k < count; ++k)
    if (network.stations[k].demand > network.stations[bottleneck].demand)
      bottleneck = k;
  double slowest = count ? network.stations[bottleneck].demand : 0;

  llvm::SmallVector<double, 16> residence(count);
  for (unsigned n = 1; n <= customers; ++n) {
    double pass = network.delay;
    for (size_t k = 0; k < count; ++k) {
      const QueueingStation &station = network.stations[k];
      // Arrival theorem: a customer finds the queue of n - 1.
      residence[k] =
          station.demand * (1 + std::max(station.leastQueue,
                                         station.queueing * solution.queue[k]));
      pass += residence[k];
    }
    double throughput = pass > 0 ? n / pass : 0;
    bool capped = throughput * slowest > 1;
    if (capped)
      throughput = 1 / slowest;
    for (size_t k = 0; k < count; ++k)
      solution.queue[k] = throughput * residence[k];
    if (capped) {
      double others = throughput * network.delay - solution.queue[bottleneck];
      for (double queue : solution.queue)
        others += queue;
      solution.queue[bottleneck] = std::max(0.0, n - others);
    }
    solution.throughput = throughput;
  }
  solution.cycleTime =
      solution.throughput > 0 ? customers / solution.throughput : 0;
  for (size_t k = 0; k < count; ++k)
    solution.utilization[k] =
        std::min(1.0, solution.throughput * network.stations[k].demand);
  return solution;
}
