// A private array that data index stays in registers, if the places it may be
// accessed at are no more than the instructions around, weighed by loops; a
// large one also has to be loaded from often. What ptxas 11.8 does with each of
// these kernels, in bytes of local memory accesses a thread:
// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB
// RUN: %python -c "import json; \
// RUN:   [print(p['demangled'].split('(')[0], \
// RUN:    sum(o['usefulLoadInBytes'] + o['usefulStoreInBytes'] \
// RUN:      for o in p['traffic']['objects'] \
// RUN:      if o['name'] == 'local memory') > 0) \
// RUN:    for p in json.load(open(r'%t.json'))['predictions']]" \
// RUN:   | FileCheck %s
// CHECK-DAG: void few<0> True
// CHECK-DAG: void few<20> False
// CHECK-DAG: nearest False
// CHECK-DAG: void large<0> True
// CHECK-DAG: void large<90> True
// CHECK-DAG: void wide<2> False
// CHECK-DAG: void wide<6> True
// CHECK-DAG: constants False

template <int Words, int Work>
__device__ void accumulate(const float *in, const int *index, float *out, int n,
                           float r) {
  float sums[Words];
#pragma unroll
  for (int k = 0; k < Words; ++k)
    sums[k] = in[k];
  float x = in[threadIdx.x + 100];
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    x += in[i];
    sums[index[8 * i]] += x;
    sums[index[8 * i + 1]] += x;
#pragma unroll
    for (int k = 0; k < Work; ++k)
      x = x * x + r;
  }
  float sum = x;
#pragma unroll
  for (int k = 0; k < Words; ++k)
    sum += sums[k] * k;
  out[threadIdx.x] = sum;
}

template <int Work>
__global__ void few(const float *in, const int *index, float *out, int n,
                    float r) {
  accumulate<8, Work>(in, index, out, n, r);
}

template <int Work>
__global__ void large(const float *in, const int *index, float *out, int n,
                      float r) {
  accumulate<32, Work>(in, index, out, n, r);
}

// Accessed four words wide, and four of its elements a turn.
template <int Work>
__global__ void wide(const float *in, float *out, int n) {
  float sums[32];
#pragma unroll
  for (int k = 0; k < 32; ++k)
    sums[k] = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    float x = in[i];
#pragma unroll 4
    for (int j = 0; j < 32; ++j) {
      float t = x;
#pragma unroll
      for (int k = 0; k < Work; ++k)
        t = t * t + x;
      sums[j] += t;
      x += 1.5f;
    }
  }
#pragma unroll
  for (int k = 0; k < 32; ++k)
    out[threadIdx.x + k * 1024] = sums[k];
}

// The nearest point of each octant.
__global__ void nearest(const float *xyz, int *out, int n, float farthest) {
  float least[8];
  for (int k = 0; k < 8; ++k)
    least[k] = farthest;
  float x = xyz[3 * threadIdx.x], y = xyz[3 * threadIdx.x + 1],
        z = xyz[3 * threadIdx.x + 2];
  for (int i = 0; i < n; ++i) {
    float dx = xyz[3 * i] - x, dy = xyz[3 * i + 1] - y,
          dz = xyz[3 * i + 2] - z;
    float distance = dx * dx + dy * dy + dz * dz;
    if (distance > farthest)
      continue;
    int octant = 4 * (dx > 0) + 2 * (dy > 0) + (dz > 0);
    if (distance < least[octant]) {
      out[8 * threadIdx.x + octant] = i;
      least[octant] = distance;
    }
  }
}

__global__ void constants(const int *index, float *out, int n) {
  const float table[8] = {1.5f, 2.25f, 5.5f, 10.25f, 17.5f, 26.25f, 37, 50};
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i)
    sum += table[index[i]];
  out[threadIdx.x] = sum;
}

void run(const float *in, const int *index, float *out, int *ints) {
  few<0><<<1024, 256>>>(in, index, out, 100, 2);
  few<20><<<1024, 256>>>(in, index, out, 100, 2);
  nearest<<<1024, 256>>>(in, ints, 100, 4);
  large<0><<<1024, 256>>>(in, index, out, 100, 2);
  large<90><<<1024, 256>>>(in, index, out, 100, 2);
  wide<2><<<1024, 256>>>(in, out, 100);
  wide<6><<<1024, 256>>>(in, out, 100);
  constants<<<1024, 256>>>(index, out, 100);
}
