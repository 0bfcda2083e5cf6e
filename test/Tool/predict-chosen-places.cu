// Data choose between two places that are both known: one of them is expected,
// though each lane could take its own.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu V100-SXM2 | FileCheck %s
// CHECK: predicted {{5[0-9][0-9]}} us ({{4[0-9][0-9]}} us to {{[2-9][.0-9]*}} ms) for upwind
// CHECK: d loads 268 MB {{28[0-9]}} MB {{13[0-9]}} MB 134 MB{{$}}
// CHECK: open: the address of the load at line {{[0-9]+}} is unknown (float)
// CHECK: assumed: where data choose between addresses that are known, all lanes take the same one

__global__ void upwind(const double *__restrict__ flux,
                       const double *__restrict__ d, double *out, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x + 2;
  if (j >= n - 2)
    return;
  int donor = flux[j] > 0 ? j - 1 : j;
  int up = flux[j] > 0 ? j - 2 : j + 1;
  out[j] = flux[j] * (d[donor] + 0.5 * (d[donor] - d[up]));
}

void run(double *flux, double *d, double *out) {
  upwind<<<65536, 256>>>(flux, d, out, 1 << 24);
}
