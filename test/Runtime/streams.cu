// Streams, events, functions of the host in streams, and captured graphs.
// RUN: %auspex_clang %s -o %t && %t | FileCheck %s
#include <cstdio>

__global__ void add(int *data, int n) { atomicAdd(data, n); }

static void callback(cudaStream_t, cudaError_t error, void *data) {
  printf("callback: %s %s\n", (const char *)data, cudaGetErrorName(error));
}
static void hostFunction(void *data) { printf("host: %s\n", (char *)data); }

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  int *data, value = 0;
  cudaMalloc(&data, sizeof(int));
  cudaMemset(data, 0, sizeof(int));

  cudaEventRecord(start, first);
  add<<<2, 32, 0, first>>>(data, 1);
  cudaEventRecord(stop, first);
  cudaStreamWaitEvent(second, stop);
  cudaMemcpyAsync(&value, data, sizeof(int), cudaMemcpyDeviceToHost, second);
  cudaStreamSynchronize(second);
  float time = -1;
  // CHECK: 64, ready: 1, took time: 1
  cudaError_t timed = cudaEventElapsedTime(&time, start, stop);
  printf("%d, ready: %d, took time: %d\n", value,
         cudaStreamQuery(first) == cudaSuccess &&
             cudaEventQuery(stop) == cudaSuccess,
         timed == cudaSuccess && time >= 0);

  // CHECK-NEXT: callback: here cudaSuccess
  cudaStreamAddCallback(first, callback, (void *)"here", 0);
  // CHECK-NEXT: host: there
  cudaLaunchHostFunc(first, hostFunction, (void *)"there");

  // Nothing of it happens before the graph is launched.
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  add<<<1, 32, 0, first>>>(data, 2);
  cudaEventRecord(start, first);
  cudaStreamWaitEvent(second, start);
  add<<<1, 1, 0, second>>>(data, 1);
  cudaEventRecord(stop, second);
  cudaStreamWaitEvent(first, stop);
  cudaLaunchHostFunc(first, hostFunction, (void *)"in the graph");
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(second, &status);
  cudaError_t synchronized = cudaStreamSynchronize(first);
  // CHECK-NEXT: capturing: 1 cudaErrorStreamCaptureUnsupported
  printf("capturing: %d %s\n", status, cudaGetErrorName(synchronized));
  cudaGetLastError();
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamEndCapture(first, &graph);
  cudaMemcpy(&value, data, sizeof(int), cudaMemcpyDeviceToHost);
  // CHECK-NEXT: before: 64
  printf("before: %d\n", value);
  cudaGraphInstantiate(&executable, graph, 0);
  // CHECK-NEXT: host: in the graph
  // CHECK-NEXT: host: in the graph
  cudaGraphLaunch(executable, first);
  cudaGraphLaunch(executable, first);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaMemcpy(&value, data, sizeof(int), cudaMemcpyDeviceToHost);
  // CHECK-NEXT: after: 194
  printf("after: %d\n", value);
  // No stream joins a capture that is over.
  cudaError_t joined = cudaStreamWaitEvent(second, start);
  cudaMemsetAsync(data, 0, sizeof(int), second);
  cudaMemcpy(&value, data, sizeof(int), cudaMemcpyDeviceToHost);
  // CHECK-NEXT: joined: cudaErrorCapturedEvent, then: 0
  printf("joined: %s, then: %d\n", cudaGetErrorName(joined), value);
  cudaGetLastError();
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaStreamDestroy(first);
  // CHECK-NEXT: gone: cudaErrorInvalidResourceHandle
  printf("gone: %s\n", cudaGetErrorName(cudaStreamSynchronize(first)));
}
