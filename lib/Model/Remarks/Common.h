// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What several remark rules share.
#ifndef AUSPEX_LIB_MODEL_REMARKS_COMMON_H
#define AUSPEX_LIB_MODEL_REMARKS_COMMON_H

#include "auspex/Model/Remark.h"
#include "auspex/Support/Table.h"
#include "llvm/ADT/STLExtras.h"

namespace auspex::remarks {

/// The places of accesses to memory of \p space. A space that is not known
/// counts as global memory, which it mostly is.
inline auto placesOf(const RemarkContext &context, MemorySpace space) {
  return llvm::make_filter_range(
      context.places, [space](const AccessPlace &place) {
        MemorySpace own = place.access->space;
        return own == space ||
               (space == MemorySpace::Global && own == MemorySpace::Unknown);
      });
}

/// "load of 4 B a lane", "atomic add of 8 B a lane".
std::string describe(const Access &access);

/// The word for what keeps an address open; empty for what nobody stated.
llvm::StringRef reasonOfOpenAddress(const Access &access,
                                    const KernelSummary &summary);

/// Whether an address would be known if somebody stated arguments.
inline bool hangsOnArgumentsAlone(const Access &access,
                                  const KernelSummary &summary) {
  return access.offset.isKnown() &&
         reasonOfOpenAddress(access, summary).empty();
}

/// Whether what is gained is noise of the model: below a thousandth.
inline bool isNoise(const RemarkContext &context, double gainInUs) {
  return gainInUs < context.timeInUs * 1e-3;
}

/// "; without it 12.3 us (45 %) less", of \p what, or that nothing would be
/// gained.
std::string describeGain(const RemarkContext &context, double gainInUs,
                         llvm::StringRef what = "it");

} // namespace auspex::remarks

#endif
