// A vector that is loaded, changed in part or not at all, and stored goes as a
// whole, as nvcc has it; of one that is only read, no more than the half or
// quarter that is used is loaded.
//
// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB --format=json \
// RUN:   | FileCheck %s --implicit-check-not='"bytesPerLane"'

struct __align__(16) Mixed { float x, y; int count; float w; };
struct __align__(16) Two { float4 a, b; };
struct Loose { float x, y, z; };

__device__ void halve(float4 &v) { v.x *= 0.5f; }

// CHECK-LABEL: "demangled": "change(
// CHECK: "bytesPerLane":16,
// CHECK: "bytesPerLane":16,
__global__ void change(float4 *a) {
  float4 v = a[threadIdx.x];
  v.x *= 2;
  a[threadIdx.x] = v;
}

// CHECK-LABEL: "demangled": "inline_(
// CHECK: "bytesPerLane":16,
// CHECK: "bytesPerLane":16,
__global__ void inline_(float4 *a) {
  float4 v = a[threadIdx.x];
  halve(v);
  a[threadIdx.x] = v;
}

// CHECK-LABEL: "demangled": "mixed(
// CHECK: "bytesPerLane":16,
// CHECK: "bytesPerLane":16,
__global__ void mixed(Mixed *a) {
  Mixed v = a[threadIdx.x];
  ++v.count;
  a[threadIdx.x] = v;
}

// The second of two is as it was.
// CHECK-LABEL: "demangled": "two(
// CHECK: "bytesPerLane":16,
// CHECK: "bytesPerLane":16,
__global__ void two(Two *a) {
  Two v = a[threadIdx.x];
  v.a.y = v.a.x;
  a[threadIdx.x] = v;
}

// CHECK-LABEL: "demangled": "bytes(
// CHECK: "bytesPerLane":4,
// CHECK: "bytesPerLane":4,
__global__ void bytes(uchar4 *a) {
  uchar4 v = a[threadIdx.x];
  v.x = 255 - v.x;
  a[threadIdx.x] = v;
}

// CHECK-LABEL: "demangled": "branch(
// CHECK: "bytesPerLane":8,
// CHECK: "bytesPerLane":8,
__global__ void branch(float2 *a) {
  float2 v = a[threadIdx.x];
  if (v.x > 0)
    v.y = v.x * 2;
  a[threadIdx.x] = v;
}

// CHECK-LABEL: "demangled": "unaligned(
// CHECK: "bytesPerLane":4,
// CHECK: "bytesPerLane":4,
__global__ void unaligned(Loose *a) {
  Loose v = a[threadIdx.x];
  v.x *= 2;
  a[threadIdx.x] = v;
}

// CHECK-LABEL: "demangled": "through(
// CHECK: "bytesPerLane":16,
// CHECK: "bytesPerLane":16,
__global__ void through(float *to, const float *from) {
  float4 v = reinterpret_cast<const float4 *>(from)[threadIdx.x];
  reinterpret_cast<float4 *>(to)[threadIdx.x] = v;
}

// CHECK-LABEL: "demangled": "tile(
// CHECK: "bytesPerLane":16,
// CHECK: "bytesPerLane":16,
// CHECK: "bytesPerLane":4,
// CHECK: "bytesPerLane":4,
__global__ void tile(float *to, const float *from) {
  __shared__ float rows[32][36];
  float4 v = reinterpret_cast<const float4 *>(from)[threadIdx.x];
  *reinterpret_cast<float4 *>(&rows[threadIdx.x / 8][threadIdx.x % 8 * 4]) = v;
  __syncthreads();
  to[threadIdx.x] = rows[threadIdx.x % 32][threadIdx.x / 32];
}

// CHECK-LABEL: "demangled": "quarter(
// CHECK: "bytesPerLane":4,
// CHECK: "bytesPerLane":4,
__global__ void quarter(const float4 *a, float *out) {
  float4 v = a[threadIdx.x];
  v.y = 1;
  out[threadIdx.x] = v.x + v.y;
}

// CHECK-LABEL: "demangled": "half_(
// CHECK: "bytesPerLane":8,
// CHECK: "bytesPerLane":4,
__global__ void half_(const float4 *a, float *out) {
  float4 v = a[threadIdx.x];
  v.y = 1;
  out[threadIdx.x] = v.z + v.y + v.w;
}

int main() {
  change<<<1024, 256>>>(nullptr);
  inline_<<<1024, 256>>>(nullptr);
  mixed<<<1024, 256>>>(nullptr);
  two<<<1024, 256>>>(nullptr);
  bytes<<<1024, 256>>>(nullptr);
  branch<<<1024, 256>>>(nullptr);
  unaligned<<<1024, 256>>>(nullptr);
  through<<<1024, 256>>>(nullptr, nullptr);
  tile<<<1024, 256>>>(nullptr, nullptr);
  quarter<<<1024, 256>>>(nullptr, nullptr);
  half_<<<1024, 256>>>(nullptr, nullptr);
}
