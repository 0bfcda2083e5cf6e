// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the requests of warps to memory cost: sectors, lines, bank passes.
/// Counts are exact for addresses that are affine in block indices and loop
/// counters, or repeat themselves along them, whatever they are in the thread
/// index.
#ifndef AUSPEX_FOOTPRINT_REQUESTCOUNTS_H
#define AUSPEX_FOOTPRINT_REQUESTCOUNTS_H

#include "auspex/Footprint/IterationDomain.h"

namespace auspex {

class RequestGroups;

/// What one request of a warp costs L1 beside the passes through its banks,
/// which are those of shared memory.
enum class L1Rule {
  /// A cycle for every line: before Volta.
  Lines,
  /// Groups of lanes as for the banks; a cycle for every aligned window
  /// (MemoryGranularity::WindowInBytes) a group touches. Volta and Turing;
  /// Ernst et al. 2022, section 4.2, for elements of 8 bytes.
  Windows,
  /// Tags are looked up four a cycle: tagQuarters(). Since Ampere.
  Tags,
};

/// Quarters of a cycle that the tags of a request's \p lines take. Two never
/// wait, wherever they are; more are not evenly spread, as if there were three
/// more. Fitted to strided loads (gpu-benches) on A100 and H200.
constexpr unsigned tagQuarters(unsigned lines) {
  return lines <= 2 ? 4 : lines + 3;
}

/// Sizes that requests are split by. Sector and line are powers of 2 that
/// divide 128.
struct MemoryGranularity {
  unsigned sectorInBytes = 32;
  unsigned lineInBytes = 128;
  unsigned banks = 32;
  L1Rule l1Rule = L1Rule::Tags;
  static constexpr unsigned BankInBytes = 4;
  /// Of L1Rule::Windows.
  static constexpr int64_t WindowInBytes = 1024;
  /// Requests that are so many bytes apart cost the same: sectors, lines and
  /// the banks all divide 128 bytes; windows, where they count, do not.
  constexpr int64_t period() const {
    constexpr int64_t LargestLine = 128;
    return l1Rule == L1Rule::Windows ? WindowInBytes : LargestLine;
  }
  /// Cycles of L1, beside the passes, of a request that touches so many lines
  /// and windows, one group of lanes.
  double tagCycles(double lines, double windows) const;
  /// That a lane with so many bytes has; a part of one counts as one.
  static constexpr unsigned words(unsigned bytesPerLane) {
    return bytesPerLane < BankInBytes ? 1 : bytesPerLane / BankInBytes;
  }
};

/// Sums over all requests of one access.
struct RequestCounts {
  double requests = 0;
  /// Active lanes.
  double lanes = 0;
  /// Distinct sectors and lines a request touches.
  double sectors = 0, lines = 0;
  /// The fewest sectors the lanes of a request could need: their bytes side by
  /// side and aligned.
  double fewestSectors = 0;
  /// Passes through the banks of shared memory: lanes are served in groups of
  /// 32, 16 or 8 (4, 8 or 16 bytes), and each group in as many passes as its
  /// busiest bank has distinct words. Of 8 and 16 bytes, two groups side by
  /// side are one if lanes agree in pairs, each with the one beside it or each
  /// with the one after next.
  double bankPasses = 0;
  /// Passes if no two words of a group fell on the same bank.
  double fewestBankPasses = 0;
  /// Cycles of L1, at its full width, that requests to global memory take.
  double l1Cycles = 0;
  /// The most lanes of a request on one address, summed: serial steps of an
  /// atomic on global memory.
  double sameAddress = 0;
  /// The most lanes of a group, as for bankPasses, on one bank, summed: serial
  /// passes of an atomic on shared memory, where lanes on one word take turns
  /// too.
  double lanesOnBank = 0;
  /// Every request was counted; otherwise a sample stands for the rest.
  bool exact = true;

  /// Times the fewest sectors or passes from which on they are worth a word: a
  /// few warps at the edge of a grid are not.
  static constexpr double Noteworthy = 1.05;
  /// Times the fewest sectors from which on requests are uncoalesced; below it
  /// they are misaligned.
  static constexpr double Uncoalesced = 2;
  bool haveBankConflict() const {
    return bankPasses > Noteworthy * fewestBankPasses;
  }

  void add(const RequestCounts &other, double times);
  bool operator==(const RequestCounts &) const = default;
};

/// The counts of one request whose lanes touch \p bytesPerLane bytes from
/// \p offsets[lane], for the lanes of \p mask.
RequestCounts countRequest(llvm::ArrayRef<int64_t> offsets, uint32_t mask,
                           unsigned bytesPerLane,
                           const MemoryGranularity &granularity);

/// The requests of accesses over one domain that differ by a constant, as those
/// of a stencil do: what they have in common is looked at once.
class RequestFamily {
public:
  /// Accesses at \p offset (bytes from a base that is aligned to 256 bytes) and
  /// constants.
  RequestFamily(const IterationDomain &domain, const Expr &offset,
                unsigned bytesPerLane, const MemoryGranularity &granularity);
  RequestFamily(RequestFamily &&);
  RequestFamily(const RequestFamily &);

  /// The family of offset + \p bytes; they share what is found.
  RequestFamily movedBy(int64_t bytes) const {
    RequestFamily moved = *this;
    moved.first += bytes;
    return moved;
  }
  ~RequestFamily();

  /// The counts of the access at offset + \p constant. None if the offset uses
  /// symbols that are not of the domain or cannot be evaluated.
  std::optional<RequestCounts> countsAt(int64_t constant);

private:
  /// Where the requests begin.
  int64_t first = 0;
  /// Null if the offset cannot be evaluated.
  std::shared_ptr<RequestGroups> requests;
};

/// The counts of one access.
std::optional<RequestCounts>
countRequests(const IterationDomain &domain, const Expr &offset,
              unsigned bytesPerLane, const MemoryGranularity &granularity);

/// \p counts of an access to shared memory as the addresses of its lanes would
/// have them on average, were they spread uniformly and independently over \p
/// words elements.
RequestCounts spreadEvenly(const RequestCounts &counts, double words);

/// Of \p places, 1 or more, those that some of \p lanes picks, on average, if
/// they pick uniformly and independently.
double placesPicked(double places, double lanes);

/// From the lowest to the highest value of \p offset over \p domain, by
/// intervals; none if there is no end, or no point in the domain.
std::optional<Interval> offsetRange(const IterationDomain &domain,
                                    const Expr &offset);

} // namespace auspex

#endif
