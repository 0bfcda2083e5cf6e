// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two histograms of R. Dong, S. Pai, "Modeling utilization to identify
// shared-memory atomic bottlenecks" (GPGPU 2025), section 4, in our own words:
// four channels of a byte a pixel, one histogram a channel in shared memory. In
// the second one neighbouring threads take the channels in different orders.
//
// Each with two instructions: if nothing reads what the atomic returns, the
// assembler makes ATOMS.POPC.INC of it since Ampere; if something does, it is
// ATOMS.ADD.
#include "../check.h"

#include <cstring>

constexpr int channels = 4;
constexpr int bins = 256;
constexpr int counters = channels * bins;

enum class Order { Same, InTurns };
enum class Result { Unused, Read };

template <Order order, Result result>
__global__ void histogram(const unsigned char *in, int n, unsigned *counts) {
  __shared__ unsigned local[counters];
  for (int i = threadIdx.x; i < counters; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    unsigned values[channels];
    for (int c = 0; c < channels; ++c)
      values[c] = in[static_cast<size_t>(i) * channels + c];
    for (int c = 0; c < channels; ++c) {
      // An array whose index is not a constant lives in local memory.
      int channel =
          order == Order::InTurns
              ? (c + static_cast<int>(threadIdx.x) % channels) % channels
              : c;
      unsigned before = atomicAdd(&local[channel * bins + values[channel]], 1u);
      // Never true: no bin counts that far.
      if (result == Result::Read && before == ~0u)
        local[0] = 0;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < counters; i += blockDim.x)
    if (local[i] != 0)
      atomicAdd(&counts[i], local[i]);
}

template <Order order, Result result>
static bool check(const char *what, const DeviceArray<unsigned char> &image,
                  int pixels, const std::vector<unsigned> &expected) {
  int sms = 0;
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  DeviceArray<unsigned> counts(counters);
  Stopwatch watch;
  histogram<order, result><<<3 * sms, 512>>>(image.get(), pixels, counts.get());
  watch.report(what);
  return compare(what, counts.copyBack(), expected);
}

static bool runOn(const char *kind, const std::vector<unsigned char> &image) {
  std::vector<unsigned> expected(counters, 0);
  for (size_t i = 0; i < image.size(); ++i)
    ++expected[i % channels * bins + image[i]];
  DeviceArray<unsigned char> device(image);
  int pixels = static_cast<int>(image.size() / channels);
  std::printf("%s:\n", kind);
  bool passed = check<Order::Same, Result::Unused>("same order", device, pixels,
                                                   expected);
  passed &= check<Order::InTurns, Result::Unused>("in turns", device, pixels,
                                                  expected);
  passed &= check<Order::Same, Result::Read>("same order, read", device, pixels,
                                             expected);
  return passed & check<Order::InTurns, Result::Read>("in turns, read", device,
                                                      pixels, expected);
}

// histograms [large]: 2^18 pixels, or 2^22.
int main(int argc, char **argv) {
  requireDevice();
  bool isLarge = argc > 1 && std::strcmp(argv[1], "large") == 0;
  size_t size = (size_t(1) << (isLarge ? 22 : 18)) * channels;
  std::vector<unsigned char> solid(size), random(size);
  Random source(5);
  for (size_t i = 0; i < size; ++i) {
    solid[i] = static_cast<unsigned char>(17 * (i % channels) + 3);
    random[i] = static_cast<unsigned char>(source.below(bins));
  }
  bool passed = runOn("one colour", solid);
  passed &= runOn("random colours", random);
  return finish(passed);
}
