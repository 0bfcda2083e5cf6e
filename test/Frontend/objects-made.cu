// What objects hold that the code does not lead to: behind pointers, in
// containers, in other objects. It is what their constructors give them, or the
// only method that writes it, in any of the calls that the program has of those.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s --implicit-check-not=launch

#include <memory>
#include <vector>

__global__ void k(int n) {}

#define CLASS(NAME)                                                            \
  class NAME {                                                                 \
    int n, block;                                                              \
    float *x;                                                                  \
                                                                               \
  public:                                                                      \
    NAME(int n) : n(n) { block = 128; }                                        \
    void run() { k<<<n, block>>>(n); }                                         \
  };
// CHECK: launch _Z1ki: grid 2x1x1, block 128x1x1, shared 0, arg0=2 (source)
CLASS(New)
// CHECK: launch _Z1ki: grid 3x1x1, block 128x1x1, shared 0, arg0=3 (source)
CLASS(Unique)
// CHECK: launch _Z1ki: grid 4x1x1, block 128x1x1, shared 0, arg0=4 (source)
CLASS(Shared)
// CHECK: launch _Z1ki: grid 100x1x1, block 128x1x1, shared 0, arg0=100 (source)
// CHECK: launch _Z1ki: grid 200x1x1, block 128x1x1, shared 0, arg0=200 (source)
CLASS(Several)
// CHECK: launch _Z1ki: grid 6x1x1, block 128x1x1, shared 0, arg0=6 (source)
CLASS(ByReference)
// CHECK: launch _Z1ki: grid 7x1x1, block 128x1x1, shared 0, arg0=7 (source)
CLASS(Global)
// CHECK: launch _Z1ki: grid 16x1x1, block 128x1x1, shared 0, arg0=16 (source)
CLASS(Member)
// CHECK: launch _Z1ki: grid 9x1x1, block 128x1x1, shared 0, arg0=9 (source)
CLASS(Base)
class Derived : public Base {
public:
  Derived() : Base(9) {}
};
class Owner {
  Member member;

public:
  Owner(int n) : member(2 * n) {}
  void run() { member.run(); }
};
Global global(7);
void useReference(ByReference &object) { object.run(); }
void constructors() {
  New *made = new New(2);
  made->run();
  auto unique = std::make_unique<Unique>(3);
  unique->run();
  std::make_shared<Shared>(4)->run();
  std::vector<Several> several;
  for (int i = 1; i < 3; ++i)
    several.emplace_back(i * 100);
  for (Several &one : several)
    one.run();
  ByReference object(6);
  useReference(object);
  global.run();
  Owner owner(8);
  owner.run();
  (new Derived)->run();
}

// Virtual methods, default arguments, constructors that call others, members of
// members.
class Virtual {
  int n;

public:
  Virtual(int n) : n(n) {}
  // CHECK: launch _Z1ki: grid 10x1x1, block 1x1x1, shared 0, arg0=10 (source)
  // CHECK: launch _Z1ki: grid 20x1x1, block 1x1x1, shared 0, arg0=20 (source)
  virtual void run() { k<<<n, 1>>>(n); }
};
class Default {
  int n = 11, block;

public:
  Default(int block = 64) : block(block) {}
  // CHECK: launch _Z1ki: grid 11x1x1, block 64x1x1, shared 0, arg0=11 (source)
  void run() { k<<<n, block>>>(n); }
};
class Delegating {
  int n;

public:
  Delegating() : Delegating(12) {}
  Delegating(int n) : n(n) {}
  // CHECK: launch _Z1ki: grid 12x1x1, block 1x1x1, shared 0, arg0=12 (source)
  void run() { k<<<n, 1>>>(n); }
};
struct Options {
  int n, block;
};
class Nested {
  Options options;

public:
  Nested(const Options &options) : options(options) {}
  // CHECK: launch _Z1ki: grid 13x1x1, block 96x1x1, shared 0, arg0=13 (source)
  void run() { k<<<options.n, options.block>>>(options.n); }
};
void more(Virtual *one) {
  one = new Virtual(10);
  Virtual *two = new Virtual(20);
  one->run();
  two->run();
  std::make_unique<Default>()->run();
  (new Delegating)->run();
  Options options = {13, 96};
  (new Nested(options))->run();
}

// One method gives it, once the object is there or while it is made.
class Initialised {
  int n = 0;

public:
  void init(int count) { n = count; }
  // CHECK: launch _Z1ki: grid 14x1x1, block 1x1x1, shared 0, arg0=14 (source)
  void run() { k<<<n, 1>>>(n); }
};
class Allocating {
  int n;
  void allocate(int count) { n = count; }

public:
  Allocating(int count) { allocate(count); }
  // CHECK: launch _Z1ki: grid 15x1x1, block 1x1x1, shared 0, arg0=15 (source)
  void run() { k<<<n, 1>>>(n); }
};
void methods(Initialised *object) {
  object->init(14);
  object->run();
  (new Allocating(15))->run();
}

// Copies that are as their original.
class Moved {
  int n;

public:
  Moved(int n) : n(n) {}
  Moved(Moved &&other) : n(std::move(other.n)) {}
  // CHECK: launch _Z1ki: grid 16x1x1, block 2x1x1, shared 0, arg0=16 (source)
  void run() { k<<<n, 2>>>(n); }
};
void move() {
  std::vector<Moved> all;
  all.push_back(Moved(16));
  all[0].run();
}

// What something else may write.
#define UNKNOWN(NAME, MORE)                                                    \
  class NAME {                                                                 \
    int n = 0;                                                                 \
    MORE                                                                       \
  public:                                                                      \
    NAME(int n) : n(n) {}                                                      \
    NAME() = default;                                                          \
    void run() { k<<<1, 33>>>(n); }                                            \
  };                                                                           \
  void use##NAME() {                                                           \
    auto object = std::make_unique<NAME>(5);                                   \
    object->run();                                                             \
  }
// CHECK: launch _Z1ki: grid 1x1x1, block 33x1x1, shared 0 (source)
UNKNOWN(Friend, friend void touch(Friend &object) { object.n = 3; })
UNKNOWN(Given, int &size() { return n; })
UNKNOWN(Halved, void half() { [this] { n /= 2; }(); })
UNKNOWN(Second, void set(int count) { n = count; })
UNKNOWN(Grown, void grow() { n += 10; })
UNKNOWN(Cleared, void clear() { __builtin_memset(this, 0, sizeof *this); })
UNKNOWN(Cast, static void set(Cast *object) { *(int *)object = 3; })
UNKNOWN(Assigned, Assigned &operator=(int count) { n = count; return *this; })
UNKNOWN(Pointed, static int Pointed::*pointer() { return &Pointed::n; })
UNKNOWN(Copied, Copied(const Copied &other) : n(2 * other.n) {})
class Late {
  int n;

public:
  Late(int count) {
    if (count > 5)
      return;
    n = count;
  }
  void run() { k<<<1, 33>>>(n); }
};
void useLate() { (new Late(3))->run(); }

// Which function is called the object alone knows.
struct Step {
  // CHECK: launch _Z1ki: grid 1x1x1, block 36x1x1, shared 0 (source)
  virtual void run(int n) { k<<<1, 36>>>(n); }
};
struct Twice : Step {
  void run(int n) override { Step::run(2 * n); }
};
void runSteps(Step *step) { step->run(5); }

// One of two objects is replaced by the other.
class Replaced {
  int n;

public:
  Replaced(int n) : n(n) {}
  // CHECK: launch _Z1ki: grid 1x1x1, block 34x1x1, shared 0 (source)
  void run() { k<<<1, 34>>>(n); }
};
void replace(Replaced *object) {
  *object = Replaced(3);
  (new Replaced(4))->run();
}

// While it is made it has other values.
class Unfinished {
  int n, m;

public:
  Unfinished() : n(1), m(n + 1) { n = 7; }
  // CHECK: launch _Z1ki: grid 1x1x1, block 35x1x1, shared 0 (source)
  void run() { k<<<1, 35>>>(m); }
};
void unfinished() { (new Unfinished)->run(); }
// CHECK: signature
