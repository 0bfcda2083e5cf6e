// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What two versions of a kernel ask of a GPU, by kinds, and what the growth of
/// one kind costs.
#ifndef AUSPEX_LIB_GATE_DEMANDS_H
#define AUSPEX_LIB_GATE_DEMANDS_H

#include "auspex/Model/Operational.h"

namespace auspex {

/// A kind of demand: which part of the model's input it is.
struct Demand {
  llvm::StringRef id;
  /// Of its machine instructions.
  bool (*counts)(InstructionClass);
  /// Copies the rest of it.
  void (*copy)(OperationalInput &to, const OperationalInput &from);
};

/// Each part of the input is of one of them.
llvm::ArrayRef<Demand> allDemands();
/// \p id is that of one.
const Demand &demandOf(llvm::StringRef id);

/// \p to with the \p demand of \p from.
OperationalInput with(OperationalInput to, const OperationalInput &from,
                      const Demand &demand);
/// Whether more is asked for, and not only in a longer chain.
bool hasGrown(const Demand &demand, const OperationalInput &base,
              const OperationalInput &head);

/// What the growth of one demand alone costs. The inputs and the GPU outlive
/// it.
class DemandCosts {
public:
  DemandCosts(const OperationalInput &base, const OperationalInput &head,
              const GPU &gpu);

  /// In us; negative if it saves.
  double of(const Demand &demand) const;

private:
  const OperationalInput &base, &head;
  const GPU &gpu;
  double baseTime, headTime;

  double time(const OperationalInput &input) const;
};

} // namespace auspex

#endif
