// Where places that data pick lie side by side all the same: what lanes put
// behind a counter they all add to, however few of them do, and segments that
// are copied each to a place of its own.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s

struct Pair {
  int key, value;
};

__global__ void keep(const Pair *in, Pair *kept, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i].key != -1)
    kept[atomicAdd(count, 1)] = in[i];
}

__global__ void copySegments(const int *in, const int *segment,
                             const int *places, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[places[segment[i]] + threadIdx.x] = in[i];
}

__global__ void permute(const int *in, const int *places, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[places[i]] = in[i];
}

int main() {
  int *p;
  cudaMalloc(&p, 1 << 26);
  keep<<<65536, 256>>>((Pair *)p, (Pair *)p, p);
  copySegments<<<65536, 256>>>(p, p, p, p);
  permute<<<65536, 256>>>(p, p, p);
}

// CHECK-LABEL: keep(
// CHECK: kept stores {{ *}}134 MB {{ *}}268 MB {{ *}}134 MB
// CHECK-LABEL: copySegments(
// CHECK: out stores {{ *}}67.1 MB {{ *}}67.1 MB
// CHECK-LABEL: permute(
// CHECK: out stores {{ *}}67.1 MB {{ *}}537 MB
