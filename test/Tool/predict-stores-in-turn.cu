// Stores to shared memory are joined if no other access to shared memory stands
// between them, as ptxas does it; LLVM joins those to two arrays too.

// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s

__device__ float sumOf(const float (&rows)[32][64]) {
  float sum = 0;
  for (int k = 0; k < 32; ++k)
    sum += rows[k][threadIdx.x];
  return sum;
}

// CHECK-LABEL: {{^}}afterEachOther(float*)
// CHECK-DAG:   :[[#@LINE+7]]:{{.*}} shared store of 16 B a lane
// CHECK-DAG:   :[[#@LINE+9]]:{{.*}} shared store of 16 B a lane
__global__ void afterEachOther(float *out) {
  __shared__ float a[32][64], b[32][64];
  float x = out[threadIdx.x];
#pragma unroll
  for (int k = 0; k < 64; ++k)
    a[threadIdx.x][k] = x * k;
#pragma unroll
  for (int k = 0; k < 64; ++k)
    b[threadIdx.x][k] = x + k;
  __syncthreads();
  out[threadIdx.x] = sumOf(a) * sumOf(b);
}

// Between loads from global memory too.
//
// CHECK-LABEL: {{^}}copied(float const*, float*)
// CHECK:       :[[#@LINE+5]]:{{.*}} shared store of 16 B a lane
__global__ void copied(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float a[32][64];
#pragma unroll
  for (int k = 0; k < 64; ++k)
    a[threadIdx.x][k] = in[threadIdx.x * 64 + k];
  __syncthreads();
  out[threadIdx.x] = sumOf(a);
}

// CHECK-LABEL: {{^}}inTurn(float*)
// CHECK-NOT:   shared store of 16 B
// CHECK-DAG:   :[[#@LINE+7]]:{{.*}} shared store of 4 B a lane
// CHECK-DAG:   :[[#@LINE+7]]:{{.*}} shared store of 4 B a lane
__global__ void inTurn(float *out) {
  __shared__ float a[32][64], b[32][64];
  float x = out[threadIdx.x];
#pragma unroll
  for (int k = 0; k < 64; ++k) {
    a[threadIdx.x][k] = x * k;
    b[threadIdx.x][k] = x + k;
  }
  __syncthreads();
  out[threadIdx.x] = sumOf(a) * sumOf(b);
}

// CHECK-LABEL: {{^}}pairs(float*)
// CHECK-DAG:   :[[#@LINE+8]]:{{.*}} shared store of 8 B a lane
// CHECK-DAG:   :[[#@LINE+9]]:{{.*}} shared store of 8 B a lane
__global__ void pairs(float *out) {
  __shared__ float a[32][64], b[32][64];
  float x = out[threadIdx.x];
#pragma unroll
  for (int k = 0; k < 64; k += 2) {
    a[threadIdx.x][k] = x * k;
    a[threadIdx.x][k + 1] = x * k + 1;
    b[threadIdx.x][k] = x + k;
    b[threadIdx.x][k + 1] = x - k;
  }
  __syncthreads();
  out[threadIdx.x] = sumOf(a) * sumOf(b);
}

int main() {
  float *out;
  cudaMalloc(&out, 1 << 20);
  afterEachOther<<<1, 32>>>(out);
  copied<<<1, 32>>>(out + 4096, out);
  inTurn<<<1, 32>>>(out);
  pairs<<<1, 32>>>(out);
}
