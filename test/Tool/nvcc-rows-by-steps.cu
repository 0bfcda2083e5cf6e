// Rows that threads go through by the size of the block: the copies of a turn
// reach the next element by an addition of the step, one IMAD.WIDE each. A loop
// by a variable step that has inline assembly in it, or what a warp does
// together, is not copied. (On Blackwell, with a newer optimiser, each element
// is reached from the row, and all are copied.)
// Integer additions and multiplications, and branches, for 64 elements:
// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB
// RUN: %python %S/Inputs/classes.py %t.json int_add int_mul control | FileCheck %s
// CHECK-DAG: sum {{1[01][0-9]}} {{[56][0-9]}} {{2[0-9]}}
// CHECK-DAG: scale {{1[0-9][0-9]}} {{1[0-9][0-9]}} {{2[0-9]}}
// CHECK-DAG: withAssembly {{3[0-9][0-9]}} {{[0-9]}} 68
// CHECK-DAG: withShuffle {{3[0-9][0-9]}} {{[0-9]}} 68
// CHECK-DAG: byConstant {{[0-9]+}} {{[0-9]+}} 17
// RUN: auspex predict %s --format=json -o %t.json --gpu B200
// RUN: %python %S/Inputs/classes.py %t.json int_add int_mul control | FileCheck %s --check-prefix=NEWER
// NEWER-DAG: sum {{[34][0-9][0-9]}} {{[0-9]+}} {{2[0-9]}}
// NEWER-DAG: withAssembly {{[34][0-9][0-9]}} {{[0-9]+}} {{2[0-9]}}

__global__ void sum(float *out, const float *in, int n) {
  const float *row = in + blockIdx.x * n;
  float total = 0;
  int step = blockDim.x;
  for (int i = threadIdx.x; i < n; i += step)
    total += row[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

__global__ void scale(float *out, const float *in, int n) {
  const float *from = in + blockIdx.x * n;
  float *to = out + blockIdx.x * n;
  int step = blockDim.x;
  for (int i = threadIdx.x; i < n; i += step)
    to[i] = 2 * from[i];
}

__global__ void withAssembly(float *out, const float *in, int n) {
  const float *row = in + blockIdx.x * n;
  float total = 0;
  int step = blockDim.x;
  for (int i = threadIdx.x; i < n; i += step) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(row[i]));
    total += power;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

__global__ void withShuffle(float *out, const float *in, int n) {
  const float *row = in + blockIdx.x * n;
  float total = 0;
  int step = blockDim.x;
  for (int i = threadIdx.x; i < n; i += step)
    total += __shfl_xor_sync(~0u, row[i], 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

__global__ void byConstant(float *out, const float *in, int n) {
  const float *row = in + blockIdx.x * n;
  float total = 0;
  for (int i = threadIdx.x; i < n; i += 128) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(row[i]));
    total += power;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

void run(float *out, const float *in) {
  sum<<<4096, 128>>>(out, in, 8192);
  scale<<<4096, 128>>>(out, in, 8192);
  withAssembly<<<4096, 128>>>(out, in, 8192);
  withShuffle<<<4096, 128>>>(out, in, 8192);
  byConstant<<<4096, 128>>>(out, in, 8192);
}
