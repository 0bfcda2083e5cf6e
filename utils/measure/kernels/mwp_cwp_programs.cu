// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../measure.h"

#define main inline mwpCwpMain
#include "../../../examples/papers/mwp_cwp.cu"
#undef main

MEASURE {
  const int width = 8192, height = 4096;
  measure::Array<unsigned char> image(session,
                                      size_t(width) * height * colours);
  measure::Array<unsigned char> result(session,
                                       size_t(width) * height * colours);
  for (dim3 block : {dim3(16, 16), dim3(32, 8), dim3(128, 1)}) {
    measure::Launch pixels{dim3(width / block.x, height / block.y), block};
    session.run(KERNEL(sepia), pixels, image, result, ARG(width), ARG(height));
    session.run(KERNEL(linear), pixels, image, result, ARG(width), ARG(height));
  }
  {
    const int count = 1 << 18;
    measure::Array<float> candidates(session, size_t(count) * features);
    measure::Array<float> prototype(session, features), sums(session, count);
    for (unsigned block : {64, 128, 512}) {
      measure::Launch launch = measure::cover(count, block);
      session.run(KERNEL(svmNaive), launch, candidates, prototype, sums,
                  ARG(count));
      session.run(KERNEL(svmConstant), launch, candidates, sums, ARG(count));
      session.run(KERNEL(svmCoalesced), launch, candidates, sums, ARG(count));
    }
  }
  const int count = 1 << 25;
  measure::Array<float> stock(session, std::vector<float>(count, 20.0f)),
      strike(session, std::vector<float>(count, 30.0f)),
      years(session, std::vector<float>(count, 2.0f)),
      rate(session, std::vector<float>(count, 0.02f)),
      volatility(session, std::vector<float>(count, 0.3f));
  measure::Array<float> call(session, count), put(session, count);
  for (unsigned block : {64, 128, 512})
    session.run(KERNEL(blackScholes), measure::cover(count, block), stock,
                strike, years, rate, volatility, call, put, ARG(count));
}
