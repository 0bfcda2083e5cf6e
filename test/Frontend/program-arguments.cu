// Who says what the program is run with has it followed to the launches.
//
// RUN: %read_launches -fplugin-arg-auspex-program-args="4096 0x10 'a b' -1.5" %s 2>&1 \
// RUN:   | FileCheck %s
// RUN: %read_launches -fplugin-arg-auspex-program-args= %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE

extern "C" {
int atoi(const char *);
long strtol(const char *, char **, int);
double atof(const char *);
int strcmp(const char *, const char *);
unsigned long strlen(const char *);
char *getenv(const char *);
int getopt(int, char *const *, const char *);
}

__global__ void k(int n) {}

int second(int count, char **words) { return count > 2 ? strtol(words[2], nullptr, 0) : 3; }

int main(int argc, char **argv) {
  // NONE: grid 9x1x1, block 32x1x1, shared 0, {{.*}}arg0=3 (source) at
  // NONE-NOT: grid
  // CHECK-NOT: grid 9
  if (argc < 2) {
    k<<<9, 32>>>(second(argc, argv));
    return 1;
  }

  // CHECK: grid 16x1x1, block 256x1x1, shared 0, {{.*}}arg0=4096 (source) at
  int n = atoi(argv[1]);
  k<<<n / 256, 256>>>(n);

  // CHECK-NEXT: grid 16x1x1, block 32x1x1, shared 0, {{.*}}arg0=5 (source) at
  k<<<second(argc, argv), 32>>>(argc);

  // CHECK-NEXT: grid 3x1x1, block 32x1x1, shared 0, {{.*}}arg0=98 (source) at
  k<<<strlen(argv[3]), 32>>>(argv[3][2]);

  // CHECK-NEXT: grid 7x1x1, block 32x1x1, shared 0, {{.*}}arg0=-1 (source) at
  if (strcmp(argv[3], "a b") == 0 && argv[5] == nullptr)
    k<<<7, 32>>>((int)atof(argv[4]));
  else
    k<<<70, 32>>>(0);

  // What options getopt finds is not known; the environment is empty.
  // CHECK-NEXT: grid unknown, block 32x1x1
  k<<<getopt(argc, argv, "n:") + 2, 32>>>(0);
  // CHECK-NEXT: grid 8x1x1, block 32x1x1
  k<<<getenv("N") ? 1 : 8, 32>>>(0);
}
