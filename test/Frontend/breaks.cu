// A loop that a break ends, where it is known in which round.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

extern "C" int getopt(int, char **, const char *);
extern "C" int atoi(const char *);

__global__ void k(int n) {}

int main(int argc, char **argv) {
  int n = 100, m = 7;
  while (true) {
    int option = getopt(argc, argv, "n:");
    if (option == -1)
      break;
    switch (option) {
    case 'n':
      n = atoi(argv[2]);
      break;
    default:
      return 1;
    }
  }
  // CHECK: grid 100x1x1, block 32x1x1, shared 0, {{.*}}arg0=7 (defaults) at
  k<<<n, 32>>>(m);

  int size = 1;
  for (;;) {
    size *= 2;
    if (size > 1000) {
      size += 1;
      break;
    }
    m = size;
  }
  // CHECK-NEXT: grid 1025x1x1, block 33x1x1, shared 0, {{.*}}arg0=512 (source) at
  k<<<size, 33>>>(m);

  int round = 1;
  while (round < 10) {
    // CHECK-NEXT: grid 1x1x1, block 34x1x1, shared 0, {{.*}}arg0=1 (source) at
    // CHECK-NEXT: grid 2x1x1, block 34x1x1, shared 0, {{.*}}arg0=2 (source) at
    // CHECK-NEXT: grid 4x1x1, block 34x1x1, shared 0, {{.*}}arg0=4 (source) at
    k<<<round, 34>>>(round);
    if (round == 4)
      break;
    // CHECK-NEXT: grid 1x1x1, block 35x1x1, shared 0, {{.*}}arg0=1 (source) at
    // CHECK-NEXT: grid 2x1x1, block 35x1x1, shared 0, {{.*}}arg0=2 (source) at
    k<<<round, 35>>>(round);
    round *= 2;
  }

  // Who comes here has not returned, but nobody knows whether anybody does.
  int left = 5;
  while (left) {
    if (argc == left)
      return 1;
    if (--left == 3)
      break;
  }
  // CHECK-NEXT: grid unknown, block 36x1x1
  k<<<left, 36>>>(0);

  // CHECK-NEXT: grid unknown, block 37x1x1
  int open = 1;
  while (open < 10) {
    open *= 2;
    if (atoi(argv[1]) == open)
      break;
  }
  k<<<open, 37>>>(0);
}
// CHECK-NOT: {{^}}launch
