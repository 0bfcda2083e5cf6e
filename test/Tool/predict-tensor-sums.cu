// GeForce boards multiply halves at half the rate where sums are of single
// precision; boards for work do not.

// RUN: auspex predict %s --gpu RTX-3090 --gpu RTX-A6000 --format=json \
// RUN:   | %python -c "import json, sys; \
// RUN:   time = {(p['gpu'], p['kernel']): p['timeInUs'] \
// RUN:           for p in json.load(sys.stdin)['predictions']}; \
// RUN:   [print(gpu, round(time[gpu, 'single'] / time[gpu, 'half'], 1)) \
// RUN:    for gpu in ('RTX-3090', 'RTX-A6000')]" | FileCheck %s

// CHECK: RTX-3090 2.0
// CHECK: RTX-A6000 1.0
extern "C" __global__ void half(unsigned *out, int n) {
  unsigned a = threadIdx.x, c[8][2] = {};
  for (int i = 0; i < n; i++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
                   "{%0, %1}, {%2, %2, %2, %2}, {%2, %2}, {%0, %1};"
                   : "+r"(c[j][0]), "+r"(c[j][1])
                   : "r"(a));
  for (int j = 0; j < 8; j++)
    out[threadIdx.x + j] = c[j][0] + c[j][1];
}

extern "C" __global__ void single(float *out, int n) {
  unsigned a = threadIdx.x;
  float c[8][4] = {};
  for (int i = 0; i < n; i++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                   "{%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, "
                   "{%0, %1, %2, %3};"
                   : "+f"(c[j][0]), "+f"(c[j][1]), "+f"(c[j][2]), "+f"(c[j][3])
                   : "r"(a));
  for (int j = 0; j < 8; j++)
    out[threadIdx.x + j] = c[j][0] + c[j][1] + c[j][2] + c[j][3];
}

int main() {
  unsigned *halves;
  float *singles;
  cudaMalloc(&halves, 4096);
  cudaMalloc(&singles, 4096);
  half<<<1024, 256>>>(halves, 10000);
  single<<<1024, 256>>>(singles, 10000);
}
