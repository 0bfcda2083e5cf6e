// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccOptimizer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace auspex;
using llvm::StringRef;

namespace {
/// An option of LLVM.
struct Option {
  StringRef name, value;
};
} // namespace

/// nvcc unrolls loops of a known count that index private arrays much further,
/// which keeps these in registers: the tiles of tiled products. It goes through
/// arrays with a pointer to each, not with an index that is added to all of
/// them. And it computes a tile before it looks which of its elements to store;
/// clang moves the sums of each to where it is stored, and keeps alive what
/// they share. What a loop does not change it computes in front of it, but for
/// comparisons, which stay with their branches. It takes no first turns out of
/// a loop because a condition is another one there; of the last turn alone the
/// copies of an unrolled loop are as free as if it were taken out. Of `a && b`
/// it computes b at once if that takes up to four instructions, so that one
/// branch is left. Of a loop it makes two for a condition that does not change
/// in it, up to 150 instructions. And it inlines functions of thousands of
/// instructions wherever they are called; the threshold stands for about the
/// size that is inlined in the end (Preparation.cpp), too late for private
/// arrays to become registers. A cyclic redundancy check it computes bit by
/// bit, without a table.
static constexpr Option Options[] = {
    {"-unroll-threshold=", "3000"},
    {"-lsr-insns-cost=", "1"},
    {"-instcombine-code-sinking=", "0"},
    {"-disable-machine-sink=", "1"},
    {"-disable-machine-licm=", "1"},
    {"-bonus-inst-threshold=", "4"},
    {"-unswitch-threshold=", "150"},
    {"-unroll-peel-max-count=", "1"},
    {"-inline-threshold=", "9000"},
    {"-disable-loop-idiom-hashrecognize=", "1"}};

/// Square roots are rounded as IEEE 754 says, unless the flags ask otherwise.
static constexpr Option RoundedRoots = {"-nvvm-reflect-add=",
                                        "__CUDA_PREC_SQRT=1"};

std::vector<std::string>
auspex::flagsToOptimizeAsNvcc(llvm::ArrayRef<std::string> userFlags) {
  // nvcc has addresses of 32 bits in shared and constant memory, which take up
  // what is added to an index. And a lane may shuffle what it has not set, as
  // all but the leader do: not all lanes are leaders then.
  std::vector<std::string> flags{"-fplugin-arg-auspex-nvcc", "-fcuda-short-ptr",
                                 "-Xclang", "-no-enable-noundef-analysis"};
  auto add = [&](const Option &option) {
    if (llvm::none_of(userFlags, [&](StringRef flag) {
          return flag.contains(option.name);
        }))
      llvm::append_values(flags, "-mllvm",
                          option.name.str() + option.value.str());
  };
  for (const Option &option : Options)
    add(option);
  if (!llvm::is_contained(userFlags, "-ffast-math") &&
      !llvm::is_contained(userFlags, "-fgpu-approx-transcendentals"))
    add(RoundedRoots);
  return flags;
}
