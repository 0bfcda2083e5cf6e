// Launches of a loop of which there is the same to say are shown once, with what
// they differ in; documents have each.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s --check-prefix=TEXT
// TEXT:      {{^}}advance(float*, float, int)
// TEXT-NEXT:   predicted {{.*}} understood; the same for 8 launches with step 0 to 7
// TEXT-NOT:  for advance
// TEXT:      {{^}}shift(float*, int)
// TEXT-NEXT:   predicted {{.*}} understood{{$}}
// TEXT:      {{^}}shift(float*, int)
// TEXT-NEXT:   predicted {{.*}} understood{{$}}

// RUN: auspex predict %s --gpu A100-40GB --format=json | FileCheck %s --check-prefix=JSON
// JSON:       "kernel": "_Z7advancePffi"
// JSON:       "arg2": 0
// JSON:       "kernel": "_Z7advancePffi"
// JSON:       "arg2": 1
// JSON-COUNT-6: "kernel": "_Z7advancePffi"

// RUN: %clang_cuda_device -O2 -S %s -o /dev/null %clang_plugin \
// RUN:   -Rpass-analysis=auspex 2>&1 | FileCheck %s --check-prefix=REMARKS
// REMARKS:     remark: predicted {{.*}} for advance on {{.*}}; the same for 8 launches with step 0 to 7
// REMARKS-NOT: for advance on

__global__ void advance(float *x, float dt, int step) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += dt * step;
}

// Where it writes hangs on the argument.
__global__ void shift(float *x, int by) {
  x[(blockIdx.x * blockDim.x + threadIdx.x) * by] = 0;
}

void run(float *x, float dt) {
  for (int step = 0; step < 8; ++step)
    advance<<<1000, 256>>>(x, dt, step);
  for (int by = 1; by <= 8; by *= 8)
    shift<<<1000, 256>>>(x, by);
}
