// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two programs of the Parboil benchmarks before and after their optimisations,
// in our own words after the description in J. Sim, A. Dasgupta, H. Kim, R.
// Vuduc, "A performance analysis framework for identifying potential benefits
// in GPGPU applications" (PPoPP 2012), section 6.4 and Table 5: cutcp, the
// electric potential of atoms within a cutoff, and tpacf, how often two points
// of the sky are how far apart.
#include "../check.h"

//===----------------------------------------------------------------------===//
// cutcp
//===----------------------------------------------------------------------===//

constexpr int binSide = 8; // grid points
constexpr float spacing = 0.5f;
constexpr float cutoff = binSide * spacing;
constexpr int binsX = 8, binsY = 8, binsZ = 4;
constexpr int bins = binsX * binsY * binsZ;
constexpr int gridX = binsX * binSide, gridY = binsY * binSide,
              gridZ = binsZ * binSide;
constexpr int binCapacity = 8;

__host__ __device__ inline float contribution(float charge, float square) {
  float rest = 1 - square / (cutoff * cutoff);
  return charge * rsqrtf(square) * rest * rest;
}

// Before: a thread has a grid point and looks at every atom.
__global__ void cutcpBefore(const float4 *atoms, int count, float *potential) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z;
  float sum = 0;
  for (int i = 0; i < count; ++i) {
    float4 atom = atoms[i];
    float dx = atom.x - x * spacing, dy = atom.y - y * spacing,
          dz = atom.z - z * spacing;
    float square = dx * dx + dy * dy + dz * dz;
    if (square < cutoff * cutoff && square > 0)
      sum += contribution(atom.w, square);
  }
  potential[(z * gridY + y) * gridX + x] = sum;
}

// After: atoms are binned, so that only those of 27 bins are near (binning);
// every bin has room for as many, and what does not fit is added elsewhere
// (regularization); a thread has four grid points, which share two of the three
// distances (coarsening).
constexpr int coarsening = 4;

__global__ void cutcpAfter(const float4 *binned, float *potential) {
  int x = blockIdx.x * binSide + threadIdx.x;
  int y = blockIdx.y * binSide + threadIdx.y;
  int z = blockIdx.z * binSide + threadIdx.z * coarsening;
  float sum[coarsening] = {};
  for (int n = 0; n < 27; ++n) {
    int bx = blockIdx.x + n % 3 - 1, by = blockIdx.y + n / 3 % 3 - 1,
        bz = blockIdx.z + n / 9 - 1;
    if (bx < 0 || by < 0 || bz < 0 || bx >= binsX || by >= binsY || bz >= binsZ)
      continue;
    const float4 *bin = binned + ((bz * binsY + by) * binsX + bx) * binCapacity;
    for (int i = 0; i < binCapacity; ++i) {
      float4 atom = bin[i];
      float dx = atom.x - x * spacing, dy = atom.y - y * spacing;
      float flat = dx * dx + dy * dy;
      for (int k = 0; k < coarsening; ++k) {
        float dz = atom.z - (z + k) * spacing;
        float square = flat + dz * dz;
        if (square < cutoff * cutoff && square > 0)
          sum[k] += contribution(atom.w, square);
      }
    }
  }
  for (int k = 0; k < coarsening; ++k)
    potential[((z + k) * gridY + y) * gridX + x] = sum[k];
}

static bool runCutcp() {
  constexpr int perBin = 4;
  std::vector<float4> atoms, binned(bins * binCapacity, {0, 0, 0, 0});
  Random random(21);
  auto within = [&](int bin) {
    return (static_cast<float>(bin * 1000 + random.below(1000)) / 1000 +
            0.0003f) *
           cutoff;
  };
  for (int bin = 0; bin < bins; ++bin)
    for (int i = 0; i < perBin; ++i) {
      float4 atom{within(bin % binsX), within(bin / binsX % binsY),
                  within(bin / (binsX * binsY)),
                  static_cast<float>(1 + random.below(4))};
      atoms.push_back(atom);
      binned[bin * binCapacity + i] = atom;
    }
  std::vector<float> expected;
  for (int point = 0; point < 2 * gridX * gridY; ++point) {
    double sum = 0;
    for (const float4 &atom : atoms) {
      float dx = atom.x - point % gridX * spacing,
            dy = atom.y - point / gridX % gridY * spacing,
            dz = atom.z - point / (gridX * gridY) * spacing;
      float square = dx * dx + dy * dy + dz * dz;
      if (square < cutoff * cutoff && square > 0)
        sum += contribution(atom.w, square);
    }
    expected.push_back(static_cast<float>(sum));
  }
  DeviceArray<float4> all(atoms), near(binned);
  DeviceArray<float> potential(gridX * gridY * gridZ);
  cutcpBefore<<<dim3(gridX / 16, gridY / 8, gridZ), dim3(16, 8)>>>(
      all.get(), static_cast<int>(atoms.size()), potential.get());
  CHECK_KERNEL();
  std::vector<float> before = potential.copyBack();
  bool passed = compare("cutcp", before, expected, 1e-3);
  potential.clear();
  cutcpAfter<<<dim3(binsX, binsY, binsZ),
               dim3(binSide, binSide, binSide / coarsening)>>>(near.get(),
                                                               potential.get());
  CHECK_KERNEL();
  return passed & compare("cutcp after", potential.copyBack(), before, 1e-3);
}

//===----------------------------------------------------------------------===//
// tpacf
//===----------------------------------------------------------------------===//

constexpr int edges = 20;
constexpr int threads = 128;

// Which of the bins a cosine falls into, by bisection; edges fall.
__host__ __device__ inline int binOf(float cosine, const float *edge) {
  int low = 0, high = edges;
  while (low < high) {
    int middle = (low + high) / 2;
    if (cosine >= edge[middle])
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

__constant__ float constantEdges[edges];

// Before: each thread has a point and reads all others from global memory; a
// block has one histogram.
__global__ void tpacfBefore(const float *x, const float *y, const float *z,
                            int count, unsigned *histogram) {
  __shared__ unsigned local[edges + 1];
  if (threadIdx.x <= edges)
    local[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * threads + threadIdx.x;
  float myX = x[i], myY = y[i], myZ = z[i];
  for (int k = 0; k < count; ++k) {
    float cosine = myX * x[k] + myY * y[k] + myZ * z[k];
    atomicAdd(&local[binOf(cosine, constantEdges)], 1u);
  }
  __syncthreads();
  if (threadIdx.x <= edges)
    atomicAdd(&histogram[threadIdx.x], local[threadIdx.x]);
}

// After: the others are staged in shared memory (tiling), and every warp has a
// histogram of its own (privatization).
__global__ void tpacfAfter(const float *x, const float *y, const float *z,
                           int count, unsigned *histogram) {
  constexpr int warps = threads / 32;
  __shared__ unsigned local[warps][edges + 1];
  __shared__ float tileX[threads], tileY[threads], tileZ[threads];
  for (int k = threadIdx.x; k < warps * (edges + 1); k += threads)
    local[k / (edges + 1)][k % (edges + 1)] = 0;
  int i = blockIdx.x * threads + threadIdx.x;
  float myX = x[i], myY = y[i], myZ = z[i];
  for (int first = 0; first < count; first += threads) {
    __syncthreads();
    tileX[threadIdx.x] = x[first + threadIdx.x];
    tileY[threadIdx.x] = y[first + threadIdx.x];
    tileZ[threadIdx.x] = z[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < threads; ++k) {
      float cosine = myX * tileX[k] + myY * tileY[k] + myZ * tileZ[k];
      atomicAdd(&local[threadIdx.x / 32][binOf(cosine, constantEdges)], 1u);
    }
  }
  __syncthreads();
  if (threadIdx.x <= edges) {
    unsigned sum = 0;
    for (int warp = 0; warp < warps; ++warp)
      sum += local[warp][threadIdx.x];
    atomicAdd(&histogram[threadIdx.x], sum);
  }
}

static bool runTpacf() {
  // Eighths: products and sums of three are exact, whatever their order.
  constexpr int count = 14 * threads;
  std::vector<float> points[3], edge(edges);
  Random random(31);
  for (std::vector<float> &coordinate : points)
    for (int i = 0; i < count; ++i)
      coordinate.push_back((static_cast<float>(random.below(17)) - 8) / 8);
  for (int k = 0; k < edges; ++k)
    edge[k] = 2.0f - 0.2f * static_cast<float>(k);
  std::vector<unsigned> expected(edges + 1, 0);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < count; ++k)
      ++expected[binOf(points[0][i] * points[0][k] +
                           points[1][i] * points[1][k] +
                           points[2][i] * points[2][k],
                       edge.data())];
  DeviceArray<float> x(points[0]), y(points[1]), z(points[2]);
  DeviceArray<unsigned> histogram(edges + 1);
  CHECK(cudaMemcpyToSymbol(constantEdges, edge.data(), edges * sizeof(float)));
  tpacfBefore<<<count / threads, threads>>>(x.get(), y.get(), z.get(), count,
                                            histogram.get());
  CHECK_KERNEL();
  bool passed = compare("tpacf", histogram.copyBack(), expected);
  histogram.clear();
  tpacfAfter<<<count / threads, threads>>>(x.get(), y.get(), z.get(), count,
                                           histogram.get());
  CHECK_KERNEL();
  return passed & compare("tpacf after", histogram.copyBack(), expected);
}

int main() {
  requireDevice();
  bool passed = runCutcp();
  return finish(passed & runTpacf());
}
