// Neighbours by the digits of a flat index, clamped or wrapped at the ends of
// rows, in windows that end there: most threads are inside, and each element
// comes from DRAM once. 67 MB are in each field.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK-NOT:   takes too many pieces
// CHECK-LABEL: wrapped(
// CHECK:       in loads {{.*}} {{6[5-9](\.[0-9]+)?}} MB{{$}}
// CHECK-LABEL: clamped(
// CHECK:       in loads {{.*}} {{6[5-9](\.[0-9]+)?}} MB{{$}}
// CHECK-LABEL: channels(
// CHECK:       in loads {{.*}} {{6[5-9](\.[0-9]+)?}} MB{{$}}
// CHECK-LABEL: pooled(
// CHECK:       in loads {{.*}} {{6[5-9](\.[0-9]+)?}} MB{{$}}

__global__ void wrapped(float *out, const float *in, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % width, y = i / width;
  out[i] = in[y * width + (x + 1) % width] +
           in[y * width + (width + x - 1) % width] +
           in[(y + 1) % height * width + x] +
           in[(height + y - 1) % height * width + x];
}

__global__ void clamped(float *out, const float *in, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % width, y = i / width;
  out[i] = in[y * width + min(x + 1, width - 1)] + in[y * width + max(x - 1, 0)] +
           in[min(y + 1, height - 1) * width + x] + in[max(y - 1, 0) * width + x];
}

// Of an image of many channels, those next to each.
__global__ void channels(float *out, const float *in, int channels, int height,
                         int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % width, y = i / width % height;
  int channel = i / (width * height) % channels;
  int image = i / (width * height * channels);
  float sum = 0;
  for (int k = max(channel - 2, 0); k < min(channel + 3, channels); ++k) {
    float value = in[((image * channels + k) * height + y) * width + x];
    sum += value * value;
  }
  out[i] = sum;
}

// Windows of 3 x 3, two apart.
__global__ void pooled(float *out, const float *in, int channels, int height,
                       int width) {
  int rows = height / 2, columns = width / 2;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int column = i % columns, row = i / columns % rows;
  int channel = i / (columns * rows) % channels;
  int image = i / (columns * rows * channels);
  float most = -1e30f;
  for (int y = max(2 * row - 1, 0); y < min(2 * row + 2, height); ++y)
    for (int x = max(2 * column - 1, 0); x < min(2 * column + 2, width); ++x)
      most = fmaxf(
          most, in[((image * channels + channel) * height + y) * width + x]);
  out[i] = most;
}

void run(float *out, const float *in) {
  wrapped<<<65536, 256>>>(out, in, 4096, 4096);
  clamped<<<65536, 256>>>(out, in, 4096, 4096);
  channels<<<65536, 256>>>(out, in, 64, 64, 64);
  pooled<<<16384, 256>>>(out, in, 64, 64, 64);
}
