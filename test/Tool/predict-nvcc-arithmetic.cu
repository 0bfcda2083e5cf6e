// atomicCAS() has no fence, and the reciprocal of a constant is a constant.

// RUN: auspex predict %s --gpu A100-40GB --format=json | FileCheck %s --implicit-check-not='"fence"' --implicit-check-not='"sfu"'
// CHECK: "_Z8seventhsPf"
// CHECK: "fp32": 5
// CHECK: "_Z4takePiS_"
// CHECK: "atomic_global": 1
__global__ void sevenths(float *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] /= 7.0f;
}
__global__ void take(int *owner, int *found) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  found[i] = atomicCAS(owner, i, 7);
}
int main() {
  float *x;
  cudaMalloc(&x, 1 << 20);
  sevenths<<<64, 256>>>(x);
  take<<<64, 256>>>(reinterpret_cast<int *>(x), reinterpret_cast<int *>(x));
}
