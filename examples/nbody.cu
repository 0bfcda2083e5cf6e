// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gravitational acceleration of every body by every other, by tiles.
#include "check.h"

namespace nbody {

constexpr int tile = 256;
constexpr float softening = 1.0f / 64;

// Adds what the body at `other` (mass in w) does to one at `self`: 13 floating
// point instructions, 5 of them fused, and a reciprocal square root, which the
// special function unit does for a quarter of the lanes at a time.
__device__ float3 interact(float3 sum, float4 self, float4 other) {
  float dx = other.x - self.x;
  float dy = other.y - self.y;
  float dz = other.z - self.z;
  float distance2 = dx * dx + dy * dy + dz * dz + softening;
  float inverse = rsqrtf(distance2);
  float scale = other.w * inverse * inverse * inverse;
  sum.x += dx * scale;
  sum.y += dy * scale;
  sum.z += dz * scale;
  return sum;
}

// A block reads every body once from global memory, 16 bytes a thread; each
// thread then reads them all from shared memory, a broadcast each. Bound by the
// floating point pipes. The number of bodies is a multiple of the tile.
__global__ void __launch_bounds__(tile)
    accelerate(const float4 *__restrict__ bodies,
               float4 *__restrict__ acceleration, int n) {
  __shared__ float4 others[tile];
  int i = blockIdx.x * tile + threadIdx.x;
  float4 self = bodies[i];
  float3 sum = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += tile) {
    others[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < tile; ++j)
      sum = interact(sum, self, others[j]);
    __syncthreads();
  }
  acceleration[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

} // namespace nbody

int main() {
  requireDevice();
  constexpr int n = 4096;
  static_assert(n % nbody::tile == 0, "the kernel has no guard");
  Random random(7);
  std::vector<float4> bodies(n);
  for (float4 &body : bodies) {
    body.x = random.below(4096) / 256.0f;
    body.y = random.below(4096) / 256.0f;
    body.z = random.below(4096) / 256.0f;
    body.w = (1 + random.below(15)) / 16.0f;
  }
  DeviceArray<float4> deviceBodies(bodies), deviceResult(n);

  dim3 block(nbody::tile);
  dim3 grid(n / nbody::tile);
  Stopwatch watch;
  nbody::accelerate<<<grid, block>>>(deviceBodies.get(), deviceResult.get(), n);
  watch.report("accelerate, 4096 bodies");

  // The forces partly cancel: compare against the sum of their magnitudes.
  std::vector<float4> result = deviceResult.copyBack();
  bool passed = true;
  for (int i = 0; i < n && passed; ++i) {
    double sum[3] = {0, 0, 0}, magnitude = 0;
    for (const float4 &other : bodies) {
      double d[3] = {double(other.x) - bodies[i].x,
                     double(other.y) - bodies[i].y,
                     double(other.z) - bodies[i].z};
      double distance2 =
          d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + nbody::softening;
      double scale = other.w / (distance2 * std::sqrt(distance2));
      for (int axis = 0; axis < 3; ++axis)
        sum[axis] += d[axis] * scale;
      magnitude += other.w / distance2;
    }
    double error = std::fmax(std::fabs(result[i].x - sum[0]),
                             std::fmax(std::fabs(result[i].y - sum[1]),
                                       std::fabs(result[i].z - sum[2])));
    passed = error <= 1e-5 * magnitude;
    if (!passed)
      std::printf("FAILED: body %d is off by %g, forces add up to %g\n", i,
                  error, magnitude);
  }
  return finish(passed);
}
