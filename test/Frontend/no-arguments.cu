// What hangs on the program's arguments and its environment is read as if it
// had none, and says so; what the source says anyway is the source's.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

extern "C" int atoi(const char *);
extern "C" char *getenv(const char *);
extern "C" void exit(int);

__global__ void k(int n) {}

int sizeOf(int argc, char **argv) { return argc > 2 ? atoi(argv[2]) : 3000; }

void choose(int count, char **arguments);

int main(int argc, char **argv) {
  if (argc > 8)
    exit(1);
  // CHECK: grid 100x1x1, block 32x1x1, shared 0, {{.*}}arg0=100 (defaults) at
  int chosen = argc > 1 ? atoi(argv[1]) : 100;
  k<<<chosen, 32>>>(chosen);

  // CHECK-NEXT: grid 200x1x1, block 32x1x1, shared 0, {{.*}}arg0=200 (defaults) at
  int written = 200;
  if (argc >= 2)
    written = atoi(argv[1]);
  k<<<written, 32>>>(written);

  // CHECK-NEXT: grid 3000x1x1, block 32x1x1, shared 0, {{.*}}arg0=3000 (defaults) at
  int passed = sizeOf(argc, argv);
  k<<<passed, 32>>>(passed);

  // CHECK-NEXT: grid 400x1x1, block 32x1x1, shared 0, {{.*}}arg0=400 (defaults) at
  const char *text = getenv("SIZE");
  int fromText = text ? atoi(text) : 400;
  k<<<fromText, 32>>>(fromText);

  // CHECK-NEXT: grid 500x1x1, block 32x1x1, shared 0, {{.*}}arg0=500 (defaults) at
  int compared = 500;
  if (text != nullptr)
    compared = atoi(text);
  k<<<compared, 32>>>(compared);

  // Nothing says how many there are.
  // CHECK-NEXT: grid unknown, block 33x1x1, shared 0, grid by arguments [arg0] [1] [1] (source) at
  int given = atoi(argv[1]);
  k<<<given, 33>>>(given);

  // Without arguments it is not launched: no default.
  // CHECK-NEXT: grid unknown, block 34x1x1, shared 0, grid by arguments [arg0] [1] [1] (source) at
  if (argc > 1)
    k<<<chosen, 34>>>(chosen);

  // CHECK-NEXT: grid 7x1x1, block 32x1x1, shared 0, arg0=7 (source) at
  if (argc > 1)
    k<<<7, 32>>>(7);

  choose(argc, argv);
}

// Without arguments getopt() finds none, and a loop over them has no round,
// whatever it would do.
extern "C" int getopt(int, char *const *, const char *);
extern char *optarg;
void options(int count, char **arguments) {
  int n = 70, option, m = 8;
  while ((option = getopt(count, arguments, "n:m:")) != -1) {
    switch (option) {
    case 'n':
      n = atoi(optarg);
      break;
    case 'm':
      m = atoi(optarg);
      break;
    default:
      return;
    }
  }
  // CHECK: launch _Z1ki: grid 70x1x1, block 8x1x1, shared 0{{.*}}, arg0=70 (defaults)
  k<<<n, m>>>(n);
  // CHECK: launch _Z1ki: grid 71x1x1, block 1x1x1, shared 0 (source)
  k<<<71, 1>>>(option);
}

// An argument that chooses what runs leaves the others what they are without.
void choose(int count, char **arguments) {
  int n = 1 << 12, block = 128, which = 0;
  if (count > 1)
    which = atoi(arguments[1]);
  if (count > 2)
    block = atoi(arguments[2]);
  switch (which) {
  // CHECK: launch _Z1ki: grid 32x1x1, block 128x1x1, shared 0, arg0=0 (defaults)
  case 0:
    k<<<n / block, block>>>(which);
    break;
  // CHECK-NEXT: launch _Z1ki: grid 64x1x1, block 128x1x1, shared 0, arg0=1 (defaults)
  case 1:
    k<<<2 * n / block, block>>>(which);
    break;
  }
  // CHECK-NEXT: launch _Z1ki: grid 96x1x1, block 128x1x1, shared 0, arg0=2 (defaults)
  if (which == 2)
    k<<<3 * n / block, block>>>(which);
}
