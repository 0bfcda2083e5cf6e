// A fence empties L1, so that each turn asks L2 for everything anew, like loads
// that go past L1; a barrier does not. Pascal's fences leave L1 alone.

// RUN: auspex predict %s --gpu=a100-sxm4-40gb | FileCheck %s
// RUN: auspex predict %s --gpu=p100 -- --cuda-gpu-arch=sm_60 \
// RUN:   | FileCheck %s --check-prefix=PASCAL

// CHECK: predicted {{.*}} fence
// CHECK: x loads {{.*}}268 MB {{.*}}268 MB {{.*}}4.19 MB
// CHECK: predicted {{.*}} past
// CHECK: x loads {{.*}}268 MB {{.*}}268 MB {{.*}}4.19 MB
// CHECK: predicted {{.*}} barrier
// CHECK: x loads {{.*}}268 MB {{.*}}4.19 MB {{.*}}4.19 MB
// CHECK: predicted {{.*}} once
// CHECK: x loads {{.*}}268 MB {{.*}}4.19 MB {{.*}}4.19 MB

// PASCAL: x loads {{.*}}268 MB {{.*}}4.28 MB {{.*}}4.19 MB

template <typename Turn> __device__ void turns(float *y, int n, Turn turn) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += turn(i);
    y[i] = sum;
  }
}

__global__ void fence(const float *x, float *y, int n) {
  turns(y, n, [=](int i) {
    __threadfence();
    return x[i];
  });
}

__global__ void past(const float *x, float *y, int n) {
  turns(y, n, [=](int i) { return __ldcg(&x[i]); });
}

__global__ void barrier(const float *x, float *y, int n) {
  turns(y, n, [=](int i) {
    __syncthreads();
    return x[i];
  });
}

__global__ void once(const float *x, float *y, int n) {
  __threadfence();
  turns(y, n, [=](int i) {
    __syncthreads();
    return x[i];
  });
}

int main() {
  constexpr int N = 1 << 20;
  float *x, *y;
  cudaMalloc(&x, N * sizeof(float));
  cudaMalloc(&y, N * sizeof(float));
  fence<<<N / 256, 256>>>(x, y, 64);
  past<<<N / 256, 256>>>(x, y, 64);
  barrier<<<N / 256, 256>>>(x, y, 64);
  once<<<N / 256, 256>>>(x, y, 64);
}
