// Conversions that ptxas 13 makes one with others: F2I rounds either way, I2F
// reads a byte of a register, with its sign since 8.6 alone, and a permutation
// takes the lower half of what was not extended. What a load extends with zeros
// has 32 bits for I2FP.

// REQUIRES: plugins
// RUN: auspex predict %s --format=json --gpu RTX-2080-Ti \
// RUN:   --launch rounds=grid:1,block:32 --kernel rounds \
// RUN:   | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: "convert": 4,

// RUN: auspex predict %s --format=json --gpu RTX-2080-Ti \
// RUN:   --launch bytes=grid:1,block:32 --kernel bytes \
// RUN:   | FileCheck %s --check-prefix=BEFORE
// BEFORE: "convert": 9,

// RUN: auspex predict %s --format=json --gpu RTX-3080 \
// RUN:   --launch bytes=grid:1,block:32 --kernel bytes \
// RUN:   | FileCheck %s --check-prefix=SINCE
// SINCE: "convert": 4,
// SINCE: "convert_narrow": 5,
// SINCE: "logic": 4,

// RUN: auspex predict %s --format=json --gpu RTX-3080 \
// RUN:   --launch packs=grid:1,block:32 --kernel packs \
// RUN:   | FileCheck %s --check-prefix=PACKS
// PACKS: "convert": 4,
// PACKS: "logic": 3,

__global__ void rounds(const float *x, int *i, float *f) {
  float value = x[threadIdx.x];
  i[threadIdx.x] = (int)floorf(value);
  i[threadIdx.x + 32] = (int)ceilf(value);
  // Needed as it is too.
  float whole = rintf(value);
  f[(int)whole] = value - whole;
}

__global__ void bytes(const uchar4 *x, const char4 *y, const unsigned char *z,
                      float *f) {
  uchar4 a = x[threadIdx.x];
  char4 b = y[threadIdx.x];
  f[threadIdx.x] = a.x * 0.5f + a.y * 0.25f + a.z * 3.f + a.w * 0.125f +
                   b.x * 0.1f + b.y * 0.2f + b.z * 5.f + b.w * 0.3f +
                   z[threadIdx.x] * 7.f;
}

__global__ void packs(const float4 *x, uchar4 *y) {
  float4 value = x[threadIdx.x];
  y[threadIdx.x] = make_uchar4(value.x, value.y, value.z, value.w);
}

// What saturates is arithmetic, or an addition of its own.
// RUN: auspex predict %s --format=json --gpu RTX-3080 --kernel saturates \
// RUN:   --launch saturates=grid:1,block:32 \
// RUN:   | FileCheck %s --check-prefix=SATURATES
// SATURATES-NOT: "compare"
// SATURATES: "fp32": 5,

__global__ void saturates(const float *x, float *y) {
  float value = x[threadIdx.x];
  y[threadIdx.x] = fminf(fmaxf(value, 0.f), 1.f);
  y[threadIdx.x + 32] = fmaxf(fminf(value + 3.f, 1.f), 0.f);
  y[threadIdx.x + 64] = __saturatef(value);
  y[threadIdx.x + 96] = __saturatef(value * 3.f);
  y[threadIdx.x + 128] = __saturatef(value * 5.f + 1.f);
}
