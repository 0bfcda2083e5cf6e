// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which divisions of integers use what others have computed of the divisor.
#ifndef AUSPEX_LIB_ANALYSIS_SHAREDDIVISIONS_H
#define AUSPEX_LIB_ANALYSIS_SHAREDDIVISIONS_H

#include "MachineValues.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineLoopInfo.h"

namespace auspex {

/// Whether the instruction called \p name divides numbers of so many bits, or
/// gives the remainder: "SDIV32rr", "UREM64ri", "FDIV32rr".
bool divides(llvm::StringRef name, llvm::StringRef bits);

/// A division of 32 bits begins with a reciprocal of the divisor. Where a
/// division before has it, ptxas does not compute it again, and what loops do
/// not change it computes in front of them (CUDA 13, for 8.6).
class SharedDivisions : MachineValues {
public:
  explicit SharedDivisions(const llvm::MachineFunction &machine);

  /// Whether the reciprocal is there where \p division comes to it.
  bool hasReciprocal(const llvm::MachineInstr &division) const {
    return shared.contains(&division);
  }
  /// The division in a loop whose reciprocal is computed behind \p definition,
  /// that of the divisor; null if there is none.
  const llvm::MachineInstr *
  computedBehind(const llvm::MachineInstr &definition) const {
    return outOfLoops.lookup(&definition);
  }

private:
  llvm::DenseSet<const llvm::MachineInstr *> shared;
  llvm::DenseMap<const llvm::MachineInstr *, const llvm::MachineInstr *>
      outOfLoops;

  using Divisions = llvm::SmallVector<const llvm::MachineInstr *, 4>;
  void share(const Divisions &byOne, const llvm::MachineDominatorTree &order,
             const llvm::MachineLoopInfo &loops);
};

} // namespace auspex

#endif
