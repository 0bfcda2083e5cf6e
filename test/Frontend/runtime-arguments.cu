// The variables whose addresses a call of the runtime library gets, where
// something may keep them from having the value they seem to have.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s --implicit-check-not=arg1

__global__ void k(float *x, int n) {}

void loop(float *x) {
  int n = 1;
  void *arguments[] = {&x, (void *)&n};
  for (n = 8; n < 64; n *= 2)
    // CHECK: launch _Z1kPfi: grid 3x1x1, block 16x1x1, shared 0 (source)
    cudaLaunchKernel((void *)k, 3, 16, arguments, 0, 0);
}

// The kernel takes a number of another size.
void other(float *x) {
  long n = 1;
  void *arguments[] = {&x, &n};
  // CHECK: launch _Z1kPfi: grid 5x1x1, block 16x1x1, shared 0 (source)
  cudaLaunchKernel((void *)k, 5, 16, arguments, 0, 0);
}

void exchanged(float *x, int *m) {
  int n = 1;
  void *arguments[] = {&x, &n};
  arguments[1] = m;
  // CHECK: launch _Z1kPfi: grid 6x1x1, block 16x1x1, shared 0 (source)
  cudaLaunchKernel((void *)k, 6, 16, arguments, 0, 0);
}

// The address was taken before the last write.
void writtenLater(float *x) {
  int n = 1;
  void *arguments[] = {&x, &n};
  n = 2;
  // CHECK: launch _Z1kPfi: grid 8x1x1, block 16x1x1, shared 0 (source)
  cudaLaunchKernel((void *)k, 8, 16, arguments, 0, 0);
}

void atSomePlace(float *x, int i) {
  int n = 1;
  void *arguments[2];
  arguments[0] = &x;
  arguments[i] = &n;
  // CHECK: launch _Z1kPfi: grid 9x1x1, block 16x1x1, shared 0 (source)
  cudaLaunchKernel((void *)k, 9, 16, arguments, 0, 0);
}

void given(void **arguments);
void givenAway(float *x) {
  int n = 1;
  void *arguments[] = {&x, &n};
  given(arguments);
  // CHECK: launch _Z1kPfi: grid 7x1x1, block 16x1x1, shared 0 (source)
  cudaLaunchKernel((void *)k, 7, 16, arguments, 0, 0);
}
