// A local that is written anywhere in its function is unknown in all of it.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

void run(int condition) {
  int assigned = 1, added = 2, incremented = 3, declaredOnly;
  assigned = 10;
  added += 5;
  incremented++;
  declaredOnly = 4;
  dim3 member(1, 1), whole(2);
  member.y = 3;
  if (condition)
    whole = dim3(4);
  // CHECK: grid unknown, block unknown, shared unknown (source) at
  k<<<assigned, added, incremented>>>(declaredOnly);
  // CHECK: grid unknown, block unknown, shared 0 (source)
  k<<<member, whole>>>(member.x);
}
