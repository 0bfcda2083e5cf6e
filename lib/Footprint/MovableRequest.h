// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One request of a warp at many places.
#ifndef AUSPEX_LIB_FOOTPRINT_MOVABLEREQUEST_H
#define AUSPEX_LIB_FOOTPRINT_MOVABLEREQUEST_H

#include "auspex/Footprint/RequestCounts.h"

#include <array>

namespace auspex {

/// One request but for where it begins, its position within a period: what
/// depends on where in a bank that is alone is counted once for each place in a
/// bank, the rest once a position.
class MovableRequest {
public:
  /// As countRequest.
  MovableRequest(llvm::ArrayRef<int64_t> offsets, uint32_t mask,
                 unsigned bytesPerLane, const MemoryGranularity &granularity);

  /// The counts \p position bytes further on, which is in [0, period). They
  /// stay until the next call.
  const RequestCounts &countsAt(int64_t position);

private:
  using Pieces = llvm::SmallVector<Interval, 8>;

  llvm::SmallVector<int64_t, 32> offsets;
  uint32_t mask;
  unsigned bytesPerLane;
  MemoryGranularity granularity;
  /// What is known, and by position where, from 1.
  std::vector<RequestCounts> known;
  std::vector<uint16_t> numbers;
  /// The bytes that lanes touch, ascending.
  Pieces pieces;
  /// Of L1Rule::Windows, the lanes that are served together.
  struct Group {
    unsigned passes;
    Pieces pieces;
  };
  /// What is the same wherever whole banks further on.
  struct InBank {
    RequestCounts counts;
    std::vector<Group> groups;
  };
  /// By the first position of each place in a bank.
  std::array<std::optional<InBank>, MemoryGranularity::BankInBytes> inBanks;

  RequestCounts countAt(int64_t position);
  const InBank &inBank(int64_t first);
  Pieces piecesOf(uint32_t lanes) const;
};

} // namespace auspex

#endif
