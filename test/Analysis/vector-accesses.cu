// Members of a vector that are read or written side by side are one wide access,
// as in the machine code, if the alignment allows it: float2, float4, double2,
// four bytes. A gap is read over; members that are at the wrong place are not
// joined.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-access>' | FileCheck %s

// CHECK-LABEL: kernel _Z6float_P6float4PK6float2f
// CHECK-NEXT:    load 8 B global arg1 + 8*tid.x
// CHECK-NEXT:    store 16 B global arg0 + 16*tid.x
// CHECK-NOT:     {{load|store}}
__global__ void float_(float4 *a, const float2 *b, float s) {
  float2 v = b[threadIdx.x];
  a[threadIdx.x] = make_float4(v.x * s, v.y * s, v.x, v.y);
}

// CHECK-LABEL: kernel _Z7double_P
// CHECK-NEXT:    load 16 B global arg1 + 16*tid.x
// CHECK-NEXT:    store 8 B global arg0 + 8*tid.x
// CHECK-NOT:     {{load|store}}
__global__ void double_(double *a, const double2 *b) {
  a[threadIdx.x] = b[threadIdx.x].x + b[threadIdx.x].y;
}

// CHECK-LABEL: kernel _Z5bytesP
// CHECK-NEXT:    load 4 B global arg1 + 4*tid.x
// CHECK-NEXT:    store 4 B global arg0 + 4*tid.x
// CHECK-NOT:     {{load|store}}
__global__ void bytes(int *a, const uchar4 *b) {
  uchar4 v = b[threadIdx.x];
  a[threadIdx.x] = v.x + v.y + v.z + v.w;
}

struct alignas(16) Particle {
  float x, y, z, mass;
};

// CHECK-LABEL: kernel _Z3gapP
// CHECK-NEXT:    load 16 B global arg1 + 16*tid.x
// CHECK-NEXT:    store 4 B global arg0 + 4*tid.x
// CHECK-NOT:     {{load|store}}
__global__ void gap(float *a, const Particle *b) {
  a[threadIdx.x] = b[threadIdx.x].x * b[threadIdx.x].mass;
}

// y and z are not in one half.
// CHECK-LABEL: kernel _Z6middleP
// CHECK-NEXT:    load 4 B global arg1 + 16*tid.x + 4
// CHECK-NEXT:    load 4 B global arg1 + 16*tid.x + 8
// CHECK-NEXT:    store 4 B global arg0 + 4*tid.x
__global__ void middle(float *a, const Particle *b) {
  a[threadIdx.x] = b[threadIdx.x].y * b[threadIdx.x].z;
}

// CHECK-LABEL: kernel _Z6tripleP
// CHECK-NEXT:    load 4 B global arg1 + 12*tid.x
// CHECK-NEXT:    load 4 B global arg1 + 12*tid.x + 4
// CHECK-NEXT:    load 4 B global arg1 + 12*tid.x + 8
// CHECK-NEXT:    store 4 B global arg0 + 4*tid.x
__global__ void triple(float *a, const float3 *b) {
  float3 v = b[threadIdx.x];
  a[threadIdx.x] = v.x + v.y + v.z;
}

// The last word of a thread's four is x | 3 where the first is x & ~3.
// CHECK-LABEL: kernel _Z12tileOfThreadP
// CHECK:         store 4 B shared
// CHECK-NEXT:    load 16 B shared
// CHECK-NOT:     load
__global__ void tileOfThread(float *a) {
  __shared__ float tile[1024];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  int first = threadIdx.x / 16 * 4;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    sum = sum * tile[first + i] + 1;
  a[threadIdx.x] = sum;
}
