// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A closed queueing network solved by mean value analysis (Reiser and
/// Lavenberg 1980; Denning and Buzen 1978 for the laws it rests on). Customers
/// visit stations, where they queue, and wait through delays, where they do
/// not. Times are in any one unit; Auspex uses SM cycles.
#ifndef AUSPEX_MODEL_QUEUEINGNETWORK_H
#define AUSPEX_MODEL_QUEUEINGNETWORK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace auspex {

struct QueueingStation {
  /// Service time a customer needs in one pass through the network.
  double demand = 0;
  /// How much of the queue a customer finds delays it: 1 for exponential
  /// service (exact mean value analysis), 0 if customers never meet.
  double queueing = 1;
  /// The share of the demand that a customer stays for. The rest is done behind
  /// it, and takes the station's time alone.
  double stayedFor = 1;
  /// A customer finds at least this many others, because some arrive together.
  double leastQueue = 0;
  /// As many servers share the work; a customer stays with one of them, as do
  /// equally many others, is served in this many times the demand, and is
  /// delayed by those others alone.
  double servers = 1;
  /// Of a station whose service depends on its load: what the demand is with 1,
  /// 2, ... customers there, as many as there are in the network, never rising;
  /// \p demand is the last one. One station of a network may have it; it is
  /// exponential whatever \p queueing says. Empty: always \p demand.
  llvm::ArrayRef<double> demandByLoad = {};
};

struct QueueingNetwork {
  llvm::SmallVector<QueueingStation, 16> stations;
  /// Time of one pass that is spent at no station.
  double delay = 0;
  /// And as much for each pass that is completed in a unit of time: a delay
  /// through what all customers do elsewhere.
  double delayByRate = 0;
};

struct NetworkSolution {
  /// Passes that are completed per unit of time.
  double throughput = 0;
  /// Time of one pass: customers / throughput.
  double cycleTime = 0;
  /// Per station: share of the time it is busy (of one whose service depends on
  /// its load: by its demand with all customers), at most 1, and the mean
  /// number of customers there. Customers at stations and in the delay add up
  /// to all.
  llvm::SmallVector<double, 16> utilization, queue;
};

/// How long a pass takes that is \p longerByRate / itself longer than \p pass:
/// the delay by the rate of the customers, times their number.
double passWithDelayByRate(double pass, double longerByRate);

/// Solves the network for \p customers (at least 1) by recursion over their
/// number. Where a queueing factor below 1 would drive a station beyond full
/// use, throughput is capped and the bottleneck's queue takes the customers
/// that are left (models/operational).
NetworkSolution solve(const QueueingNetwork &network, unsigned customers);

} // namespace auspex

#endif
