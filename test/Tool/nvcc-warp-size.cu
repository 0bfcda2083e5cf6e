// For nvcc warpSize is a name whose value ptxas alone knows: a loop over it is
// not unrolled, and a division by it takes a reciprocal. Its addresses are known
// all the same, and constant expressions are what they are.
// Shuffles, comparisons, reciprocals and conversions of each kernel's path, and
// the share of its accesses that is understood:
// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB
// RUN: %python -c "import json; \
// RUN:   [print(p['demangled'].split('(')[0], \
// RUN:    *(p['inputs']['operational']['mix'].get(c, 0) \
// RUN:      for c in ('shuffle', 'compare', 'sfu', 'convert')), \
// RUN:    p['coverage']['accesses']) \
// RUN:    for p in json.load(open(r'%t.json'))['predictions']]" \
// RUN:   | FileCheck %s
// CHECK-DAG: sumOfWarp 5 6 0 0 1
// CHECK-DAG: place 0 2 1 2 1
// CHECK-DAG: sumOfConstant 5 0 0 0 1
// CHECK-DAG: void inLambda<int> 0 2 1 2 1
// CHECK-DAG: byReference 0 0 0 0 1
// On Blackwell its optimiser knows it, too:
// RUN: auspex predict %s --gpu B200 | FileCheck %s --check-prefix=NEWER
// NEWER-LABEL: sumOfWarp(
// NEWER-NOT:   loop
// NEWER-LABEL: place(

__global__ void sumOfWarp(const int *in, int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = in[i];
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(~0u, sum, offset);
  out[i] = sum;
}

__global__ void place(const int *in, int *out) {
  int warp = threadIdx.x / warpSize, lane = threadIdx.x % warpSize;
  out[blockIdx.x * blockDim.x + warp * 32 + lane] = in[warp + 32 * lane];
}

__global__ void sumOfConstant(const int *in, int *out) {
  constexpr int Size = 32;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = in[i];
  for (int offset = Size / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(~0u, sum, offset);
  out[i] = sum;
}

template <typename T> __global__ void inLambda(const T *in, T *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  auto warpOf = [](unsigned thread) { return thread / warpSize; };
  out[i] = in[warpOf(i)];
}

__device__ int lesser(const int &a, const int &b) { return a < b ? a : b; }

__global__ void byReference(const int *in, int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i % 32 + lesser(warpSize, 64)];
}

void run(int *in, int *out) {
  sumOfWarp<<<1024, 256>>>(in, out);
  place<<<1024, 256>>>(in, out);
  sumOfConstant<<<1024, 256>>>(in, out);
  inLambda<<<1024, 256>>>(in, out);
  byReference<<<1024, 256>>>(in, out);
}
