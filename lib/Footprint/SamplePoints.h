// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where to look in what is too large to be gone through. Points at even
/// distances, or in the middle of boxes that were halved, agree with indices
/// that repeat themselves every power of two blocks: all of them would lie in
/// the last tile of a row.
#ifndef AUSPEX_LIB_FOOTPRINT_SAMPLEPOINTS_H
#define AUSPEX_LIB_FOOTPRINT_SAMPLEPOINTS_H

#include <cstdint>
#include <iterator>

namespace auspex {

/// The coordinate, in [0, \p length), of sample \p number along \p dimension:
/// Kronecker's sequence of the square roots of the first primes, which are
/// independent of each other and of every power of two.
inline int64_t samplePoint(uint64_t number, unsigned dimension,
                           int64_t length) {
  // In units of 2^-64, without their whole parts.
  static constexpr uint64_t Roots[] = {0x6A09E667F3BCC908, 0xBB67AE8584CAA73B,
                                       0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
                                       0x510E527FADE682D1, 0x9B05688C2B3E6C1F,
                                       0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179};
  uint64_t fraction = (number + 1) * Roots[dimension % std::size(Roots)];
  return static_cast<int64_t>((static_cast<unsigned __int128>(fraction) *
                               static_cast<uint64_t>(length)) >>
                              64);
}

} // namespace auspex

#endif
