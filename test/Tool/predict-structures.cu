// Members of one structure share their sectors: to read one of two otherwise
// gains nothing, both of them much.

// RUN: auspex predict %s --gpu RTX-3080 | FileCheck %s

// CHECK-COUNT-2: without all 2 such accesses of the array 13{{[0-9.]+}} us (6{{[0-9.]+}} %) less [UncoalescedAccess]
struct Particle {
  float x, y, z, vx, vy, vz, m, q;
};

__global__ void momentum(const Particle *p, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = p[i].vx * p[i].m;
}

int main() {
  int n = 1 << 22;
  Particle *p;
  float *out;
  cudaMalloc(&p, n * sizeof(Particle));
  cudaMalloc(&out, n * 4);
  momentum<<<n / 256, 256>>>(p, out, n);
}
