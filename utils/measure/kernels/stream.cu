// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bandwidth of DRAM, with all the blocks that fit and with two an SM, where
// what passes between a block and its successor shows.
#include "../measure.h"

#define main inline streamMain
#include "../../../examples/stream.cu"
#undef main

MEASURE {
  const int n = 1 << 26;
  const bool never = false;
  measure::Array<double> a(session, n), b(session, n), c(session, n);
  // More than a third of an SM's, with what every block takes by itself.
  const cudaDeviceProp &device = session.device();
  size_t ofBlock = capInDoubles * sizeof(double) + 1024;
  size_t third = device.sharedMemPerMultiprocessor / 3 + 1024;
  for (size_t shared : {size_t(0), third - ofBlock})
    for (int block : {32, 64, 128, 256, 512, 1024}) {
      measure::Launch launch = measure::cover(n, block);
      launch.shared = shared;
      session.run(KERNEL(initKernel), launch, a, ARG(n), ARG(never));
      session.run(KERNEL(readKernel), launch, b, a, ARG(n), ARG(never));
      session.run(KERNEL(scaleKernel), launch, b, a, ARG(n), ARG(never));
      session.run(KERNEL(triadKernel), launch, b, c, a, ARG(n), ARG(never));
    }
}
