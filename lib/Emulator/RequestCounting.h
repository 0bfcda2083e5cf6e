// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fast counts of requests that look like no earlier one. They equal those of
/// countRequest; compiled for every instruction set.
#ifndef AUSPEX_LIB_EMULATOR_REQUESTCOUNTING_H
#define AUSPEX_LIB_EMULATOR_REQUESTCOUNTING_H

#include "AccessState.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

namespace auspex::emulator::AUSPEX_ISA {

constexpr unsigned WindowShift =
    llvm::ConstantLog2<MemoryGranularity::WindowInBytes>();

inline unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }

/// Sorts up to \p most unique keys: a key's place is the number of smaller
/// ones. As many comparisons as there are pairs, but vectors do them faster
/// than branches sort.
template <unsigned most, class Key> void sortByRank(Key *keys, unsigned count) {
  alignas(64) Key padded[most];
  alignas(64) Key rank[most] = {};
  for (unsigned i = 0; i < most; ++i)
    padded[i] = i < count ? keys[i] : ~Key(0);
  for (unsigned j = 0; j < count; ++j) {
    Key key = keys[j];
    for (unsigned i = 0; i < most; ++i)
      rank[i] += key < padded[i];
  }
  for (unsigned i = 0; i < count; ++i)
    keys[rank[i]] = padded[i];
}

/// Sorts unique keys.
template <class Key> void sortKeys(Key *keys, unsigned count) {
  bool sorted = true;
  for (unsigned i = 1; i < count; ++i)
    sorted &= keys[i - 1] < keys[i];
  if (sorted)
    return;
  if (count == 2)
    std::swap(keys[0], keys[1]);
  else if (count <= 8)
    sortByRank<8>(keys, count);
  else if (count <= 16)
    sortByRank<16>(keys, count);
  else
    sortByRank<Lanes>(keys, count);
}

/// Collects sectors and marks those of one word of a bit set at once.
class SectorToucher {
public:
  SectorToucher(SectorMap *map, uint64_t origin) : map(map), first(origin) {}

  [[gnu::always_inline]] void touch(uint64_t sector) {
    if (!map)
      return;
    if (sector - first < 64) {
      bits |= uint64_t(1) << (sector - first);
      return;
    }
    flush();
    first = sector;
    bits = 1;
  }
  bool isWanted() const { return map; }
  unsigned finish() {
    if (map)
      flush();
    return added;
  }

private:
  SectorMap *map;
  uint64_t first, bits = 0;
  unsigned added = 0;

  void flush() {
    if (bits)
      added += map->touch(first, bits);
  }
};

/// Lanes served together where each touches 8 or 16 bytes (RequestCounts::
/// bankPasses).
class LaneGroups {
public:
  static constexpr unsigned Most = 4;

  /// Lanes of a request as keys.
  template <class Key>
  LaneGroups(const Key *keys, unsigned count, unsigned wordShift)
      : shift(LaneShift + 2 - wordShift) {
    Key offsets[Lanes];
    uint32_t present = 0;
    for (unsigned i = 0; i < count; ++i) {
      unsigned lane = keys[i] & (Lanes - 1);
      offsets[lane] = keys[i] >> LaneShift;
      present |= uint32_t(1) << lane;
    }
    // Lanes that differ from their neighbour at distance 1, and at 2.
    uint32_t differ[2] = {0, 0};
    for (uint32_t left = present; left; left &= left - 1) {
      unsigned lane = __builtin_ctz(left);
      for (unsigned i = 0; i < 2; ++i) {
        unsigned other = lane ^ (1u << i);
        if (present >> other & 1)
          differ[i] |= uint32_t(offsets[lane] != offsets[other]) << lane;
      }
    }
    unsigned size = 2u << shift; // of two groups
    for (unsigned first = 0; first < Lanes; first += size) {
      uint32_t both = (size == Lanes ? ~0u : (1u << size) - 1) << first;
      isOne[first / size] = !(differ[0] & both) || !(differ[1] & both);
    }
  }

  unsigned of(unsigned lane) const {
    unsigned group = lane >> shift;
    return isOne[group / 2] ? group & ~1u : group;
  }
  /// Before any are one.
  unsigned count() const { return Lanes >> shift; }
  /// For the words of a group, side by side.
  unsigned wordMask() const { return (1u << shift) - 1; }

private:
  static constexpr unsigned LaneShift = 5;
  unsigned shift;
  bool isOne[Most / 2] = {};
};

/// Passes through the banks where lanes are served in groups: the lanes of a
/// request sorted by address, as keys.
template <class Key>
void countGroups(const Key *keys, unsigned count, unsigned wordShift,
                 const LaneGroups &groups, RequestFigures &figures,
                 unsigned &windowCycles) {
  constexpr unsigned LaneShift = 5;
  constexpr unsigned MaxGroups = LaneGroups::Most;
  Key lastWord[MaxGroups], lastWindow[MaxGroups];
  uint8_t onBank[MaxGroups][Lanes] = {};
  uint8_t windows[MaxGroups] = {};
  for (unsigned i = 0; i < MaxGroups; ++i)
    lastWord[i] = lastWindow[i] = ~Key(0);
  // No branches: whether words repeat is as good as random.
  for (unsigned i = 0; i < count; ++i) {
    Key offset = keys[i] >> LaneShift;
    unsigned group = groups.of(keys[i] & (Lanes - 1));
    Key word = offset >> wordShift, window = offset >> WindowShift;
    onBank[group][word & groups.wordMask()] += word != lastWord[group];
    lastWord[group] = word;
    windows[group] += window != lastWindow[group];
    lastWindow[group] = window;
  }
  windowCycles = 0;
  for (unsigned i = 0; i < groups.count(); ++i) {
    uint8_t passes = 0;
    for (unsigned bank = 0; bank < Lanes; ++bank)
      passes = onBank[i][bank] > passes ? onBank[i][bank] : passes;
    figures.bankPasses += passes;
    figures.fewestBankPasses += passes != 0;
    windowCycles += passes > windows[i] ? passes : windows[i];
  }
}

/// Lanes of which each is looked at by itself.
constexpr unsigned Few = 8;

/// How often the most frequent of the first \p count numbers below 32 is there;
/// others do not count. Few are compared with each other, many with all banks
/// at once: both are faster than counters in memory.
inline unsigned mostFrequent(const uint8_t *numbers, unsigned count) {
  if (count <= Few) {
    unsigned most = 0;
    for (unsigned i = 0; i < count; ++i) {
      unsigned times = 0;
      for (unsigned j = 0; j < count; ++j)
        times += numbers[j] == numbers[i];
      most = numbers[i] < Lanes ? larger(most, times) : most;
    }
    return most;
  }
  typedef uint8_t Bytes __attribute__((vector_size(Lanes)));
  Bytes banks, times = {};
  for (unsigned i = 0; i < Lanes; ++i)
    banks[i] = static_cast<uint8_t>(i);
  for (unsigned i = 0; i < count; ++i)
    times -= reinterpret_cast<Bytes>(banks == numbers[i]);
  uint8_t counts[Lanes], most = 0;
  std::memcpy(counts, &times, sizeof(counts));
  for (unsigned i = 0; i < Lanes; ++i)
    most = counts[i] > most ? counts[i] : most;
  return most;
}

/// The most lanes of each group on one bank, added up.
template <class Key>
unsigned countLanesOnBanks(const Key *keys, unsigned count, unsigned wordShift,
                           const LaneGroups &groups) {
  constexpr unsigned LaneShift = 5;
  uint8_t onBank[LaneGroups::Most][Lanes] = {};
  for (unsigned i = 0; i < count; ++i) {
    unsigned word = static_cast<unsigned>(keys[i] >> LaneShift >> wordShift);
    ++onBank[groups.of(keys[i] & (Lanes - 1))][word & groups.wordMask()];
  }
  unsigned sum = 0;
  for (unsigned i = 0; i < groups.count(); ++i) {
    uint8_t most = 0;
    for (unsigned bank = 0; bank < Lanes; ++bank)
      most = onBank[i][bank] > most ? onBank[i][bank] : most;
    sum += most;
  }
  return sum;
}

/// What the keys of a request are, in their order, as far as they differ from
/// the ones before.
struct KeyCounts {
  unsigned sectors = 0, lines = 0, windows = 0;
  /// Keys that begin a sector, and those with the address of the one before.
  uint32_t newSectors = 0, repeated = 0;
  /// The banks of all keys, and of those that begin a word.
  alignas(64) uint8_t banks[Lanes], newWords[Lanes];
  static constexpr unsigned LaneShift = 5;

  /// Key number \p i, which differs so from the one before.
  template <class Key>
  [[gnu::always_inline]] void add(unsigned i, Key key, Key difference,
                                  unsigned sectorShift, unsigned lineShift) {
    constexpr unsigned BankShift = 2 + LaneShift;
    constexpr uint8_t NoBank = 0xff;
    sectors += difference >> sectorShift != 0;
    lines += difference >> lineShift != 0;
    windows += difference >> (WindowShift + LaneShift) != 0;
    newSectors |= uint32_t(difference >> sectorShift != 0) << i;
    repeated |= uint32_t(difference >> LaneShift == 0) << i;
    banks[i] = static_cast<uint8_t>(key >> BankShift & (Lanes - 1));
    newWords[i] = difference >> BankShift != 0 ? banks[i] : NoBank;
  }

  /// One after the other.
  template <class Key>
  void countFew(const Key *keys, unsigned number, unsigned sectorShift,
                unsigned lineShift) {
    Key last = ~keys[0]; // differs in every bit
    for (unsigned i = 0; i < number; ++i) {
      add(i, keys[i], Key(keys[i] ^ last), sectorShift, lineShift);
      last = keys[i];
    }
  }

  /// All at once: up to \p most, of which there is room for all.
  template <unsigned most, class Key>
  void count(Key *keys, unsigned number, unsigned sectorShift,
             unsigned lineShift) {
    // Copies of the last differ from nothing.
    for (unsigned i = number; i < most; ++i)
      keys[i] = keys[number - 1];
    alignas(64) Key differences[most];
    differences[0] = ~Key(0);
    for (unsigned i = 1; i < most; ++i)
      differences[i] = keys[i] ^ keys[i - 1];
    for (unsigned i = 0; i < most; ++i)
      add(i, keys[i], differences[i], sectorShift, lineShift);
    if (number < Lanes)
      repeated &= (uint32_t(1) << number) - 1;
  }
};

/// A request of naturally aligned, powers of 2 of up to 16 bytes, as keys:
/// (address - origin) * 32 + lane, sorted, with room for 32. \p origin is a
/// multiple of MemoryGranularity::WindowInBytes.
template <class Key>
[[gnu::always_inline]] inline RequestFigures
countSorted(Key *keys, unsigned count, unsigned byteShift,
            const MemoryGranularity &granularity, SectorToucher &toucher,
            uint64_t sectorOrigin) {
  constexpr unsigned LaneShift = KeyCounts::LaneShift;
  unsigned sectorShift = __builtin_ctz(granularity.sectorInBytes) + LaneShift;
  unsigned lineShift = __builtin_ctz(granularity.lineInBytes) + LaneShift;
  KeyCounts counts;
  if (count <= Few)
    counts.countFew(keys, count, sectorShift, lineShift);
  else if (count <= 16)
    counts.count<16>(keys, count, sectorShift, lineShift);
  else
    counts.count<Lanes>(keys, count, sectorShift, lineShift);
  if (toucher.isWanted()) {
    SectorToucher inRegisters = toucher;
    for (uint32_t left = counts.newSectors; left; left &= left - 1)
      inRegisters.touch(sectorOrigin +
                        (keys[__builtin_ctz(left)] >> sectorShift));
    toucher = inRegisters;
  }
  unsigned longest = 1;
  for (uint32_t runs = counts.repeated; runs; runs &= runs << 1)
    ++longest;
  RequestFigures figures;
  figures.lanes = static_cast<uint16_t>(count);
  figures.sectors = static_cast<uint16_t>(counts.sectors);
  figures.lines = static_cast<uint16_t>(counts.lines);
  figures.fewestSectors = static_cast<uint16_t>(
      ((count << byteShift) + granularity.sectorInBytes - 1) >>
      (sectorShift - LaneShift));
  figures.sameAddress = static_cast<uint16_t>(longest);
  unsigned windowCycles;
  if (byteShift <= 2) {
    figures.bankPasses =
        static_cast<uint16_t>(mostFrequent(counts.newWords, count));
    figures.fewestBankPasses = 1;
    windowCycles = larger(figures.bankPasses, counts.windows);
    // Where every lane has its own word, that is the passes.
    bool isShared = longest > 1 || byteShift < 2;
    figures.lanesOnBank =
        isShared ? static_cast<uint16_t>(mostFrequent(counts.banks, count))
                 : figures.bankPasses;
  } else {
    // A word is what a lane touches, and the lanes are served in groups.
    LaneGroups groups(keys, count, byteShift);
    countGroups(keys, count, byteShift, groups, figures, windowCycles);
    figures.lanesOnBank = longest > 1 ? static_cast<uint16_t>(countLanesOnBanks(
                                            keys, count, byteShift, groups))
                                      : figures.bankPasses;
  }
  unsigned passes = 4u * figures.bankPasses;
  unsigned quarters = granularity.l1Rule == L1Rule::Windows ? 4 * windowCycles
                      : granularity.l1Rule == L1Rule::Lines
                          ? larger(passes, 4u * counts.lines)
                          : larger(passes, tagQuarters(counts.lines));
  figures.l1QuarterCycles = static_cast<uint16_t>(quarters);
  return figures;
}

/// The same of one lane.
inline RequestFigures countSingle() {
  RequestFigures figures;
  figures.lanes = figures.sectors = figures.lines = figures.fewestSectors = 1;
  figures.bankPasses = figures.fewestBankPasses = figures.sameAddress = 1;
  figures.lanesOnBank = 1;
  figures.l1QuarterCycles = 4;
  return figures;
}

/// The figures of any request whose addresses are between \p low and \p high;
/// \p newSectors grows by the sectors that \p map did not have of this block.
/// \p sectorBase is the number of the first sector of the map.
inline RequestFigures countRequestFast(const uint64_t *addresses, uint32_t mask,
                                       unsigned bytes, uint64_t low,
                                       uint64_t high, uint64_t misaligned,
                                       const MemoryGranularity &granularity,
                                       SectorMap *map, uint64_t sectorBase,
                                       uint64_t &newSectors) {
  constexpr uint64_t OriginMask = ~uint64_t(1023);
  uint64_t origin = low & OriginMask;
  unsigned sectorShift = __builtin_ctz(granularity.sectorInBytes);
  uint64_t sectorOrigin = (origin >> sectorShift) - sectorBase;
  SectorToucher toucher(map, (low >> sectorShift) - sectorBase);
  bool isNatural = (bytes & (bytes - 1)) == 0 && bytes <= 16 &&
                   (misaligned & (bytes - 1)) == 0 && granularity.banks == 32 &&
                   granularity.sectorInBytes >= 16;
  RequestFigures figures;
  if (!isNatural) {
    figures = countSlowly(addresses, mask, bytes, granularity);
    if (map)
      for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint64_t address = addresses[__builtin_ctz(lanes)];
        for (uint64_t sector = address >> sectorShift;
             sector <= (address + bytes - 1) >> sectorShift; ++sector)
          newSectors += map->touch(sector - sectorBase, 1);
      }
    return figures;
  }
  if ((mask & (mask - 1)) == 0) {
    toucher.touch((low >> sectorShift) - sectorBase);
    newSectors += toucher.finish();
    return countSingle();
  }
  unsigned byteShift = __builtin_ctz(bytes);
  unsigned count = 0;
  auto fill = [&](auto *keys) {
    using Key = std::remove_pointer_t<decltype(keys)>;
    if (mask == FullMask) {
      for (unsigned lane = 0; lane < Lanes; ++lane)
        keys[lane] = static_cast<Key>((addresses[lane] - origin) << 5 | lane);
      count = Lanes;
    } else {
      for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        unsigned lane = __builtin_ctz(lanes);
        keys[count++] =
            static_cast<Key>((addresses[lane] - origin) << 5 | lane);
      }
    }
    sortKeys(keys, count);
    figures =
        countSorted(keys, count, byteShift, granularity, toucher, sectorOrigin);
  };
  if (high - origin < uint64_t(1) << 27) {
    alignas(64) uint32_t keys[Lanes];
    fill(keys);
  } else {
    alignas(64) uint64_t keys[Lanes];
    fill(keys);
  }
  newSectors += toucher.finish();
  return figures;
}

} // namespace auspex::emulator::AUSPEX_ISA

#endif
