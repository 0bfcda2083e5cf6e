// Launches that differ only in how large the table is that data pick from are
// told apart; in how large others are, not.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100 | tr -s " " | FileCheck %s
// CHECK: predicted {{.*}} from the source (predict-two-tables.cu:[[#@LINE+17]])
// CHECK: {{^ *}}table loads 4.19 MB {{[0-9.]+}} MB {{[0-9.]+}} kB 4.1 kB
// CHECK: predicted {{.*}} from the source (predict-two-tables.cu:[[#@LINE+16]])
// CHECK: {{^ *}}table loads 4.19 MB 33.6 MB 33.6 MB {{[0-9.]+}} MB
// CHECK-NOT: predicted

__global__ void look(const int *index, const float *table, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[index[i]];
}

int main() {
  int *index;
  float *few, *many, *out, *longer;
  cudaMalloc(&index, 1 << 22), cudaMalloc(&few, 4096);
  cudaMalloc(&many, 1 << 30), cudaMalloc(&out, 1 << 22);
  cudaMalloc(&longer, 1 << 23);
  look<<<4096, 256>>>(index, few, out);
  look<<<4096, 256>>>(index, many, out);
  look<<<4096, 256>>>(index, few, longer);
}
