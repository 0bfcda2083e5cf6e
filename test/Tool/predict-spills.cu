// Bounds of a launch leave fewer registers than the kernel has values: what is
// spilled is stored and loaded, and the prediction says so.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100 | FileCheck %s
// RUN: auspex predict %s --gpu A100 --format=json -o %t
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t

// CHECK-LABEL: free(float*, int)
// CHECK-NOT:   spilled
// CHECK-LABEL: bounded(float*, int)
// CHECK:       32 registers a thread (estimated)
// CHECK:       more than the 32 it may have: about {{.*}} values are spilled

// JSON:        "kernel": "_Z4freePfi"
// JSON-NOT:    "store_local"
// JSON:        "kernel": "_Z7boundedPfi"
// JSON:        "load_local": {{[0-9]}}
// JSON:        "store_local": {{[0-9]}}

#pragma clang diagnostic ignored "-Wpass-failed"
template <int count> __device__ void mix(float *a, int rounds) {
  float values[count];
#pragma unroll
  for (int i = 0; i < count; ++i)
    values[i] = a[i * 1024 + threadIdx.x];
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < count; ++i)
      values[i] = values[i] * values[(i + 7) % count] + values[(i + 3) % count];
#pragma unroll
  for (int i = 0; i < count; ++i)
    a[i * 1024 + threadIdx.x] = values[i];
}
__global__ void free(float *a, int rounds) { mix<48>(a, rounds); }
__global__ void __launch_bounds__(1024, 2) bounded(float *a, int rounds) {
  mix<48>(a, rounds);
}
void run(float *a) {
  free<<<108, 1024>>>(a, 100);
  bounded<<<216, 1024>>>(a, 100);
}
