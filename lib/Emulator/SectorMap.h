// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which sectors of an allocation were touched: by the current block of
/// threads, by the current wave, by the launch. A bit each, and lists of the
/// words that have bits, so that forgetting costs what touching did.
#ifndef AUSPEX_LIB_EMULATOR_SECTORMAP_H
#define AUSPEX_LIB_EMULATOR_SECTORMAP_H

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace auspex::emulator {

/// A set of numbers below a bound. Its memory is zero pages until it is used.
class BitSet {
public:
  explicit BitSet(uint64_t size)
      : words(static_cast<uint64_t *>(
            std::calloc(size / 64 + 2, sizeof(uint64_t)))),
        numElements(size) {}

  uint64_t size() const { return numElements; }

  /// Adds the elements of \p bits at 64 * \p word; those that were not there.
  [[gnu::always_inline]] inline uint64_t add(uint64_t word, uint64_t bits) {
    uint64_t old = words.get()[word];
    uint64_t added = bits & ~old;
    if (added) {
      if (!old)
        used.push_back(static_cast<uint32_t>(word));
      words.get()[word] = old | bits;
    }
    return added;
  }
  /// Adds all elements of \p other; how many were not there.
  uint64_t addAll(const BitSet &other) {
    uint64_t added = 0;
    for (uint32_t word : other.used)
      added += __builtin_popcountll(add(word, other.words.get()[word]));
    return added;
  }
  uint64_t count() const {
    uint64_t sum = 0;
    for (uint32_t word : used)
      sum += __builtin_popcountll(words.get()[word]);
    return sum;
  }
  void clear() {
    for (uint32_t word : used)
      words.get()[word] = 0;
    used.clear();
  }
  bool empty() const { return used.empty(); }

private:
  struct Free {
    void operator()(uint64_t *pointer) const { std::free(pointer); }
  };
  std::unique_ptr<uint64_t, Free> words;
  uint64_t numElements;
  /// 2^32 words of 64 sectors are 8 TB.
  std::vector<uint32_t> used;
};

struct SectorMap {
  explicit SectorMap(uint64_t sectors)
      : block(sectors), wave(sectors), launch(sectors) {}

  BitSet block, wave, launch;
  bool isUsed = false;
  /// Distinct sectors, summed over the waves and over the blocks so far.
  uint64_t sectorsInWaves = 0, sectorsInBlocks = 0;

  /// Touches \p bits, of which the lowest stands for sector \p first; how many
  /// of them are new to the block.
  [[gnu::always_inline]] inline unsigned touch(uint64_t first, uint64_t bits) {
    unsigned shift = first % 64;
    uint64_t word = first / 64;
    uint64_t added = block.add(word, bits << shift);
    unsigned count = added ? __builtin_popcountll(added) : 0;
    if (shift && bits >> (64 - shift))
      count += __builtin_popcountll(block.add(word + 1, bits >> (64 - shift)));
    return count;
  }
  void endBlock() {
    if (block.empty())
      return;
    sectorsInBlocks += block.count();
    wave.addAll(block);
    block.clear();
  }
  void endWave() {
    if (wave.empty())
      return;
    sectorsInWaves += wave.count();
    launch.addAll(wave);
    wave.clear();
  }
  void reset() {
    launch.clear();
    sectorsInWaves = sectorsInBlocks = 0;
    isUsed = false;
  }
};

} // namespace auspex::emulator

#endif
