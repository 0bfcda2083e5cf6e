// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns of a matrix, a row a lane: what a sector costs of which each lane has
// one word, alone, and with the warps of a block on columns side by side.
#include "../measure.h"

#include <algorithm>

namespace columns {

template <class T> __global__ void store(T *out, T value, int pitch) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  out[size_t(row) * pitch + column] = value;
}

/// A transpose that reads rows and writes columns.
template <class T>
__global__ void scatter(const T *in, T *out, int height, int pitch) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  out[size_t(row) * pitch + column] = in[size_t(column) * height + row];
}

/// One that reads columns and writes rows.
template <class T>
__global__ void gather(const T *in, T *out, int height, int pitch) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  out[size_t(column) * height + row] = in[size_t(row) * pitch + column];
}

/// Which warps share the sectors they store to.
enum class Sharing { None, Rounds, Warps };

/// A word in each of 32 rows, again and again: in other sectors each time, in
/// those of the seven rounds before, or in those of seven other warps.
template <Sharing sharing>
__global__ void storeWords(float *out, int rows, int pitch, int rounds) {
  constexpr int words = 8;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int warps = blockDim.x / 32;
  int group = blockIdx.x * warps + warp, groups = gridDim.x * warps;
  for (int round = 0; round < rounds; ++round) {
    int place = round * groups + group, word = 0;
    if (sharing == Sharing::Rounds) {
      place = round / words * groups + group;
      word = round % words;
    } else if (sharing == Sharing::Warps) {
      place /= words;
      word = warp % words;
    }
    int row = (place * 32 + lane) & (rows - 1);
    out[size_t(row) * pitch + word] = float(round);
  }
}

} // namespace columns

template <class T>
static void measureType(measure::Session &session, const std::string &type,
                        int height, int inARow) {
  const int sector = 32 / sizeof(T);
  const int width = height / static_cast<int>(sizeof(T) / sizeof(float));
  const int widest = width + 4 * sector;
  measure::Array<T> matrix(session, size_t(height) * widest);
  measure::Array<T> turned(session, size_t(height) * width);
  for (int pitch : {width, width + sector, widest})
    for (unsigned warps : {1, 8, 32}) {
      measure::Launch launch{dim3(height / 32, width / warps), dim3(32, warps)};
      launch.inARow = inARow;
      session.run(("columns::store<" + type + ">").c_str(), &columns::store<T>,
                  launch, matrix, T{}, ARG(pitch));
      session.run(("columns::scatter<" + type + ">").c_str(),
                  &columns::scatter<T>, launch, turned, matrix, ARG(height),
                  ARG(pitch));
      session.run(("columns::gather<" + type + ">").c_str(),
                  &columns::gather<T>, launch, matrix, turned, ARG(height),
                  ARG(pitch));
    }
}

static void measureWords(measure::Session &session) {
  const int size = 1 << 22, rounds = 64;
  measure::Array<float> out(session, 2 * size);
  const unsigned sms = session.device().multiProcessorCount;
  for (int pitch : {8, 16, 32, 128, 1024, 1032})
    for (unsigned blocks : {std::max(sms / 4, 1u), sms, 2 * sms}) {
      const int rows = size / std::min(pitch, 1024);
      const measure::Launch launch{dim3(blocks), dim3(1024)};
      session.run(KERNEL(columns::storeWords<columns::Sharing::None>), launch,
                  out, ARG(rows), ARG(pitch), ARG(rounds));
      session.run(KERNEL(columns::storeWords<columns::Sharing::Rounds>), launch,
                  out, ARG(rows), ARG(pitch), ARG(rounds));
      session.run(KERNEL(columns::storeWords<columns::Sharing::Warps>), launch,
                  out, ARG(rows), ARG(pitch), ARG(rounds));
    }
}

/// In L2, many times in a row, and beyond it.
MEASURE {
  measureWords(session);
  for (auto [height, inARow] : {std::pair(1024, 16), std::pair(8192, 0)}) {
    measureType<float>(session, "float", height, inARow);
    measureType<float4>(session, "float4", height, inARow);
  }
}
