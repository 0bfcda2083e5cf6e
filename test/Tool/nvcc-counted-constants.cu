// From 7.5 on constants that a loop counts through, which all lanes leave
// together, go to uniform registers; where lanes leave apart, and before, they
// are loads of each lane. Two words of eight bytes are one load. Of 16 turns,
// four words each: loads of lanes, loads of warps.
// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB --gpu V100-PCIe
// RUN: %python -c "import json; \
// RUN:   [print(p['gpu'], p['demangled'].split('(')[0], \
// RUN:    *[round(p['inputs']['operational']['mix'].get(c, 0)) \
// RUN:      for c in ('load_constant', 'fetch_constant')]) \
// RUN:    for p in json.load(open(r'%t.json'))['predictions']]" \
// RUN:   | FileCheck %s
// CHECK-DAG: A100-40GB together 0 32
// CHECK-DAG: A100-40GB apart 32 0
// CHECK-DAG: V100-PCIe together 32 0
// CHECK-DAG: V100-PCIe apart 32 0

struct Sphere {
  float x, y, z, radius;
};
__constant__ Sphere spheres[64];

__device__ float nearest(float a, int n) {
  float least = 1e30f;
  for (int k = 0; k < n; ++k) {
    float x = a - spheres[k].x, y = a - spheres[k].y, z = a - spheres[k].z;
    least = fminf(least, x * x + y * y + z * z - spheres[k].radius);
  }
  return least;
}

__global__ void together(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = nearest(in[i], n);
}

__global__ void apart(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = nearest(in[i], n - (threadIdx.x & 1) * 8);
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 1 << 22);
  cudaMalloc(&out, 1 << 22);
  together<<<4096, 256>>>(in, out, 16);
  apart<<<4096, 256>>>(in, out, 16);
  cudaDeviceSynchronize();
}
