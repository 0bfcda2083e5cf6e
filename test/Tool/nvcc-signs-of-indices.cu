// For nvcc before 10.0 the index of a thread may have a sign once it is an int,
// and so may what is counted on from there: a quotient and a remainder by 32 are
// put right for numbers below 0. On Blackwell its optimiser knows better.
// Shifts, logic, integer additions and multiplications of 2048 elements by 256
// threads:
// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB
// RUN: %python -c "import json; \
// RUN:   [print(p['demangled'].split('(')[0], \
// RUN:    round(sum(p['inputs']['operational']['mix'].get(c, 0) \
// RUN:      for c in ('shift', 'logic', 'int_add', 'int_mul')))) \
// RUN:    for p in json.load(open(r'%t.json'))['predictions']]" \
// RUN:   | FileCheck %s
// CHECK: tile 7{{[0-9]}}
// RUN: auspex predict %s --format=json -o %t.json --gpu B200
// RUN: %python -c "import json; \
// RUN:   [print(p['demangled'].split('(')[0], \
// RUN:    round(sum(p['inputs']['operational']['mix'].get(c, 0) \
// RUN:      for c in ('shift', 'logic', 'int_add', 'int_mul')))) \
// RUN:    for p in json.load(open(r'%t.json'))['predictions']]" \
// RUN:   | FileCheck %s --check-prefix=NEWER
// NEWER: tile 6{{[0-9]}}

__global__ void tile(const int *in, int *out) {
  for (int i = threadIdx.x; i < 2048; i += 256)
    out[i / 32 * 40 + i % 32] = in[i];
}

void run(const int *in, int *out) {
  tile<<<1024, 256>>>(in, out);
}
