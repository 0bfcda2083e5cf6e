// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The benchmarks of S. Hong, H. Kim, "An analytical model for a GPU
// architecture with memory-level and thread-level parallelism awareness" (ISCA
// 2009), Table 5 and Figure 3, written anew from their descriptions: two image
// filters, a classifier by prototypes in three versions, and option pricing.
// The matrix products are in ../matmul.cu. A thread executes as many memory
// instructions as Table 5 says.
#include "../check.h"

#include <cstring>

constexpr int colours = 3;

// Ages an image: three bytes of a pixel in, three out, 6 memory instructions.
// The bytes of a colour are three apart, which GPUs of compute capability 1.0
// and 1.1 do one by one.
__global__ void sepia(const unsigned char *in, unsigned char *out, int width,
                      int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int at = (y * width + x) * colours;
  float red = in[at], green = in[at + 1], blue = in[at + 2];
  float aged[colours] = {0.393f * red + 0.769f * green + 0.189f * blue,
                         0.349f * red + 0.686f * green + 0.168f * blue,
                         0.272f * red + 0.534f * green + 0.131f * blue};
  for (int c = 0; c < colours; ++c)
    out[at + c] = static_cast<unsigned char>(aged[c] < 255 ? aged[c] : 255);
}

// The mean of nine pixels: 27 bytes in, three out, 30 memory instructions.
__global__ void linear(const unsigned char *in, unsigned char *out, int width,
                       int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
    return;
  for (int c = 0; c < colours; ++c) {
    int sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        sum += in[((y + dy) * width + x + dx) * colours + c];
    out[(y * width + x) * colours + c] = static_cast<unsigned char>(sum / 9);
  }
}

// How far a candidate is from a prototype, weighted; the kernel function of
// histograms, of which a support vector machine for faces has many.
constexpr int features = 818;

__device__ float difference(float value, float prototype) {
  float gap = (value - prototype) * rsqrtf(value + prototype + 1);
  return gap * gap;
}

// Everything from global memory, a candidate's features side by side: 1637
// memory instructions, and the 32 lanes of a warp are far apart.
__global__ void svmNaive(const float *candidates, const float *prototype,
                         float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float sum = 0;
  for (int k = 0; k < features; ++k)
    sum += difference(candidates[i * features + k], prototype[k]);
  out[i] = sum;
}

__constant__ float constantPrototype[features];

// The prototype from constant memory, where one word serves a warp: 819 memory
// instructions.
__global__ void svmConstant(const float *candidates, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float sum = 0;
  for (int k = 0; k < features; ++k)
    sum += difference(candidates[i * features + k], constantPrototype[k]);
  out[i] = sum;
}

// And the candidates' features transposed, so that lanes lie side by side: 819
// coalesced memory instructions, as in Table 5.
__global__ void svmCoalesced(const float *transposed, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float sum = 0;
  for (int k = 0; k < features; ++k)
    sum += difference(transposed[k * count + i], constantPrototype[k]);
  out[i] = sum;
}

// The exponential and the logarithm, for positive numbers, by a power of two
// and a polynomial, so that the program needs no library of functions.
__host__ __device__ inline float exponential(float a) {
  return exp2f(1.44269504f * a);
}

__host__ __device__ inline float logarithm(float a) {
  int bits;
  memcpy(&bits, &a, sizeof(bits));
  int exponent = (bits - 0x3f3504f3) >> 23; // the rest is 0.71 to 1.41
  bits -= exponent << 23;
  memcpy(&a, &bits, sizeof(bits));
  float x = (a - 1) / (a + 1), square = x * x;
  float series =
      2 * x * (1 + square * (1.0f / 3 + square * (0.2f + square / 7)));
  return 0.69314718f * static_cast<float>(exponent) + series;
}

// The share of a normal distribution below d, by a polynomial.
__host__ __device__ inline float normalBelow(float d) {
  float magnitude = d < 0 ? -d : d;
  float k = 1 / (1 + 0.2316419f * magnitude);
  float tail =
      0.39894228f * exponential(-0.5f * d * d) * k *
      (0.31938153f +
       k * (-0.356563782f +
            k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return d > 0 ? 1 - tail : tail;
}

struct Prices {
  float call, put;
};

__host__ __device__ inline Prices price(float stock, float strike, float years,
                                        float rate, float volatility) {
  float spread = volatility * sqrtf(years);
  float d1 = (logarithm(stock / strike) +
              (rate + 0.5f * volatility * volatility) * years) /
             spread;
  float d2 = d1 - spread;
  float discounted = strike * exponential(-rate * years);
  float below1 = normalBelow(d1), below2 = normalBelow(d2);
  return {stock * below1 - discounted * below2,
          discounted * (1 - below2) - stock * (1 - below1)};
}

// The prices of a European option by Black and Scholes: five numbers in, two
// out, 7 memory instructions.
__global__ void blackScholes(const float *stock, const float *strike,
                             const float *years, const float *rate,
                             const float *volatility, float *call, float *put,
                             int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  Prices prices = price(stock[i], strike[i], years[i], rate[i], volatility[i]);
  call[i] = prices.call;
  put[i] = prices.put;
}

static std::vector<unsigned char> makeImage(int width, int height) {
  std::vector<unsigned char> image(static_cast<size_t>(width) * height *
                                   colours);
  Random random(11);
  for (unsigned char &byte : image)
    byte = static_cast<unsigned char>(random.below(256));
  return image;
}

static bool runFilters() {
  const int width = 300, height = 200;
  std::vector<unsigned char> image = makeImage(width, height);
  std::vector<unsigned char> aged(image.size()), smooth(image.size(), 0);
  for (size_t i = 0; i < image.size(); i += colours) {
    float r = image[i], g = image[i + 1], b = image[i + 2];
    float sums[] = {0.393f * r + 0.769f * g + 0.189f * b,
                    0.349f * r + 0.686f * g + 0.168f * b,
                    0.272f * r + 0.534f * g + 0.131f * b};
    for (int c = 0; c < colours; ++c)
      aged[i + c] = static_cast<unsigned char>(std::fmin(sums[c], 255.0f));
  }
  for (int y = 1; y < height - 1; ++y)
    for (int x = 1; x < width - 1; ++x)
      for (int c = 0; c < colours; ++c) {
        int sum = 0;
        for (int near = 0; near < 9; ++near)
          sum +=
              image[((y + near / 3 - 1) * width + x + near % 3 - 1) * colours +
                    c];
        smooth[(y * width + x) * colours + c] =
            static_cast<unsigned char>(sum / 9);
      }
  DeviceArray<unsigned char> in(image), out(image.size());
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  sepia<<<grid, block>>>(in.get(), out.get(), width, height);
  CHECK_KERNEL();
  // The device contracts products and sums, and may round to the next byte.
  bool passed = true;
  std::vector<unsigned char> actual = out.copyBack();
  for (size_t i = 0; i < aged.size() && passed; ++i)
    if (std::abs(actual[i] - aged[i]) > 1) {
      std::printf("FAILED: sepia[%zu] is %d, not %d\n", i, actual[i], aged[i]);
      passed = false;
    }
  out.clear();
  linear<<<grid, block>>>(in.get(), out.get(), width, height);
  CHECK_KERNEL();
  return passed & compare("linear", out.copyBack(), smooth);
}

static bool runClassifiers() {
  const int count = 640, threads = 128;
  std::vector<float> prototype = fill<float>(features, 3);
  std::vector<float> candidates =
      fill<float>(static_cast<size_t>(count) * features, 4);
  std::vector<float> transposed(candidates.size()), expected(count);
  for (int i = 0; i < count; ++i) {
    double sum = 0;
    for (int k = 0; k < features; ++k) {
      float value = candidates[i * features + k];
      transposed[k * count + i] = value;
      float gap = value - prototype[k];
      sum += gap * gap / (value + prototype[k] + 1);
    }
    expected[i] = static_cast<float>(sum);
  }
  DeviceArray<float> in(candidates), side(transposed), weights(prototype);
  DeviceArray<float> out(count);
  CHECK(cudaMemcpyToSymbol(constantPrototype, prototype.data(),
                           features * sizeof(float)));
  svmNaive<<<count / threads, threads>>>(in.get(), weights.get(), out.get(),
                                         count);
  CHECK_KERNEL();
  bool passed = compare("svm naive", out.copyBack(), expected, 1e-4);
  out.clear();
  svmConstant<<<count / threads, threads>>>(in.get(), out.get(), count);
  CHECK_KERNEL();
  passed &= compare("svm constant", out.copyBack(), expected, 1e-4);
  out.clear();
  svmCoalesced<<<count / threads, threads>>>(side.get(), out.get(), count);
  CHECK_KERNEL();
  return passed & compare("svm coalesced", out.copyBack(), expected, 1e-4);
}

static bool runOptions() {
  const int count = 5000, threads = 128;
  std::vector<float> stock(count), strike(count), years(count), rate(count),
      volatility(count), call(count), put(count);
  Random random(7);
  auto between = [&](float low, float high) {
    return low + (high - low) * static_cast<float>(random.below(1000)) / 1000;
  };
  for (int i = 0; i < count; ++i) {
    stock[i] = between(5, 30);
    strike[i] = between(1, 100);
    years[i] = between(0.25f, 10);
    rate[i] = between(0.01f, 0.05f);
    volatility[i] = between(0.1f, 0.4f);
    Prices prices =
        price(stock[i], strike[i], years[i], rate[i], volatility[i]);
    call[i] = prices.call;
    put[i] = prices.put;
  }
  DeviceArray<float> s(stock), k(strike), t(years), r(rate), v(volatility);
  DeviceArray<float> calls(count), puts(count);
  blackScholes<<<(count + threads - 1) / threads, threads>>>(
      s.get(), k.get(), t.get(), r.get(), v.get(), calls.get(), puts.get(),
      count);
  CHECK_KERNEL();
  bool passed = compare("call", calls.copyBack(), call, 1e-3);
  return passed & compare("put", puts.copyBack(), put, 1e-3);
}

int main() {
  requireDevice();
  bool passed = runFilters();
  passed &= runClassifiers();
  return finish(passed & runOptions());
}
