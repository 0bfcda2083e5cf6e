// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neighbours beyond the border of a field, and how their index is brought back:
// by min and max, by a choice of two, by branches that meet again.
#include "../check.h"

constexpr int radius = 2;

// The value at the border stands for those beyond it: min and max.
__global__ void blurClamped(const float *in, float *out, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= width)
    return;
  float sum = 0;
  for (int d = -radius; d <= radius; ++d)
    sum += in[y * width + min(max(x + d, 0), width - 1)];
  out[y * width + x] = sum;
}

// The field goes on at the other side: selects of two indices.
__global__ void blurPeriodic(const float *in, float *out, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= width)
    return;
  int left = x == 0 ? width - 1 : x - 1;
  int right = x == width - 1 ? 0 : x + 1;
  const float *row = in + y * width;
  out[y * width + x] = row[left] + row[x] + row[right];
}

// A tile with a halo in shared memory: the first threads load the halo from
// another place than the others, and the ways meet at one load.
__global__ void blurShared(const float *in, float *out, int n) {
  extern __shared__ float tile[];
  int threads = blockDim.x, first = blockIdx.x * threads;
  for (int i = threadIdx.x; i < threads + 2 * radius; i += threads) {
    int from = first + i - radius;
    if (from < 0)
      from = -from;
    else if (from >= n)
      from = 2 * n - 2 - from;
    tile[i] = in[from];
  }
  __syncthreads();
  float sum = 0;
  for (int d = 0; d <= 2 * radius; ++d)
    sum += tile[threadIdx.x + d];
  out[first + threadIdx.x] = sum;
}

static int clamped(int x, int width) {
  return x < 0 ? 0 : x >= width ? width - 1 : x;
}
static int periodic(int x, int width) { return (x + width) % width; }
static int mirrored(int x, int width) {
  return x < 0 ? -x : x >= width ? 2 * width - 2 - x : x;
}

static std::vector<float> blur(const std::vector<float> &in, int width,
                               int radius, int (*inside)(int, int)) {
  std::vector<float> out(in.size());
  for (int i = 0; i < static_cast<int>(in.size()); ++i) {
    int x = i % width;
    for (int d = -radius; d <= radius; ++d)
      out[i] += in[i - x + inside(x + d, width)];
  }
  return out;
}

int main() {
  requireDevice();
  const int width = 200, height = 6;
  const dim3 grid(2, height);
  std::vector<float> field = fill<float>(width * height);
  DeviceArray<float> in(field), out(field.size());
  blurClamped<<<grid, 128>>>(in.get(), out.get(), width);
  CHECK_KERNEL();
  bool passed =
      compare("clamped", out.copyBack(), blur(field, width, radius, clamped));
  blurPeriodic<<<grid, 128>>>(in.get(), out.get(), width);
  CHECK_KERNEL();
  passed &=
      compare("periodic", out.copyBack(), blur(field, width, 1, periodic));
  blurShared<<<width * height / 120, 120, (120 + 2 * radius) * sizeof(float)>>>(
      in.get(), out.get(), width * height);
  CHECK_KERNEL();
  passed &= compare("mirrored", out.copyBack(),
                    blur(field, width * height, radius, mirrored));
  return finish(passed);
}
