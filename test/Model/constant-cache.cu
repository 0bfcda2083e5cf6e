// Constant memory gives a load one word after the other: the same for all lanes
// is one, a word for each lane are 32, and bytes that data choose of a table of
// 64 words are 25.3 on average. A place that is known when the kernel is
// compiled is an operand.

// REQUIRES: plugins
// RUN: auspex predict %s --format=json --gpu V100-PCIe -o %t.json \
// RUN:   --launch 'same=grid:80,block:256,n=100' \
// RUN:   --launch 'apart=grid:80,block:256' --launch 'pairs=grid:80,block:256' \
// RUN:   --launch 'chosen=grid:80,block:256' --launch 'operand=grid:80,block:256'
// RUN: %python -c "import json; [print(p['demangled'].split('(')[0], \
// RUN:   round(p['inputs']['operational'].get('constant_words', 0), 1), \
// RUN:   sum(round(s['demandInCycles'], 1) for s in p['stations'] \
// RUN:       if s['name'] == 'constant cache')) \
// RUN:   for p in json.load(open(r'%t.json'))['predictions']]" | FileCheck %s

__constant__ float weights[256];
__constant__ double pairsOfWords[32];
__constant__ unsigned char table[256];

// CHECK-DAG: same 100 200{{$}}
__global__ void same(float *out, int n) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i)
    sum += weights[i];
  out[threadIdx.x] = sum;
}
// CHECK-DAG: apart 32 64{{$}}
__global__ void apart(float *out) { out[threadIdx.x] = weights[threadIdx.x]; }
// CHECK-DAG: pairs 16 32{{$}}
__global__ void pairs(double *out) {
  out[threadIdx.x] = pairsOfWords[threadIdx.x % 16];
}
// CHECK-DAG: chosen 25.3 50.7{{$}}
__global__ void chosen(unsigned char *out, const unsigned char *in) {
  out[threadIdx.x] = table[in[threadIdx.x]];
}
// CHECK-DAG: operand 0 0{{$}}
__global__ void operand(float *out) { out[threadIdx.x] = weights[7]; }
