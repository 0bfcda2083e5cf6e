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

// A limb is a product of words, and two sums of 64 bits: nothing for its word.
// RUN: auspex predict %s --format=json --gpu RTX-3080 --kernel limbs \
// RUN:   --launch limbs=grid:1,block:32 -o %t.json
// RUN: FileCheck %s --check-prefix=LIMBS --input-file %t.json
// LIMBS: "int_add": 5,
// LIMBS-NEXT: "int_mul": 6,
// LIMBS-NEXT: "load_global"
// LIMBS-NEXT: "move": 4,

// Words of shared memory that are two halves each are read four at a time, as
// all words are; halves alone are read in 8 B.
// RUN: auspex predict %s --format=json --gpu RTX-3080 --kernel pairs \
// RUN:   --launch pairs=grid:1,block:32 | FileCheck %s --check-prefix=PAIRS
// PAIRS: "load_shared": 2,

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

__global__ void limbs(const uint4 *in, uint4 *out, unsigned by) {
  uint4 a = in[threadIdx.x], b = out[threadIdx.x];
  Number carry = (Number)by * a.x + b.x;
  b.x = (unsigned)carry, carry = (carry >> 32) + (Number)by * a.y + b.y;
  b.y = (unsigned)carry, carry = (carry >> 32) + (Number)by * a.z + b.z;
  b.z = (unsigned)carry, carry = (carry >> 32) + (Number)by * a.w + b.w;
  b.w = (unsigned)carry;
  out[threadIdx.x] = b;
}

__global__ void pairs(const unsigned *in, unsigned *out) {
  struct alignas(4) Pair {
    short x, y;
  };
  __shared__ Pair some[32];
  reinterpret_cast<unsigned *>(some)[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  unsigned sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k)
    sum = sum * 3 + reinterpret_cast<unsigned *>(some)[k];
  out[threadIdx.x] = sum;
}
