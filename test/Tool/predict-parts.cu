// Parts of an element that a lane takes one by one are another matter than
// lanes that are far apart.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK-LABEL: members(
// CHECK-COUNT-4: a lane takes 4 parts of an element one by one, which an access of 16 B has at once
// CHECK-LABEL: twoOfFour(
// CHECK-COUNT-2: neighbouring threads do not read or write neighbouring addresses
// CHECK-LABEL: points(
// CHECK-COUNT-3: a lane takes 3 parts of an element one by one, and no access has its 12 B at once; an array for each part has its lanes side by side
// CHECK-LABEL: rows(
// CHECK: neighbouring threads do not read or write neighbouring addresses

struct Element {
  float x, y, z, w;
};

__global__ void members(const Element *p, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = p[i].x * p[i].y + p[i].z * p[i].w;
}

__global__ void twoOfFour(const Element *p, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = p[i].x * p[i].w;
}

struct Point {
  float x, y, z;
};

__global__ void points(const Point *p, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = p[i].x * p[i].y + p[i].z;
}

__global__ void rows(const float *p, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += p[64 * i + k];
  out[i] = sum;
}

void run(const Element *p, float *out) {
  members<<<65536, 256>>>(p, out);
  twoOfFour<<<65536, 256>>>(p, out);
  points<<<65536, 256>>>((const Point *)p, out);
  rows<<<65536, 256>>>((const float *)p, out);
}
