// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Demands.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace auspex;
using enum InstructionClass;

static bool isGlobal(InstructionClass id) {
  return id == LoadGlobal || id == StoreGlobal || id == AtomicGlobal ||
         id == CopyAsync || id == Texture;
}
static bool isShared(InstructionClass id) {
  return id == LoadShared || id == StoreShared;
}
static bool isSharedAtomic(InstructionClass id) { return id == AtomicShared; }
static bool isLocal(InstructionClass id) {
  return id == LoadLocal || id == StoreLocal;
}
static bool isBarrier(InstructionClass id) { return id == Barrier; }
static bool isFloatingPoint(InstructionClass id) {
  return id == Fp32 || id == Fp64 || id == Fp16 || id == Tensor ||
         id == Convert || id == ConvertWide;
}
static bool isSpecial(InstructionClass id) { return id == Sfu; }
static bool isOther(InstructionClass id) {
  return !isGlobal(id) && !isShared(id) && !isSharedAtomic(id) &&
         !isLocal(id) && !isBarrier(id) && !isFloatingPoint(id) &&
         !isSpecial(id);
}
static bool isNone(InstructionClass) { return false; }

static void copyNothing(OperationalInput &, const OperationalInput &) {}
static void copyLaunch(OperationalInput &to, const OperationalInput &from) {
  to.blocks = from.blocks;
  to.warpsPerBlock = from.warpsPerBlock;
}
static void copyOccupancy(OperationalInput &to, const OperationalInput &from) {
  to.activeBlocksPerSM = from.activeBlocksPerSM;
}
static void copyGlobal(OperationalInput &to, const OperationalInput &from) {
  to.requestedLoadInBytes = from.requestedLoadInBytes;
  to.requestedStoreInBytes = from.requestedStoreInBytes;
  to.fewestLoadInBytes = from.fewestLoadInBytes;
  to.fewestStoreInBytes = from.fewestStoreInBytes;
  to.partialStores = from.partialStores;
  to.l1Cycles = from.l1Cycles;
  to.l2LoadInBytes = from.l2LoadInBytes;
  to.l2StoreInBytes = from.l2StoreInBytes;
  to.dramLoadInBytes = from.dramLoadInBytes;
  to.dramStoreInBytes = from.dramStoreInBytes;
  to.dramIdleInBytes = from.dramIdleInBytes;
  to.globalAtomicSteps = from.globalAtomicSteps;
  to.globalWaits = from.globalWaits;
}
static void copyShared(OperationalInput &to, const OperationalInput &from) {
  to.sharedRequests = from.sharedRequests;
  to.sharedPasses = from.sharedPasses;
  to.fewestSharedPasses = from.fewestSharedPasses;
}
static void copySharedAtomics(OperationalInput &to,
                              const OperationalInput &from) {
  to.sharedAtomics = from.sharedAtomics;
}

static void copyBarriers(OperationalInput &to, const OperationalInput &from) {
  to.shareAtWork = from.shareAtWork;
  to.phaseCycles = from.phaseCycles;
  to.fillingWork = from.fillingWork;
  to.fillingWaits = from.fillingWaits;
}

static void copyLocal(OperationalInput &to, const OperationalInput &from) {
  to.localWaits = from.localWaits;
}

static void copyConstants(OperationalInput &to, const OperationalInput &from) {
  to.constantWords = from.constantWords;
}

static constexpr Demand demands[] = {
    {"launch", isNone, copyLaunch},
    {"occupancy", isNone, copyOccupancy},
    {"global-memory", isGlobal, copyGlobal},
    {"shared-memory", isShared, copyShared},
    {"shared-atomics", isSharedAtomic, copySharedAtomics},
    {"local-memory", isLocal, copyLocal},
    {"barriers", isBarrier, copyBarriers},
    {"floating-point", isFloatingPoint, copyNothing},
    {"special-functions", isSpecial, copyNothing},
    {"other-instructions", isOther, copyConstants},
};

OperationalInput auspex::with(OperationalInput to, const OperationalInput &from,
                              const Demand &demand) {
  demand.copy(to, from);
  for (const InstructionClassInfo &info : instructionClassInfos())
    if (demand.counts(info.id)) {
      to.instructions[info.id] = from.instructions[info.id];
      to.path[info.id] = from.path[info.id];
      to.longestPath[info.id] = from.longestPath[info.id];
      to.threeOperands[info.id] = from.threeOperands[info.id];
      to.asMultiplyAdds[info.id] = from.asMultiplyAdds[info.id];
      to.atomicRetries[info.id] = from.atomicRetries[info.id];
    }
  return to;
}

bool auspex::hasGrown(const Demand &demand, const OperationalInput &base,
                      const OperationalInput &head) {
  OperationalInput changed = base;
  demand.copy(changed, head);
  // More waits are a longer chain, and longer phases are more work.
  changed.globalWaits = base.globalWaits;
  changed.localWaits = base.localWaits;
  changed.phaseCycles = base.phaseCycles;
  changed.fillingWork = base.fillingWork;
  changed.fillingWaits = base.fillingWaits;
  if (changed != base)
    return true;
  return llvm::any_of(instructionClassInfos(),
                      [&](const InstructionClassInfo &info) {
                        double before = base.instructions[info.id];
                        return demand.counts(info.id) &&
                               head.instructions[info.id] > before * (1 + 1e-5);
                      });
}

llvm::ArrayRef<Demand> auspex::allDemands() { return demands; }

const Demand &auspex::demandOf(llvm::StringRef id) {
  return *llvm::find_if(demands,
                        [&](const Demand &demand) { return demand.id == id; });
}

DemandCosts::DemandCosts(const OperationalInput &base,
                         const OperationalInput &head, const GPU &gpu)
    : base(base), head(head), gpu(gpu), baseTime(time(base)),
      headTime(time(head)) {}

double DemandCosts::of(const Demand &demand) const {
  return std::max(time(with(base, head, demand)) - baseTime,
                  headTime - time(with(head, base, demand)));
}

double DemandCosts::time(const OperationalInput &input) const {
  return evaluateOperational(input, gpu).timeInUs;
}
