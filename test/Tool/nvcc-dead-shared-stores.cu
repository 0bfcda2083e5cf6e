// A sum that is kept in shared memory is stored once, behind the last turn, if
// nobody can read it before: what is loaded meanwhile is in global memory. A
// tail that reads through a volatile pointer changes nothing about it.
// Stores to shared memory by a warp in one thread's path:
// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB
// RUN: %python -c "import json; \
// RUN:   [print(p['demangled'].split('(')[0], \
// RUN:    p['inputs']['operational']['mix']['store_shared']) \
// RUN:    for p in json.load(open(r'%t.json'))['predictions']]" \
// RUN:   | FileCheck %s
// CHECK-DAG: volatileTail 1.375
// CHECK-DAG: readByOthers 33

__device__ void addLast(volatile float *sums, unsigned t) {
  sums[t] += sums[t + 32];
  sums[t] += sums[t + 16];
  sums[t] += sums[t + 8];
}

__global__ void volatileTail(float *in, float *out) {
  __shared__ float sums[256];
  unsigned t = threadIdx.x, i = blockIdx.x * (256 * 32) + threadIdx.x;
  sums[t] = 0;
#pragma unroll
  for (int j = 0; j < 32; ++j)
    sums[t] += in[i + j * 256u];
  __syncthreads();
  if (t < 32)
    addLast(sums, t);
  if (t == 0)
    out[blockIdx.x] = sums[0] + sums[1];
}

__global__ void readByOthers(float *in, float *out) {
  __shared__ float sums[256];
  unsigned t = threadIdx.x, i = blockIdx.x * (256 * 32) + threadIdx.x;
  sums[t] = 0;
#pragma unroll
  for (int j = 0; j < 32; ++j) {
    __syncthreads();
    sums[t] = sums[t ^ 1] + in[i + j * 256u];
  }
  out[i] = sums[t];
}

void run(float *in, float *out) {
  volatileTail<<<1024, 256>>>(in, out);
  readByOthers<<<1024, 256>>>(in, out);
}
