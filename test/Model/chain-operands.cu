// Of a chain of dependences, the arithmetic that reads three registers: where
// pipes share a register file, it has half the rate (operational.md, chains).

// REQUIRES: plugins
// RUN: auspex predict %s --format=json --gpu H200 -o %t.json \
// RUN:   --launch 'sums=grid:1000,block:256,steps=256' \
// RUN:   --launch 'scaled=grid:1000,block:256,steps=256' \
// RUN:   --launch 'products=grid:1000,block:256,steps=256' \
// RUN:   --launch 'doubles=grid:1000,block:256,steps=256'
// RUN: %python -c "import json; [print(p['demangled'].split('(')[0], \
// RUN:   p['inputs']['operational']['three_operands']) \
// RUN:   for p in json.load(open(r'%t.json'))['predictions']]" | FileCheck %s

// CHECK-DAG: sums {}
__global__ void sums(float *x, int steps) {
  float value = x[threadIdx.x], more = x[threadIdx.x + 1];
  for (int i = 0; i < steps; ++i)
    value = value - more;
  x[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// The factor is in constant memory.
// CHECK-DAG: scaled {}
__global__ void scaled(float *x, float factor, int steps) {
  float value = x[threadIdx.x], more = x[threadIdx.x + 1];
  for (int i = 0; i < steps; ++i)
    value = value * factor + more;
  x[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// CHECK-DAG: products {'fp32': 256}
__global__ void products(float *x, int steps) {
  float value = x[threadIdx.x], factor = x[threadIdx.x + 1];
  float more = x[threadIdx.x + 2];
  for (int i = 0; i < steps; ++i)
    value = value * factor + more;
  x[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// Doubles are in registers, arguments too.
// CHECK-DAG: doubles {'fp64': 256}
__global__ void doubles(double *x, double factor, int steps) {
  double value = x[threadIdx.x], more = x[threadIdx.x + 1];
  for (int i = 0; i < steps; ++i)
    value = value * factor + more;
  x[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
