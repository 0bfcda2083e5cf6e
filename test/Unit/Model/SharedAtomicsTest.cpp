// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/SharedAtomics.h"

#include "gtest/gtest.h"

using namespace auspex;

namespace {

AtomicTimes table(llvm::StringRef text) {
  Node node = llvm::cantFail(parseDocument(text, "table.json"));
  return llvm::cantFail(AtomicTimes::read(node));
}

std::string errorOf(llvm::StringRef text) {
  Node node = llvm::cantFail(parseDocument(text, "t"));
  auto times = AtomicTimes::read(node);
  return times ? "no error" : llvm::toString(times.takeError());
}

/// T = 10 + e (n + 1), and twice that if all are CAS.
const char *const Linear =
    "{passes: [1, 32], rows: [[1, 0, 12, 74], [1, 1, 24, 148], "
    "[64, 0, 75, 2090], [64, 64, 150, 4180]]}";

TEST(AtomicTimes, InterpolatesTheTimeAndNotTheServiceTime) {
  AtomicTimes times = table(Linear);
  EXPECT_DOUBLE_EQ(times.cycles(1, 1, 0), 12);
  EXPECT_DOUBLE_EQ(times.cycles(64, 32, 1), 4180);
  EXPECT_DOUBLE_EQ(times.cycles(16, 8, 0), 10 + 8 * 17.0);
  EXPECT_DOUBLE_EQ(times.cycles(16, 8, 0.25), 1.25 * (10 + 8 * 17.0));
  EXPECT_DOUBLE_EQ(times.cycles(0, 8, 0), 0);
  EXPECT_DOUBLE_EQ(times.cycles(0.5, 8, 0), 13) << "towards 0 at n = 0";
  EXPECT_DOUBLE_EQ(times.cycles(128, 1, 0), 150) << "the service time stays";
}

TEST(AtomicTimes, TheSharesOfCasDifferFromLoadToLoad) {
  AtomicTimes times =
      table("{passes: [1, 32], rows: [[1, 0, 10, 10], [1, 1, 20, 20], [4, 0, "
            "20, 20], [4, 2, 60, 60], [4, 4, 80, 80]]}");
  EXPECT_DOUBLE_EQ(times.cycles(4, 1, 0.25), 40);
  EXPECT_DOUBLE_EQ(times.cycles(4, 1, 0.75), 70);
  EXPECT_DOUBLE_EQ(times.cycles(2.5, 1, 0.5), (15 + 60) / 2.0);
}

TEST(AtomicTimes, RefusesWhatIsNoTable) {
  EXPECT_EQ(errorOf("{passes: [1, 16], rows: [[1, 0, 1, 1]]}"),
            "t:1: passes: expected a list of passes from 1 to 32, such as [1, "
            "32]");
  EXPECT_EQ(errorOf("{passes: [1, 32], rows: [[1, 0, 1]]}"),
            "t:1: rows[0]: expected [jobs, CAS jobs, cycles at each of the 2 "
            "passes], found 3 numbers");
  EXPECT_EQ(errorOf("{passes: [1, 32], rows: [[1, 2, 1, 1]]}"),
            "t:1: rows[0][1]: 2 is out of range; it has to be between 0 and 1");
  EXPECT_EQ(errorOf("{passes: [1, 32], rows: [[2, 0, 1, 1], [1, 0, 1, 1]]}"),
            "t:1: rows[1]: the rows have to ascend by jobs, those of the same "
            "jobs by CAS jobs from 0");
  EXPECT_EQ(errorOf("{passes: [1, 32], rows: [[2, 0, 1, 1], [2, 0, 1, 1]]}"),
            "t:1: rows[1]: the rows of the same jobs have to ascend by CAS "
            "jobs");
  EXPECT_EQ(errorOf("{passes: [1, 32], rows: [[1, 0, 0, 1]]}"),
            "t:1: rows[0][2]: 0 is out of range; it has to be between 0.001 "
            "and 1000000000");
  EXPECT_EQ(errorOf("{passes: [1, 32], rows: []}"),
            "t:1: rows: expected a list of rows");
}

TEST(SharedAtomics, BusyTimeIsOfBothClasses) {
  SharedAtomicsInput input;
  input.times = table(Linear);
  input.popcIncTimes =
      table("{passes: [1, 32], rows: [[1, 0, 20, 60], [64, 0, 128, 2048]]}");
  input.faoJobs = 300;
  input.casJobs = 100;
  input.popcIncJobs = 1000;
  input.meanPasses = 8;
  input.queueLength = 64;
  input.smCycles = 20000;
  SharedAtomicsOutput out = evaluateSharedAtomics(input);
  EXPECT_DOUBLE_EQ(out.c, 16);
  EXPECT_DOUBLE_EQ(*out.serviceInCycles, 1.25 * (10 + 8 * 65.0) / 64);
  EXPECT_DOUBLE_EQ(*out.popcIncServiceInCycles, 2);
  EXPECT_DOUBLE_EQ(out.busyInCycles, 400 * *out.serviceInCycles + 2000);
  EXPECT_DOUBLE_EQ(out.utilization, out.busyInCycles / 20000);
  EXPECT_FALSE(out.overestimate);
  input.smCycles = out.busyInCycles / 2;
  out = evaluateSharedAtomics(input);
  EXPECT_EQ(out.utilization, 1);
  EXPECT_DOUBLE_EQ(*out.overestimate, 2);
}

// What the paper says of Titan V's table holds for the estimates too: a service
// time falls with the queue, and grows with the passes and the share of CAS.
TEST(SharedAtomics, TheTablesOfDescriptionsHaveThePapersShape) {
  for (const std::string &name : gpuNames()) {
    GPU gpu = llvm::cantFail(findGPU(name));
    if (!gpu.sharedAtomicTimes)
      continue;
    auto service = [&](double n, double e, double f) {
      return gpu.sharedAtomicTimes->cycles(n, e, f) / n;
    };
    for (double n = 1; n < gpu.sharedAtomicTimes->mostJobs(); ++n)
      for (double e = 1; e < 32; e += 5)
        for (double f = 0; f < 1; f += 0.25) {
          EXPECT_LE(service(n + 1, e, 0), service(n, e, 0)) << name;
          EXPECT_LE(service(n + 1, e, 1), service(n, e, 1)) << name;
          EXPECT_LT(service(n, e, f), service(n, e + 1, f)) << name;
          EXPECT_LE(service(n, e, f), service(n, e, f + 0.25) + 1e-9) << name;
        }
    EXPECT_EQ(gpu.sharedAtomicTimes->mostJobs(), gpu[Q::MaxThreadsPerSM] / 32);
  }
}

} // namespace
