// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics on few words of global memory: how many words, and of which type,
// decides whether an address, a line or all of L2 is the limit.
#include "../measure.h"

template <class T>
__global__ void contendForCells(T *cells, int count, int rounds) {
  T *cell = cells + (blockIdx.x * blockDim.x + threadIdx.x) % count;
  for (int i = 0; i < rounds; ++i)
    atomicAdd(cell, T(1));
}

/// The same where what was there before is wanted.
template <class T>
__global__ void contendForNumbers(T *cells, int count, int rounds, T *out) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  T last = 0;
  for (int i = 0; i < rounds; ++i)
    last = atomicAdd(cells + thread % count, T(1) + last * 0);
  out[thread] = last;
}

template <class T>
static void measureType(measure::Session &session, const std::string &type) {
  constexpr int most = 1 << 18, rounds = 16;
  unsigned blocks = 2 * session.device().multiProcessorCount;
  measure::Array<T> cells(session, most), out(session, blocks * 256);
  for (int count : {1, 2, 4, 8, 16, 32, 64, 128, 256, 1024, 8192, most})
    session.run(("contendForCells<" + type + ">").c_str(), &contendForCells<T>,
                {dim3(blocks), dim3(256)}, cells, ARG(count), ARG(rounds));
  for (int count : {1, 32, 1024, most})
    session.run(("contendForNumbers<" + type + ">").c_str(),
                &contendForNumbers<T>, {dim3(blocks), dim3(256)}, cells,
                ARG(count), ARG(rounds), out);
}

MEASURE {
  measureType<unsigned>(session, "unsigned int");
  measureType<unsigned long long>(session, "unsigned long long");
  measureType<float>(session, "float");
  measureType<double>(session, "double");
}
