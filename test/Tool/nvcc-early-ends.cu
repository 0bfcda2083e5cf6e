// A loop that data may end before its counter does is unrolled whole by nvcc
// only if it is short, and by a count otherwise; its turns stay open.

// REQUIRES: plugins
// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB \
// RUN:   --launch 'escapes<16>=grid:128,block:256' \
// RUN:   --launch 'escapes<256>=grid:128,block:256'
// RUN: %python -c "import json; [print(p['demangled'].split('(')[0], \
// RUN:   [(loop['iterations'], loop['unroll']) for loop in p['loops']], \
// RUN:   len(p['timeRangeInUs'])) \
// RUN:   for p in json.load(open(r'%t.json'))['predictions']]" | FileCheck %s

// CHECK-DAG: void escapes<16> [] 2
// CHECK-DAG: void escapes<256> [(128, {{8|16}})] 2
template <int turns> __global__ void escapes(const float *c, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, turn;
  float x = 0, y = 0, step = c[i];
  for (turn = 0; turn < turns; ++turn) {
    if (x * x + y * y >= 4)
      break;
    float next = x * x - y * y + step;
    y = 2 * x * y + step;
    x = next;
  }
  count[i] = turn;
}
template __global__ void escapes<16>(const float *, int *);
template __global__ void escapes<256>(const float *, int *);
