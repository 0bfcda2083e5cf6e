// Functions are looked into, with their arguments, wherever they return; endless
// ones, and those that return in loops, are unknown.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

template <class T> T divideUp(T a, T b) { return (a + b - 1) / b; }
dim3 gridFor(int n, int threads) { return dim3(divideUp(n, threads), 2); }
int longer(int n) {
  int m = n;
  return m + 1;
}
int endless(int n) { return endless(n + 1); }
int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
int changes(int n) { return ++n; }
int changesBefore(int n) {
  n += 1;
  return n;
}
int early(int n) {
  if (n > 5)
    return 1;
  return 2;
}
int between(int n, int low, int high) {
  if (n < low)
    return low;
  else if (n > high)
    return high;
  return n;
}
int powerOf2From(int n) {
  int power = 1;
  while (power < n)
    power *= 2;
  return power;
}
int firstMultiple(int n, int of) {
  for (int i = n;; ++i)
    if (i % of == 0)
      return i;
}
int replaced(int n) {
  n = 7;
  int threads = 32, warps = 3;
  return n + threads * warps;
}
struct Size {
  int n;
  int get() const { return n; }
  static int fixed() { return 48; }
};

void run(Size size) {
  int n = 1000;
  // CHECK: grid 8x2x1, block 128x1x1
  k<<<gridFor(n, 128), 128>>>(0);
  // CHECK: grid 1001x1x1, block unknown, shared unknown, arg0=1001 (source) at
  k<<<longer(n), endless(n), fibonacci(n / 25)>>>(changes(n));
  // CHECK: grid 1001x1x1, block 1x1x1, shared 103, {{.*}}arg0=1000 (source) at
  k<<<changesBefore(n), early(n), replaced(n)>>>(n);
  // CHECK: grid 50x1x1, block 32x1x1, shared 1024, arg0=128 (source) at
  k<<<between(n, 1, 50), between(8, 32, 1024), powerOf2From(n)>>>(
      powerOf2From(early(3) * 64));
  // CHECK: grid unknown, block 64x1x1, shared 0 (source) at
  k<<<firstMultiple(n, 7), longer(63)>>>(early(size.n));
  // CHECK: grid unknown, block 32x1x1, shared 0, grid by arguments [min(arg0, 50) - min(arg0, 50)*[arg0 <= 0] + [arg0 <= 0]] [1] [1] (source) at
  k<<<between(size.n, 1, 50), 32>>>(size.n);
  // CHECK: grid 5x1x1, block 48x1x1, shared unknown (source)
  k<<<fibonacci(n / 200), Size::fixed(), size.get()>>>(size.n);
}
