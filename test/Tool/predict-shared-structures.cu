// Structures of words are copied to and from shared arrays in pieces as wide as
// each side is aligned: nvcc joins what is in shared memory.

// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s

struct Two {
  float a;
  int b;
};
struct Four {
  float x, y, z, w;
};
struct Six {
  float v[6];
};
template <class T> __global__ void reverse(const T *in, T *out) {
  __shared__ T values[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = values[255 - threadIdx.x];
}
// CHECK-LABEL: {{^}}void reverse<Six>(
// CHECK:       : load of 4 B a lane
// CHECK:       shared store of 8 B a lane
// CHECK:       shared load of 8 B a lane
// CHECK-LABEL: {{^}}void reverse<Four>(
// CHECK:       : load of 4 B a lane
// CHECK:       shared store of 16 B a lane
// CHECK:       shared load of 16 B a lane
// CHECK-LABEL: {{^}}void reverse<Two>(
// CHECK:       : load of 4 B a lane
// CHECK:       shared store of 8 B a lane
// CHECK:       shared load of 8 B a lane
int main() {
  void *values;
  cudaMalloc(&values, 1 << 24);
  auto run = [&]<class T>(T) {
    auto *elements = static_cast<T *>(values);
    reverse<T><<<256, 256>>>(elements, elements + 65536);
  };
  run(Six());
  run(Four());
  run(Two());
}
