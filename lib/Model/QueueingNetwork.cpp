// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/QueueingNetwork.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace auspex;

namespace {
/// A station at which customers stay.
struct Stay {
  size_t station;
  double service, leastQueue, queueing, servers;
  double queue = 0, residence = 0;

  Stay(size_t number, const QueueingStation &station)
      : station(number),
        service(station.demand * station.stayedFor * station.servers),
        leastQueue(station.leastQueue), queueing(station.queueing),
        servers(station.servers) {}

  /// How long a customer of \p n is there, who finds the queue.
  double residenceOf(unsigned n) const {
    double found = queueing * queue;
    // Of the n - 1 others those of the same server.
    if (servers > 1)
      found *= n > servers ? (n / servers - 1) / (n - 1) : 0;
    return service * (1 + std::max(leastQueue, found));
  }
};
} // namespace

double auspex::passWithDelayByRate(double pass, double longerByRate) {
  return (pass + std::sqrt(pass * pass + 4 * longerByRate)) / 2;
}

/// \p visit sees the throughput for every number of customers on the way, and
/// the stations with their queues. Demands do not depend on the load.
template <typename Visit>
static NetworkSolution solveFixed(const QueueingNetwork &network,
                                  unsigned customers, Visit visit) {
  llvm::ArrayRef<QueueingStation> stations = network.stations;
  const QueueingStation *bottleneck = llvm::max_element(
      stations, [](const QueueingStation &a, const QueueingStation &b) {
        return a.demand < b.demand;
      });
  double slowest = stations.empty() ? 0 : bottleneck->demand;
  llvm::SmallVector<Stay, 16> stays;
  size_t atBottleneck = 0;
  for (const QueueingStation &station : stations) {
    Stay stay(&station - stations.begin(), station);
    if (&station == bottleneck)
      atBottleneck = stays.size();
    // Customers do not stay at others, which only cap the throughput.
    if (&station == bottleneck || stay.service != 0)
      stays.push_back(stay);
  }

  NetworkSolution solution;
  for (unsigned n = 1; n <= customers; ++n) {
    double pass = network.delay;
    for (Stay &stay : stays) {
      // Arrival theorem: a customer finds the queue of n - 1.
      stay.residence = stay.residenceOf(n);
      pass += stay.residence;
    }
    pass = passWithDelayByRate(pass, network.delayByRate * n);
    // More customers never slow each other down, nor pass the bottleneck.
    double free = pass > 0 ? n / pass : 0;
    double throughput = std::max(free, solution.throughput);
    if (throughput * slowest > 1)
      throughput = 1 / slowest;
    for (Stay &stay : stays)
      stay.queue = throughput * stay.residence;
    if (throughput != free) {
      double &queue = stays[atBottleneck].queue;
      double others = throughput * network.delay - queue;
      for (const Stay &stay : stays)
        others += stay.queue;
      queue = std::max(0.0, n - others);
    }
    solution.throughput = throughput;
    visit(n, throughput, stays);
  }
  solution.cycleTime =
      solution.throughput > 0 ? customers / solution.throughput : 0;
  for (const QueueingStation &station : stations)
    solution.utilization.push_back(
        std::min(1.0, solution.throughput * station.demand));
  solution.queue.assign(stations.size(), 0);
  for (const Stay &stay : stays)
    solution.queue[stay.station] = stay.queue;
  return solution;
}

namespace {
/// A station whose service depends on its load, and the rest of the network as
/// one station that completes as many passes a unit of time as it would alone
/// with the customers that are there (Norton's theorem for queueing networks;
/// Chandy, Herzog, Woo 1975). Exact where mean value analysis is.
class TwoStations {
public:
  TwoStations(const QueueingStation &station, const QueueingNetwork &rest,
              unsigned customers)
      : customers(customers), probability(customers + 1),
        queues(customers + 1) {
    std::vector<double> rates(customers + 1, 0.0);
    solveFixed(rest, customers,
               [&](unsigned n, double throughput, llvm::ArrayRef<Stay> stays) {
                 rates[n] = throughput;
                 queues[n].assign(rest.stations.size(), 0);
                 for (const Stay &stay : stays)
                   queues[n][stay.station] = stay.queue;
               });
    // Of the number at the station, by balance between neighbours: logarithms,
    // because products of many ratios leave the range of numbers.
    std::vector<double> logs(customers + 1, 0.0);
    for (unsigned n = 0; n < customers; ++n)
      logs[n + 1] =
          logs[n] + std::log(rates[customers - n] * station.demandByLoad[n]);
    double largest = *std::max_element(logs.begin(), logs.end());
    double sum = 0;
    for (unsigned n = 0; n <= customers; ++n)
      sum += probability[n] = std::exp(logs[n] - largest);
    for (unsigned n = 0; n <= customers; ++n) {
      probability[n] /= sum;
      throughput += probability[n] * rates[customers - n];
      queue += n * probability[n];
    }
  }

  double throughput = 0, queue = 0;

  /// Mean customers at station \p k of the rest.
  double queueInRest(size_t k) const {
    double mean = 0;
    for (unsigned n = 0; n < customers; ++n)
      mean += probability[n] * queues[customers - n][k];
    return mean;
  }

private:
  unsigned customers;
  std::vector<double> probability;
  std::vector<llvm::SmallVector<double, 16>> queues;
};
} // namespace

/// The solution where station \p index depends on its load.
static NetworkSolution solveLoadDependent(const QueueingNetwork &network,
                                          size_t index, unsigned customers) {
  const QueueingStation &station = network.stations[index];
  QueueingNetwork rest = network;
  rest.stations.erase(rest.stations.begin() + index);
  bool isAlone = rest.delay <= 0 &&
                 llvm::all_of(rest.stations, [](const QueueingStation &each) {
                   return each.demand <= 0;
                 });
  NetworkSolution solution;
  solution.queue.assign(network.stations.size(), 0);
  solution.utilization.assign(network.stations.size(), 0);
  if (isAlone) {
    solution.throughput = 1 / station.demand;
    solution.queue[index] = customers;
  } else {
    TwoStations both(station, rest, customers);
    solution.throughput = both.throughput;
    for (size_t k = 0; k < network.stations.size(); ++k)
      solution.queue[k] =
          k == index ? both.queue : both.queueInRest(k < index ? k : k - 1);
  }
  // Who arrives together stays at least as long as it takes them all.
  double found = std::min<double>(customers - 1, station.leastQueue);
  double longest =
      found <= 0
          ? 0
          : station.demandByLoad[static_cast<size_t>(found)] * (1 + found);
  double stay = solution.queue[index] / solution.throughput;
  solution.cycleTime = customers / solution.throughput;
  if (longest > stay) {
    double slower = solution.cycleTime + longest - stay;
    for (double &queue : solution.queue)
      queue *= solution.cycleTime / slower;
    solution.queue[index] = longest * customers / slower;
    solution.cycleTime = slower;
    solution.throughput = customers / slower;
  }
  for (size_t k = 0; k < network.stations.size(); ++k)
    solution.utilization[k] =
        std::min(1.0, solution.throughput * network.stations[k].demand);
  return solution;
}

NetworkSolution auspex::solve(const QueueingNetwork &network,
                              unsigned customers) {
  for (size_t k = 0; k < network.stations.size(); ++k)
    if (!network.stations[k].demandByLoad.empty())
      return solveLoadDependent(network, k, customers);
  return solveFixed(network, customers,
                    [](unsigned, double, llvm::ArrayRef<Stay>) {});
}
