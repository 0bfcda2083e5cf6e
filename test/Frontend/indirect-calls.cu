// Functions that are called through pointers, and virtual ones, are reached by
// all the calls that may be theirs, and by none that is known to be another's.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s --implicit-check-not=launch

#include <memory>
#include <vector>

__global__ void k(int n) {}

// Given to a function, in a table, and in a structure.
void given(int n) {
  // CHECK: launch _Z1ki: grid 8x1x1, block 32x1x1, shared 0, arg0=1 (source)
  k<<<n / 128, 32>>>(1);
}
void listed(int n) {
  // CHECK: launch _Z1ki: grid 16x1x1, block 32x1x1, shared 0, arg0=2 (source)
  k<<<n / 128, 32>>>(2);
}
void kept(int n) {
  // CHECK: launch _Z1ki: grid 32x1x1, block 32x1x1, shared 0, arg0=3 (source)
  k<<<n / 128, 32>>>(3);
}
// Another type is another function.
void other(long n) {
  // CHECK: launch _Z1ki: grid unknown, block 32x1x1, shared 0, arg0=4 (source)
  k<<<n / 128, 32>>>(4);
}
void repeat(void (*run)(int), int n) {
  for (int i = 0; i < 10; ++i)
    run(n);
}
struct Named {
  const char *name;
  void (*run)(int);
};
void (*unused)(long) = other;

// Of what is not known, each is called.
void (*any())(long *);
void first(long *n) {
  // CHECK: launch _Z1ki: grid 7x1x1, block 32x1x1, shared 0, arg0=5 (source)
  k<<<*n, 32>>>(5);
}
void second(long *n) {
  // CHECK: launch _Z1ki: grid 7x1x1, block 32x1x1, shared 0, arg0=6 (source)
  k<<<*n, 32>>>(6);
}
void (*both[])(long *) = {first, second};

struct Solver {
  int size;
  Solver(int size) : size(size) {}
  virtual ~Solver() {}
  virtual void run(int n) = 0;
};
struct Fast : Solver {
  int rows;
  Fast(int rows) : Solver(rows), rows(rows) {}
  void run(int n) override {
    // CHECK-DAG: launch _Z1ki: grid 50x1x1, block 64x1x1, shared 0, arg0=100 (source)
    // CHECK-DAG: launch _Z1ki: grid 60x1x1, block 64x1x1, shared 0, arg0=101 (source)
    // CHECK-DAG: launch _Z1ki: grid 80x1x1, block 64x1x1, shared 0, arg0=103 (source)
    // CHECK-DAG: launch _Z1ki: grid 90x1x1, block 64x1x1, shared 0, arg0=104 (source)
    k<<<rows, 64>>>(n);
  }
};
struct Exact : Solver {
  Exact() : Solver(1) {}
  void run(int n) override {
    // CHECK-DAG: launch _Z1ki: grid 3x1x1, block 64x1x1, shared 0, arg0=102 (source)
    // CHECK-DAG: launch _Z1ki: grid 3x1x1, block 64x1x1, shared 0, arg0=103 (source)
    k<<<3, 64>>>(n);
  }
};
// Nobody makes one.
struct Never : Solver {
  Never() : Solver(1) {}
  void run(int n) override {
    // CHECK: launch _Z1ki: grid 4x1x1, block 64x1x1, shared 0 (source)
    k<<<4, 64>>>(n);
  }
};

void solve(Solver &solver) { solver.run(101); }

int main(int argc, char **argv) {
  repeat(given, 1024);
  void (*table[])(int) = {listed};
  table[0](2048);
  Named all[] = {{"kept", kept}};
  for (auto &one : all)
    one.run(4096);
  long n = 7;
  both[argc](&n);

  Fast fast(50), faster(60);
  Solver *solver = &fast;
  solver->run(100);
  solve(faster);
  std::unique_ptr<Solver> exact = std::make_unique<Exact>();
  exact->run(102);
  std::vector<Solver *> either = {new Fast(80), new Exact};
  for (Solver *one : either)
    one->run(103);
  Solver *made = new Fast(90);
  made->run(104);
}
