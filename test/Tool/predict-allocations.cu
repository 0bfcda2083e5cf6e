// Data pick from an array, of which the source or the launch says how large it
// is. Of other arguments than the source's, its sizes say nothing.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100 | tr -s " " | FileCheck %s
// CHECK: pick(
// CHECK: {{^ *}}table loads 65.5 kB 65.{{[0-9]}} kB

// RUN: auspex predict %s --gpu A100 --launch 'pick=shared:0' | tr -s " " | FileCheck %s
// RUN: auspex predict %s --gpu A100 --launch 'pick=n=7' \
// RUN:   | tr -s " " | FileCheck %s --check-prefix=OTHER
// OTHER: {{^ *}}table loads 65.5 kB 524 kB

// RUN: echo '{launches: [{kernel: pick, grid: 64, objectsInBytes: {table: 32}}]}' > %t.yaml
// RUN: auspex predict %s --gpu A100 --launches %t.yaml | tr -s " " | FileCheck %s --check-prefix=STATED
// STATED: {{^ *}}table loads 65.5 kB 16.4 kB
// RUN: echo '{launches: [{kernel: pick, objectsInBytes: {n: 32}}]}' > %t.yaml
// RUN: not auspex predict %s --gpu A100 --launches %t.yaml 2>&1 \
// RUN:   | tr -s " " | FileCheck %s --check-prefix=WRONG
// WRONG: pick: n: it is no pointer; its pointers are index (arg0), table (arg1) and out (arg2)
// RUN: echo '{launches: [{kernel: pick, objectsInBytes: {tabel: 32}}]}' > %t.yaml
// RUN: not auspex predict %s --gpu A100 --launches %t.yaml 2>&1 \
// RUN:   | tr -s " " | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: pick: tabel: the kernel has no such argument; its pointers are index (arg0), table (arg1) and out (arg2)

// Atomics are taken to be on few words, unless it is known what they pick from.
// RUN: auspex predict %s --gpu A100 | tr -s " " | FileCheck %s --check-prefix=ATOMICS
// ATOMICS: scatter(
// ATOMICS: {{^ *}}bins loads 67.1 MB 537 MB 537 MB 1.0{{[0-9]}} GB
// RUN: echo '{launches: [{kernel: scatter, grid: 65536, block: 256, objectsInBytes: {bins: 4096}}]}' > %t.yaml
// RUN: auspex predict %s --gpu A100 --launches %t.yaml | tr -s " " | FileCheck %s --check-prefix=FEW
// FEW: {{^ *}}bins loads 67.1 MB {{[0-9]+}} MB {{[0-9]+}} MB 4.1 kB

__global__ void scatter(const int *index, float *bins) {
  atomicAdd(bins + index[blockIdx.x * blockDim.x + threadIdx.x], 1.0f);
}

__global__ void pick(const int *index, const float *table, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[index[i]];
}

void run(const int *index, float *out) {
  float *table;
  cudaMalloc(&table, 32 * sizeof(float));
  pick<<<64, 256>>>(index, table, out, 32);
  float *bins;
  cudaMalloc(&bins, 1ull << 32);
  scatter<<<65536, 256>>>(index, bins);
}
