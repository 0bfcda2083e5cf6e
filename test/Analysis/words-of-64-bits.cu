// Of shifts and logic of 64 bits nothing is done for a word that is 0, another
// one, or of no use, and one IMAD.WIDE gives both halves of a product (ptxas
// 13).

// REQUIRES: plugins
// RUN: auspex predict %s --format=json --gpu RTX-3080 --kernel hash \
// RUN:   --launch hash=grid:1,block:32 | FileCheck %s --check-prefix=HASH
// HASH: "int_add": 2,
// HASH: "int_mul": 7,
// HASH: "logic": 3,
// HASH: "shift": 3,

// RUN: auspex predict %s --format=json --gpu RTX-3080 --kernel upper \
// RUN:   --launch upper=grid:1,block:32 | FileCheck %s --check-prefix=UPPER
// UPPER: "logic": 1,
// UPPER: "shift": 2,

// RUN: auspex predict %s --format=json --gpu RTX-3080 --kernel both \
// RUN:   --launch both=grid:1,block:32 | FileCheck %s --check-prefix=BOTH
// BOTH: "int_mul": 4,

typedef unsigned long long Number;

__global__ void hash(Number *data) {
  Number h = data[threadIdx.x];
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdULL;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53ULL;
  h ^= h >> 33;
  data[threadIdx.x] = h;
}

__global__ void upper(const Number *in, unsigned *out) {
  Number h = in[threadIdx.x];
  out[threadIdx.x] = (unsigned)((h >> 45) ^ (h >> 27));
}

// Two pointers, and the product on both sides.
__global__ void both(const unsigned *in, uint4 *out) {
  unsigned n = in[threadIdx.x];
  out[threadIdx.x] = make_uint4(__umulhi(0xD2511F53u, n), 0xD2511F53u * n,
                                n * 0xCD9E8D57u, __umulhi(n, 0xCD9E8D57u));
}
