// A tile that each thread fills in four rounds at most: nvcc has four copies of
// the loop's body side by side, whose loads a thread waits for once. Of two
// rounds it does one after the other (nvcc 13 for 8.0).
//
// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB --format=json -o %t.json
// RUN: %python -c "import json; [print(p['demangled'].split('(')[0], \
// RUN:   p['inputs']['operational']['path']['load_global']) \
// RUN:   for p in json.load(open(r'%t.json'))['predictions']]" | FileCheck %s

template <int Size> __global__ void fill(const float *__restrict__ in, float *out, int n) {
  __shared__ float tile[Size];
  float sum = 0;
  for (int begin = 0; begin < n; begin += Size) {
    for (int i = threadIdx.x; i < Size; i += 256)
      tile[i] = in[blockIdx.x * n + begin + i];
    __syncthreads();
    sum += tile[(threadIdx.x * 5) & (Size - 1)];
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

void run(float *in, float *out) {
  // CHECK: void fill<512> 64
  fill<512><<<64, 256>>>(in, out, 16384);
  // CHECK-NEXT: void fill<1024> 16
  fill<1024><<<64, 256>>>(in, out, 16384);
  // CHECK-NEXT: void fill<2048> 16
  fill<2048><<<64, 256>>>(in, out, 16384);
}
