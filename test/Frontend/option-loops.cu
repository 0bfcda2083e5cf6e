// A loop over the program's arguments, which takes the value of an option with
// it, also inside of what it is assigned to.
//
// RUN: %read_launches -fplugin-arg-auspex-program-args="-n 4096 --block=128 --m 3 file" %s 2>&1 \
// RUN:   | FileCheck %s

extern "C" {
int atoi(const char *);
int strcmp(const char *, const char *);
}

__global__ void k(int n) {}

struct Options {
  int n, m;
};
Options read(int argc, char **argv) {
  Options options = {10, 20};
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "-n"))
      options.n = atoi(argv[++i]);
    else if (strcmp(argv[i], "--m") == 0)
      options.m = atoi(argv[i + 1]);
  }
  return options;
}

int same(int x) { return x; }

int main(int argc, char **argv) {
  Options options = read(argc, argv);
  // CHECK: grid 16x1x1, block 256x1x1, shared 0, arg0=3 (source) at
  k<<<options.n / 256, 256>>>(options.m);

  int block = 32, files = 0;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] != '-')
      files++;
    else if (argv[i][1] == '-' && argv[i][2] == 'b')
      block = atoi(argv[i] + 8);
  }
  // CHECK-NEXT: grid 3x1x1, block 128x1x1
  k<<<files, block>>>(0);

  int last = 0, steps = 0;
  for (int i = 4; i < 9; ++i) {
    last = same(++i);
    ++steps;
  }
  // CHECK-NEXT: grid 9x1x1, block 3x1x1
  k<<<last, steps>>>(0);
}
