// What a block goes over again after more than its SM's L1 holds comes from L2,
// and of more than L2 holds from DRAM: four passes over 400 MB are 1.6 GB. In
// rows of 8 kB a block finds the second pass in L1.
//
// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB --format=json > %t.json
// RUN: %python -c "import json; [print(p['demangled'].split('(')[0], \
// RUN:   *(round(sum(o[k] for o in p['traffic']['objects']) / 1e6) \
// RUN:     for k in ('l2LoadInBytes', 'dramLoadInBytes'))) \
// RUN:   for p in json.load(open('%t.json'))['predictions']]" | FileCheck %s

#pragma auspex launch(grid:864,block:256,n=100000000)
// CHECK: passes 1600 1600
__global__ void passes(const float *in, float *out, int n) {
  float sum = 0;
  int first = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int pass = 0; pass < 4; ++pass)
    for (int i = first; i < n; i += gridDim.x * blockDim.x)
      sum += in[i];
  out[first] = sum;
}

#pragma auspex launch(grid:20000,block:256,columns=2048)
// CHECK: rows 16{{[3-6]}} 16{{[3-6]}}
__global__ void rows(const float *in, float *out, int columns) {
  const float *row = in + (size_t)blockIdx.x * columns;
  float most = 0, sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    most = fmaxf(most, row[i]);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    sum += __expf(row[i] - most);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
