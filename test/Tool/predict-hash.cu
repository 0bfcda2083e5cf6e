// A hash modulo the size of a table stays within the table.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB | tr -s " " | FileCheck %s
// CHECK: table loads 8.39 MB 67.1 MB 67.1 MB 4.19 MB
// CHECK: table loads 8.39 MB 67.1 MB {{[0-9.]+}} MB 262 kB

__global__ void look(const int *table, int *out, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned hash = i * 2654435761u;
  hash ^= hash >> 15;
  out[i] = table[hash % n];
}

void run(const int *table, int *out) {
  look<<<8192, 256>>>(table, out, 1 << 20);
  look<<<8192, 256>>>(table, out, 1 << 16);
}
