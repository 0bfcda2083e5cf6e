// An option that is looked for among the arguments, and read by a stream.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s
// RUN: %read_launches -fplugin-arg-auspex-program-args="-m 2.5 -n 4096" %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GIVEN

#include <algorithm>
#include <sstream>
#include <string>

__global__ void k(int n) {}

template <typename T>
static T option(char **begin, char **end, const std::string &name, T other) {
  T value = other;
  char **found = std::find(begin, end, name);
  if (found != end && ++found != end) {
    std::istringstream text(*found);
    text >> value;
  }
  return value;
}

int main(int argc, char **argv) {
  // CHECK: grid 8x1x1, block 32x1x1, shared 0, {{.*}}arg0=1024 (defaults)
  // GIVEN: grid 32x1x1, block 32x1x1, shared 0, {{.*}}arg0=4096 (source)
  int n = option(argv, argv + argc, "-n", 1024);
  k<<<n / 128, 32>>>(n);
  // CHECK-NEXT: grid 3x1x1, block 33x1x1, shared 0, arg0=0 (defaults)
  // GIVEN-NEXT: grid 5x1x1, block 33x1x1, shared 0, arg0=0 (source)
  double factor = option(argv, argv + argc, "-m", 1.5);
  k<<<2 * factor, 33>>>(0);

  // The second number of a stream is not known.
  int first = 1, second = 2;
  // GIVEN-NEXT: grid 2x1x1, block 34x1x1, shared 0, arg0=0 (source)
  // GIVEN-NEXT: grid unknown, block 35x1x1
  if (argc > 2) {
    std::istringstream text(argv[2]);
    text >> first;
    k<<<first, 34>>>(0);
    text >> second;
    k<<<second, 35>>>(0);
  }
}
