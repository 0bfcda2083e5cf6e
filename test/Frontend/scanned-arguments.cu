// Numbers that sscanf reads from the program's arguments, and what string.h
// finds in them.
//
// RUN: %read_launches -fplugin-arg-auspex-program-args="4096 16x0x20 --block=64 0.5,7 ten" %s 2>&1 \
// RUN:   | FileCheck %s

#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void k(int n) {}
__global__ void real(double x) {}

long rows;

int main(int argc, char **argv) {
  int n = 1, x = 1, y = 1, z = 3;
  double half = 0;
  // CHECK: launch _Z1ki: grid 16x1x1, block 256x1x1, shared 0, {{.*}}arg0=4096 (source)
  sscanf(argv[1], "%d", &n);
  k<<<n / 256, 256>>>(n);

  // It says how many it has read; 0x20 is one number.
  // CHECK-NEXT: launch _Z1ki: grid 16x1x1, block 64x1x1, shared 0, arg0=2 (source)
  int read = sscanf(argv[2], "%dx%ix%*d", &x, &y);
  k<<<x, y + 32>>>(read);

  // CHECK-NEXT: launch _Z4reald: grid 7x1x1, block 32x1x1, shared 0, arg0=0.5 (source)
  sscanf(argv[4], " %lf , %ld", &half, &rows);
  real<<<rows, 32>>>(half);

  // What is no number is not known, nor what comes of a text.
  // CHECK-NEXT: launch _Z1ki: grid unknown, block 32x1x1, shared 0, arg0=0 (source)
  read = sscanf(argv[5], "%d", &z);
  k<<<z, 32>>>(read);
  char word[8];
  // CHECK-NEXT: launch _Z1ki: grid 9x1x1, block 32x1x1, shared 0 (source)
  k<<<9, 32>>>(sscanf(argv[5], "%7s", word));

  // CHECK-NEXT: launch _Z1ki: grid 64x1x1, block 64x1x1, shared 0, arg0=0 (source)
  if (!strncmp(argv[3], "--block=", 8))
    k<<<atoi(argv[3] + 8), atoi(strchr(argv[3], '=') + 1)>>>(
        strcasecmp(argv[5], "TEN"));
}
