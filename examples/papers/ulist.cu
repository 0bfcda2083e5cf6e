// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The U-list phase of the fast multipole method, in our own words after the
// description in J. Sim, A. Dasgupta, H. Kim, R. Vuduc, "A performance analysis
// framework for identifying potential benefits in GPGPU applications" (PPoPP
// 2012), section 6.2: every point of a leaf box adds up what the points of the
// neighbouring boxes do to it. The paper's seven optimisations are switches.
//
// The paper does not say which 44 combinations it has. Here they are: without
// shared memory any of pref, ujam, vecpack and rsqrt (16); with it one of four
// layouts (plain, trans, trans with vecpack, tight) and any of pref, ujam and
// rsqrt (32), but no pref with tight, whose words are used as they come (4).
#include "../check.h"

#include <string>

namespace with {
enum Switch : unsigned {
  pref = 1,     // the next source is loaded while this one is used
  shmem = 2,    // the sources of a box are staged in shared memory
  ujam = 4,     // two targets a thread: each source loaded serves both
  trans = 8,    // shared memory holds points, not coordinates
  vecpack = 16, // one load of 16 bytes, not four of 4
  tight = 32,   // points of four words in shared memory, loaded word by word
  rsqrt = 64,   // one reciprocal square root, no division and square root
};
} // namespace with

constexpr int boxPoints = 256;

// The points, by coordinate and by point.
struct Points {
  const float *x, *y, *z, *weight;
  const float4 *packed;
};

template <unsigned switches>
__device__ float4 loadPoint(const Points &points, int i) {
  if (switches & with::vecpack)
    return points.packed[i];
  return {points.x[i], points.y[i], points.z[i], points.weight[i]};
}

// What a source does to a target; nothing to itself.
template <unsigned switches>
__device__ float influence(float4 source, float4 target) {
  float dx = source.x - target.x, dy = source.y - target.y,
        dz = source.z - target.z;
  float square = dx * dx + dy * dy + dz * dz;
  if (switches & with::rsqrt)
    return square > 0 ? source.w * rsqrtf(square) : 0;
  return square > 0 ? source.w / sqrtf(square) : 0;
}

// A block is a box; a thread has one target, or two.
template <unsigned switches>
__global__ void uList(Points points, const int *list, int neighbours,
                      float *potential) {
  constexpr int targets = switches & with::ujam ? 2 : 1;
  constexpr int threads = boxPoints / targets;
  constexpr bool isPacked = switches & (with::trans | with::tight);
  __shared__ float
      coordinates[switches & with::shmem && !isPacked ? 4 * boxPoints : 1];
  __shared__ float4 staged[switches & with::shmem && isPacked ? boxPoints : 1];
  int first = blockIdx.x * boxPoints + threadIdx.x;
  float4 target[targets];
  float sum[targets];
  for (int t = 0; t < targets; ++t) {
    target[t] = loadPoint<switches>(points, first + t * threads);
    sum[t] = 0;
  }
  for (int n = 0; n < neighbours; ++n) {
    int box = list[blockIdx.x * neighbours + n] * boxPoints;
    if (switches & with::shmem) {
      for (int t = 0; t < targets; ++t) {
        int k = threadIdx.x + t * threads;
        float4 point = loadPoint<switches>(points, box + k);
        if (isPacked) {
          staged[k] = point;
        } else {
          coordinates[k] = point.x;
          coordinates[boxPoints + k] = point.y;
          coordinates[2 * boxPoints + k] = point.z;
          coordinates[3 * boxPoints + k] = point.w;
        }
      }
      __syncthreads();
    }
    auto sourceAt = [&](int k) -> float4 {
      if (!(switches & with::shmem))
        return loadPoint<switches>(points, box + k);
      if (!isPacked)
        return {coordinates[k], coordinates[boxPoints + k],
                coordinates[2 * boxPoints + k], coordinates[3 * boxPoints + k]};
      if (switches & with::tight) {
        const float *words = &staged[k].x;
        return {words[0], words[1], words[2], words[3]};
      }
      return staged[k];
    };
    float4 next = sourceAt(0);
    for (int k = 0; k < boxPoints; ++k) {
      float4 source = switches & with::pref ? next : sourceAt(k);
      if (switches & with::pref)
        next = sourceAt(k + 1 < boxPoints ? k + 1 : k);
      for (int t = 0; t < targets; ++t)
        sum[t] += influence<switches>(source, target[t]);
    }
    if (switches & with::shmem)
      __syncthreads();
  }
  for (int t = 0; t < targets; ++t)
    potential[first + t * threads] = sum[t];
}

constexpr bool isCombination(unsigned switches) {
  bool isShared = switches & with::shmem;
  bool isTrans = switches & with::trans, isTight = switches & with::tight;
  if (!isShared)
    return !isTrans && !isTight;
  if (isTight)
    return !isTrans && !(switches & (with::pref | with::vecpack));
  return isTrans || !(switches & with::vecpack);
}

// A ring of boxes: the neighbours are the nearest, on both sides.
struct Problem {
  int boxes, neighbours;
  std::vector<float> x, y, z, weight, potential;
  std::vector<float4> packed;
  std::vector<int> list;

  Problem(int boxes, int neighbours)
      : boxes(boxes), neighbours(neighbours),
        x(fill<float>(boxes * boxPoints, 1)),
        y(fill<float>(boxes * boxPoints, 2)),
        z(fill<float>(boxes * boxPoints, 3)),
        weight(fill<float>(boxes * boxPoints, 4)) {
    for (int box = 0; box < boxes; ++box)
      for (int n = 0; n < neighbours; ++n)
        list.push_back((box + boxes + n - neighbours / 2) % boxes);
    for (int i = 0; i < boxes * boxPoints; ++i) {
      packed.push_back({x[i], y[i], z[i], weight[i]});
      double sum = 0;
      for (int n = 0; n < neighbours; ++n)
        for (int k = 0; k < boxPoints; ++k) {
          int s = list[i / boxPoints * neighbours + n] * boxPoints + k;
          double dx = x[s] - x[i], dy = y[s] - y[i], dz = z[s] - z[i];
          double square = dx * dx + dy * dy + dz * dz;
          if (square > 0)
            sum += weight[s] / std::sqrt(square);
        }
      potential.push_back(static_cast<float>(sum));
    }
  }
};

struct DeviceProblem {
  explicit DeviceProblem(const Problem &host)
      : x(host.x), y(host.y), z(host.z), weight(host.weight),
        packed(host.packed), list(host.list), potential(host.x.size()) {}

  DeviceArray<float> x, y, z, weight;
  DeviceArray<float4> packed;
  DeviceArray<int> list;
  DeviceArray<float> potential;
};

template <unsigned switches>
static bool runOne(const Problem &host, DeviceProblem &device) {
  Points points{device.x.get(), device.y.get(), device.z.get(),
                device.weight.get(), device.packed.get()};
  device.potential.clear();
  uList<switches><<<host.boxes, boxPoints / (switches & with::ujam ? 2 : 1)>>>(
      points, device.list.get(), host.neighbours, device.potential.get());
  CHECK_KERNEL();
  std::string name = "uList<" + std::to_string(switches) + ">";
  return compare(name.c_str(), device.potential.copyBack(), host.potential,
                 1e-4);
}

// Runs all combinations from this one on.
template <unsigned switches = 0>
static bool runAll(const Problem &host, DeviceProblem &device, int &count) {
  bool passed = true;
  if constexpr (isCombination(switches)) {
    passed = runOne<switches>(host, device);
    ++count;
  }
  if constexpr (switches + 1 < 2 * with::rsqrt)
    passed &= runAll<switches + 1>(host, device, count);
  return passed;
}

int main() {
  requireDevice();
  Problem host(56, 3);
  DeviceProblem device(host);
  int count = 0;
  bool passed = runAll(host, device, count);
  std::printf("%d combinations\n", count);
  return finish(passed & (count == 44));
}
