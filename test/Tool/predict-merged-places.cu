// Code that the compiler merges from several places of a line has no column of
// its own: it is said of the line, as editors count.

// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s --implicit-check-not=':0: '
// CHECK: predict-merged-places.cu:[[#@LINE+8]]:1: load of 8 B a lane
struct Node {
  int value;
  Node *next;
};
__global__ void sumLists(Node *const *heads, int *sums) {
  int list = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (const Node *node = heads[list]; node; node = node->next)
    sum += node->value;
  sums[list] = sum;
}
int main() {
  Node **heads;
  int *sums;
  cudaMalloc(&heads, 1 << 16);
  cudaMalloc(&sums, 1 << 16);
  sumLists<<<8, 128>>>(heads, sums);
}
