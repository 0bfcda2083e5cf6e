// Pointers to the stages of a pipeline, kept in a private array: what they
// point to is shared memory, and of one array it is known where.

// RUN: auspex predict %s --gpu RTX-3070 | FileCheck %s

// CHECK-LABEL: stages(
// CHECK:       predicted {{3[0-9]+}} us
// CHECK-DAG:   shared store of 4 B a lane: 1 bank pass a request [SharedAccess]
// CHECK-DAG:   shared load of 4 B a lane: 2 bank passes a request [SharedAccess]
// CHECK-NOT:   UnknownAccess
// CHECK-LABEL: apart(
// CHECK:       predicted {{4[0-9.]+}} us
// CHECK-DAG:   shared store of 4 B a lane: its address depends on data read from memory [UnknownAccess]
// CHECK-DAG:   shared load of 4 B a lane: its address depends on data read from memory [UnknownAccess]
__global__ void stages(const float *in, float *out, int k) {
  extern __shared__ float smem[];
  float *stage[2];
  for (int s = 0; s < 2; s++)
    stage[s] = smem + s * 1024;
  int t = threadIdx.x, now = 0;
  float sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = t; j < 1024; j += 256)
      stage[now][j] = in[(blockIdx.x * k + i) * 1024 + j];
    __syncthreads();
    for (int j = 0; j < 64; j++)
      sum += stage[now][(2 * t + j * 16) % 1024];
    now = (now + 1) % 2;
  }
  out[blockIdx.x * 256 + t] = sum;
}

__global__ void apart(const float *in, float *out, int k) {
  __shared__ float one[256];
  __shared__ float other[256];
  float *stage[2] = {one, other};
  int t = threadIdx.x, now = 0;
  float sum = 0;
  for (int i = 0; i < k; i++) {
    stage[now][t] = in[(blockIdx.x * k + i) * 256 + t];
    __syncthreads();
    sum += stage[now][t ^ 1];
    now = (now + 1) % 2;
  }
  out[blockIdx.x * 256 + t] = sum;
}

int main() {
  float *a, *b;
  cudaMalloc(&a, 4L << 24);
  cudaMalloc(&b, 4L << 20);
  stages<<<512, 256, 8192>>>(a, b, 32);
  apart<<<512, 256>>>(a, b, 32);
}
