// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two histograms of the paper on shared-memory atomics: one colour and
// random ones, in grids of other sizes, by which a run in the emulator finds
// them.
#include "../measure.h"

#define main inline histogramsMain
#include "../../../examples/papers/histograms.cu"
#undef main

#include <random>

template <Order order, Result result>
static void measureOne(measure::Session &session,
                       const measure::Array<unsigned char> &picture, int n,
                       const measure::Array<unsigned> &counts,
                       unsigned blocks) {
  std::string name = "histogram<(Order)" + std::to_string(int(order)) +
                     ", (Result)" + std::to_string(int(result)) + ">";
  session.run(name.c_str(), &histogram<order, result>,
              {dim3(blocks), dim3(512)}, picture, ARG(n), counts);
}

MEASURE {
  const int n = 1 << 22;
  measure::Array<unsigned> counts(session, counters);
  std::vector<unsigned char> bytes(session.launches() ? n * channels : 0);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<unsigned char>(17 * (i % channels) + 3);
  for (unsigned blocks : {256, 512}) {
    measure::Array<unsigned char> picture(session, bytes);
    measureOne<Order::Same, Result::Unused>(session, picture, n, counts,
                                            blocks);
    measureOne<Order::InTurns, Result::Unused>(session, picture, n, counts,
                                               blocks);
    measureOne<Order::Same, Result::Read>(session, picture, n, counts, blocks);
    measureOne<Order::InTurns, Result::Read>(session, picture, n, counts,
                                             blocks);
    std::mt19937 random(3);
    for (unsigned char &byte : bytes)
      byte = static_cast<unsigned char>(random());
  }
}
