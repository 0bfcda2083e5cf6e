// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The limits of an SM by compute capability, one row each. From 7.0 up: the
/// tables of the CUDA Programming Guide 13 and cuda_occupancy.h (CUDA 13.0);
/// below: the appendix of the guide of its time and the CUDA Occupancy
/// Calculator. 10.1 was renumbered 11.0; its threads are those of 11.0.
#include "auspex/HW/Occupancy.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;

namespace {

struct ArchRow {
  unsigned arch;
  unsigned threadsPerBlock, threadsPerSM, blocksPerSM;
  unsigned registersPerSM, registersPerThread, registerUnit;
  bool registersAllocatedPerBlock;
  unsigned subPartitions;
  unsigned sharedPerSM, sharedPerBlock, sharedPerBlockOptIn;
  unsigned sharedUnit, sharedReserved;
  unsigned barriersPerSM;
  llvm::ArrayRef<unsigned> carveouts;
};

constexpr unsigned C16[] = {16};
constexpr unsigned Fermi[] = {16, 48};
constexpr unsigned Kepler[] = {16, 32, 48};
constexpr unsigned C64[] = {64};
constexpr unsigned C96[] = {96};
constexpr unsigned Volta[] = {0, 8, 16, 32, 64, 96};
constexpr unsigned Turing[] = {32, 64};
constexpr unsigned To100[] = {0, 8, 16, 32, 64, 100};
constexpr unsigned To164[] = {0, 8, 16, 32, 64, 100, 132, 164};
constexpr unsigned To228[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};

constexpr bool PerBlock = true;
constexpr bool PerWarp = false;

// clang-format off
constexpr ArchRow Rows[] = {
    //    threads         blocks registers                   parts shared memory                       barriers
    //    /block  /SM            /SM   /thread unit                /SM    /block  opt-in unit reserved
    { 10,  512,  768,  8,  8192, 124, 256, PerBlock, 1,  16384, 16384,  16384, 512,    0,  0, C16},
    { 11,  512,  768,  8,  8192, 124, 256, PerBlock, 1,  16384, 16384,  16384, 512,    0,  0, C16},
    { 13,  512, 1024,  8, 16384, 124, 512, PerBlock, 1,  16384, 16384,  16384, 512,    0,  0, C16},
    { 20, 1024, 1536,  8, 32768,  63,  64, PerWarp,  2,  49152, 49152,  49152, 128,    0,  0, Fermi},
    { 35, 1024, 2048, 16, 65536, 255, 256, PerWarp,  4,  49152, 49152,  49152, 256,    0,  0, Kepler},
    { 50, 1024, 2048, 32, 65536, 255, 256, PerWarp,  4,  65536, 49152,  49152, 256,    0,  0, C64},
    { 52, 1024, 2048, 32, 65536, 255, 256, PerWarp,  4,  98304, 49152,  49152, 256,    0,  0, C96},
    { 60, 1024, 2048, 32, 65536, 255, 256, PerWarp,  2,  65536, 49152,  49152, 256,    0,  0, C64},
    { 61, 1024, 2048, 32, 65536, 255, 256, PerWarp,  4,  98304, 49152,  49152, 256,    0,  0, C96},
    { 70, 1024, 2048, 32, 65536, 255, 256, PerWarp,  4,  98304, 49152,  98304, 256,    0,  0, Volta},
    { 72, 1024, 2048, 32, 65536, 255, 256, PerWarp,  4,  98304, 49152,  98304, 256,    0,  0, Volta},
    { 75, 1024, 1024, 16, 65536, 255, 256, PerWarp,  4,  65536, 49152,  65536, 256,    0,  0, Turing},
    { 80, 1024, 2048, 32, 65536, 255, 256, PerWarp,  4, 167936, 49152, 166912, 128, 1024,  0, To164},
    { 86, 1024, 1536, 16, 65536, 255, 256, PerWarp,  4, 102400, 49152, 101376, 128, 1024,  0, To100},
    { 87, 1024, 1536, 16, 65536, 255, 256, PerWarp,  4, 167936, 49152, 166912, 128, 1024,  0, To164},
    { 89, 1024, 1536, 24, 65536, 255, 256, PerWarp,  4, 102400, 49152, 101376, 128, 1024,  0, To100},
    { 90, 1024, 2048, 32, 65536, 255, 256, PerWarp,  4, 233472, 49152, 232448, 128, 1024, 64, To228},
    {100, 1024, 2048, 32, 65536, 255, 256, PerWarp,  4, 233472, 49152, 232448, 128, 1024, 64, To228},
    {101, 1024, 1536, 24, 65536, 255, 256, PerWarp,  4, 233472, 49152, 232448, 128, 1024, 24, To228},
    {103, 1024, 2048, 32, 65536, 255, 256, PerWarp,  4, 233472, 49152, 232448, 128, 1024, 64, To228},
    {110, 1024, 1536, 24, 65536, 255, 256, PerWarp,  4, 233472, 49152, 232448, 128, 1024, 24, To228},
    {120, 1024, 1536, 24, 65536, 255, 256, PerWarp,  4, 102400, 49152, 101376, 128, 1024, 24, To100},
    {121, 1024, 1536, 24, 65536, 255, 256, PerWarp,  4, 102400, 49152, 101376, 128, 1024, 24, To100},
};
// clang-format on

} // namespace

std::optional<SMLimits> auspex::smLimitsOfArch(unsigned arch) {
  const ArchRow *row = llvm::find_if(
      Rows, [&](const ArchRow &each) { return each.arch == arch; });
  if (row == std::end(Rows))
    return std::nullopt;
  SMLimits limits;
  limits.arch = arch;
  limits.threadsPerBlock = row->threadsPerBlock;
  limits.threadsPerSM = row->threadsPerSM;
  limits.blocksPerSM = row->blocksPerSM;
  limits.registersPerSM = limits.registersPerBlock = row->registersPerSM;
  limits.registersPerThread = row->registersPerThread;
  limits.registerUnit = row->registerUnit;
  limits.registersAllocatedPerBlock = row->registersAllocatedPerBlock;
  limits.subPartitions = row->subPartitions;
  limits.sharedPerSM = row->sharedPerSM;
  limits.sharedPerBlock = row->sharedPerBlock;
  limits.sharedPerBlockOptIn = row->sharedPerBlockOptIn;
  limits.sharedUnit = row->sharedUnit;
  limits.sharedReserved = row->sharedReserved;
  limits.barriersPerSM = row->barriersPerSM;
  limits.carveouts.append(row->carveouts.begin(), row->carveouts.end());
  return limits;
}

std::vector<unsigned> auspex::archsWithLimits() {
  std::vector<unsigned> archs;
  for (const ArchRow &row : Rows)
    archs.push_back(row.arch);
  return archs;
}

SMLimits auspex::smLimits(const GPU &gpu) {
  auto whole = [&](Q id) { return static_cast<unsigned>(gpu[id]); };
  SMLimits limits;
  limits.arch = gpu.arch;
  limits.threadsPerBlock = whole(Q::MaxThreadsPerBlock);
  limits.threadsPerSM = whole(Q::MaxThreadsPerSM);
  limits.blocksPerSM = whole(Q::MaxBlocksPerSM);
  limits.registersPerSM = whole(Q::RegistersPerSM);
  limits.registersPerBlock = whole(Q::MaxRegistersPerBlock);
  limits.registersPerThread = whole(Q::MaxRegistersPerThread);
  limits.registerUnit = whole(Q::RegisterAllocationUnit);
  limits.registersAllocatedPerBlock = gpu.registersPerBlock;
  limits.subPartitions = whole(Q::SubPartitions);
  limits.sharedPerSM = whole(Q::SharedPerSM);
  limits.sharedPerBlock = whole(Q::SharedPerBlock);
  limits.sharedPerBlockOptIn = whole(Q::SharedPerBlockOptIn);
  limits.sharedUnit = whole(Q::SharedAllocationUnit);
  limits.sharedReserved = whole(Q::SharedReservedPerBlock);
  limits.barriersPerSM =
      static_cast<unsigned>(gpu.valueOr(Q::BarriersPerSM, 0));
  limits.carveouts.append(gpu.sharedCarveouts.begin(),
                          gpu.sharedCarveouts.end());
  return limits;
}
