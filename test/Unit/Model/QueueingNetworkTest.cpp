// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/QueueingNetwork.h"

#include "Random.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace auspex;
using namespace auspex::test;

namespace {

QueueingNetwork network(std::initializer_list<double> demands, double delay,
                        double queueing = 1) {
  QueueingNetwork result;
  for (double demand : demands)
    result.stations.push_back({demand, queueing});
  result.delay = delay;
  return result;
}

/// Up to 16 stations and sometimes a delay; \p queueing below 0 draws a factor
/// for each station, and for some how long customers stay.
QueueingNetwork randomNetwork(Random &random, double queueing) {
  QueueingNetwork result;
  unsigned count = random.whole(1, 16);
  for (unsigned i = 0; i < count; ++i) {
    result.stations.push_back(
        {random.real(1e-3, 1e3), queueing < 0 ? random.unit() : queueing});
    if (queueing < 0 && random.unit() < 0.3)
      result.stations.back().stayedFor = random.unit();
  }
  result.delay = random.count(1e4);
  return result;
}

double largestDemand(const QueueingNetwork &network) {
  double largest = 0;
  for (const QueueingStation &station : network.stations)
    largest = std::max(largest, station.demand);
  return largest;
}

/// Throughput of an exponential network by Buzen's convolution, which shares
/// nothing with mean value analysis: X(n) = G(n - 1) / G(n).
double throughputByConvolution(const QueueingNetwork &network,
                               unsigned customers) {
  std::vector<double> constants(customers + 1, 0.0);
  constants[0] = 1;
  for (unsigned n = 1; n <= customers; ++n)
    constants[n] = constants[n - 1] * network.delay / n;
  for (const QueueingStation &station : network.stations)
    for (unsigned n = 1; n <= customers; ++n)
      constants[n] += station.demand * constants[n - 1];
  return constants[customers - 1] / constants[customers];
}

// Three machines and one repairman, work and repair of the same length: all
// stand still for 1 of 16 parts of the time (1 + 3 + 6 + 6 states).
TEST(QueueingNetwork, OneStationIsTheMachineRepairman) {
  QueueingNetwork repair = network({1}, 1);
  EXPECT_DOUBLE_EQ(solve(repair, 1).throughput, 0.5);
  EXPECT_DOUBLE_EQ(solve(repair, 2).throughput, 0.8);
  NetworkSolution three = solve(repair, 3);
  EXPECT_DOUBLE_EQ(three.throughput, 15.0 / 16);
  EXPECT_DOUBLE_EQ(three.utilization[0], 15.0 / 16);
  EXPECT_DOUBLE_EQ(three.queue[0], 33.0 / 16);
  EXPECT_DOUBLE_EQ(three.cycleTime, 3.2);
}

TEST(QueueingNetwork, TwoStationsByHand) {
  QueueingNetwork two = network({2, 1}, 0);
  EXPECT_DOUBLE_EQ(solve(two, 1).throughput, 1.0 / 3);
  EXPECT_DOUBLE_EQ(solve(two, 2).throughput, 3.0 / 7);
  NetworkSolution three = solve(two, 3);
  EXPECT_DOUBLE_EQ(three.throughput, 7.0 / 15);
  EXPECT_DOUBLE_EQ(three.utilization[0], 14.0 / 15);
  EXPECT_DOUBLE_EQ(three.queue[0], 34.0 / 15);
  EXPECT_DOUBLE_EQ(three.queue[1], 11.0 / 15);
}

TEST(QueueingNetwork, TwoStationsAndADelayByHand) {
  QueueingNetwork both = network({2, 1}, 1);
  EXPECT_DOUBLE_EQ(solve(both, 1).throughput, 1.0 / 4);
  EXPECT_DOUBLE_EQ(solve(both, 2).throughput, 8.0 / 21);
  EXPECT_DOUBLE_EQ(solve(both, 3).throughput, 63.0 / 142);
}

// Two customers through a delay of 3 and of 2 times their rate: passes of 4,
// one every 2.
TEST(QueueingNetwork, ADelayByTheRateByHand) {
  QueueingNetwork alone = network({}, 3);
  alone.delayByRate = 2;
  EXPECT_DOUBLE_EQ(solve(alone, 2).throughput, 1.0 / 2);
}

// It is over where a station limits: who waits there longer queues less.
TEST(QueueingNetwork, ADelayByTheRateIsHiddenByAFullStation) {
  QueueingNetwork both = network({10}, 3);
  double without = solve(both, 64).throughput;
  both.delayByRate = 100;
  EXPECT_NEAR(solve(both, 64).throughput, without, 1e-3 * without);
}

TEST(QueueingNetwork, IsExactForExponentialStations) {
  Random random;
  for (int i = 0; i < 2000; ++i) {
    QueueingNetwork net = randomNetwork(random, 1);
    unsigned customers = random.whole(1, 64);
    double exact = throughputByConvolution(net, customers);
    ASSERT_NEAR(solve(net, customers).throughput, exact, 1e-9 * exact);
  }
}

// No queueing: nobody waits until the station is full, then all do.
TEST(QueueingNetwork, WithoutQueueingFollowsTheAsymptotes) {
  QueueingNetwork net = network({1}, 3, 0);
  EXPECT_DOUBLE_EQ(solve(net, 2).throughput, 0.5);
  EXPECT_DOUBLE_EQ(solve(net, 4).throughput, 1);
  NetworkSolution six = solve(net, 6);
  EXPECT_DOUBLE_EQ(six.throughput, 1);
  EXPECT_DOUBLE_EQ(six.queue[0], 3); // the other three are in the delay
  EXPECT_DOUBLE_EQ(six.cycleTime, 6);
}

// Stores: nobody waits for them until the station is full.
TEST(QueueingNetwork, WhatIsDoneBehindCustomersOnlyTakesTheStationsTime) {
  QueueingNetwork net = network({4}, 20);
  net.stations[0].stayedFor = 0;
  EXPECT_DOUBLE_EQ(solve(net, 5).cycleTime, 20);
  EXPECT_DOUBLE_EQ(solve(net, 10).cycleTime, 40);
  // One cycle of four: as with a station of one.
  net.stations[0].stayedFor = 0.25;
  QueueingNetwork loads = network({1}, 20);
  EXPECT_DOUBLE_EQ(solve(net, 3).cycleTime, solve(loads, 3).cycleTime);
  EXPECT_DOUBLE_EQ(solve(net, 3).utilization[0],
                   4 * solve(loads, 3).utilization[0]);
}

TEST(QueueingNetwork, WithoutStationsOnlyWaits) {
  EXPECT_DOUBLE_EQ(solve(network({}, 5), 4).cycleTime, 5);
  EXPECT_EQ(solve(network({}, 0), 4).cycleTime, 0);
  EXPECT_EQ(solve(network({0, 0}, 0), 4).cycleTime, 0);
}

TEST(QueueingNetwork, NeverExceedsTheAsymptotes) {
  Random random;
  for (int i = 0; i < 5000; ++i) {
    QueueingNetwork net = randomNetwork(random, -1);
    unsigned customers = random.whole(1, 64);
    double alone = net.delay;
    for (const QueueingStation &station : net.stations)
      alone += station.demand * station.stayedFor;
    double throughput = solve(net, customers).throughput;
    ASSERT_LE(throughput, customers / alone * (1 + 1e-12));
    ASSERT_LE(throughput, 1 / largestDemand(net) * (1 + 1e-12));
  }
}

TEST(QueueingNetwork, CustomersAddUpAndUtilisationsStayBelowOne) {
  Random random;
  for (int i = 0; i < 5000; ++i) {
    QueueingNetwork net = randomNetwork(random, -1);
    unsigned customers = random.whole(1, 64);
    NetworkSolution solution = solve(net, customers);
    double sum = solution.throughput * net.delay;
    for (double queue : solution.queue) {
      ASSERT_GE(queue, 0);
      sum += queue;
    }
    ASSERT_NEAR(sum, customers, 1e-9 * customers);
    for (double utilization : solution.utilization) {
      ASSERT_GE(utilization, 0);
      ASSERT_LE(utilization, 1);
    }
  }
}

TEST(QueueingNetwork, MoreCustomersNeverLowerThroughput) {
  Random random;
  for (int i = 0; i < 2000; ++i) {
    QueueingNetwork net = randomNetwork(random, i % 2 ? -1 : 1);
    double before = 0;
    for (unsigned customers = 1; customers <= 64; ++customers) {
      double throughput = solve(net, customers).throughput;
      ASSERT_GE(throughput, before * (1 - 1e-12))
          << customers << " customers, network " << i;
      before = throughput;
    }
  }
}

TEST(QueueingNetwork, LargerDemandsNeverRaiseThroughput) {
  Random random;
  for (int i = 0; i < 20000; ++i) {
    QueueingNetwork net = randomNetwork(random, i % 2 ? -1 : 1);
    unsigned customers = random.whole(1, 64);
    double before = solve(net, customers).throughput;
    unsigned which = random.whole(1, net.stations.size());
    net.stations[which - 1].demand *= 1 + random.real(1e-4, 10);
    ASSERT_LE(solve(net, customers).throughput, before * (1 + 1e-12))
        << customers << " customers, network " << i;
  }
}

/// Throughput by Buzen's convolution where station 0 depends on its load: its
/// factors are products of the demands on the way to a load.
double throughputByConvolution(const QueueingNetwork &network,
                               llvm::ArrayRef<double> demandByLoad,
                               unsigned customers) {
  QueueingNetwork rest = network;
  rest.stations.erase(rest.stations.begin());
  std::vector<double> own{1}, others{1};
  for (unsigned n = 1; n <= customers; ++n) {
    own.push_back(own.back() * demandByLoad[n - 1]);
    others.push_back(others.back() / throughputByConvolution(rest, n));
  }
  auto constant = [&](unsigned all) {
    double sum = 0;
    for (unsigned n = 0; n <= all; ++n)
      sum += own[n] * others[all - n];
    return sum;
  };
  return constant(customers - 1) / constant(customers);
}

TEST(QueueingNetwork, LoadDependentStationByHand) {
  // As fast as the machines that stand still: an infinite server.
  const double demands[] = {1, 1.0 / 2, 1.0 / 3};
  QueueingNetwork repair = network({1}, 1);
  repair.stations[0].demand = demands[2];
  repair.stations[0].demandByLoad = demands;
  NetworkSolution solution = solve(repair, 3);
  EXPECT_NEAR(solution.throughput, 1.5, 1e-12);
  EXPECT_NEAR(solution.queue[0], 1.5, 1e-12);
  EXPECT_NEAR(solution.cycleTime, 2, 1e-12);
}

TEST(QueueingNetwork, LoadDependentStationAlone) {
  const double demands[] = {4, 3, 2};
  QueueingNetwork alone = network({2}, 0);
  alone.stations[0].demandByLoad = demands;
  EXPECT_DOUBLE_EQ(solve(alone, 3).cycleTime, 6);
  EXPECT_DOUBLE_EQ(solve(alone, 3).queue[0], 3);
}

TEST(QueueingNetwork, LoadThatDoesNotMatterChangesNothing) {
  Random random;
  for (int i = 0; i < 500; ++i) {
    QueueingNetwork net = randomNetwork(random, 1);
    unsigned customers = random.whole(1, 64);
    NetworkSolution expected = solve(net, customers);
    size_t index = random.whole(0, net.stations.size() - 1);
    std::vector<double> demands(customers, net.stations[index].demand);
    net.stations[index].demandByLoad = demands;
    NetworkSolution actual = solve(net, customers);
    ASSERT_NEAR(actual.throughput, expected.throughput,
                1e-9 * expected.throughput);
    for (size_t k = 0; k < net.stations.size(); ++k)
      ASSERT_NEAR(actual.queue[k], expected.queue[k], 1e-6 * customers);
  }
}

TEST(QueueingNetwork, IsExactForALoadDependentStation) {
  Random random;
  for (int i = 0; i < 500; ++i) {
    QueueingNetwork net = randomNetwork(random, 1);
    net.delay += 1e-3; // never alone
    unsigned customers = random.whole(1, 32);
    std::vector<double> demands{net.stations[0].demand};
    while (demands.size() < customers)
      demands.push_back(demands.back() * random.real(0.7, 1));
    net.stations[0].demand = demands.back();
    net.stations[0].demandByLoad = demands;
    double exact = throughputByConvolution(net, demands, customers);
    NetworkSolution solution = solve(net, customers);
    ASSERT_NEAR(solution.throughput, exact, 1e-8 * exact);
    double sum = solution.throughput * net.delay;
    for (double queue : solution.queue)
      sum += queue;
    ASSERT_NEAR(sum, customers, 1e-6 * customers);
  }
}

// The last of those that arrive together waits for all the others.
TEST(QueueingNetwork, ArrivingTogetherAtALoadDependentStation) {
  const double demands[] = {8, 4, 4, 4};
  QueueingNetwork net = network({4}, 1000);
  net.stations[0].demandByLoad = demands;
  net.stations[0].leastQueue = 3;
  NetworkSolution solution = solve(net, 4);
  EXPECT_NEAR(solution.cycleTime, 1000 + 4 * 4, 1e-9);
  EXPECT_NEAR(solution.queue[0] + solution.throughput * 1000, 4, 1e-9);
}

} // namespace
