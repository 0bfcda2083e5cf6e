// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether the numbers of a description fit together. The checks hold for every
/// GPU there has been; a description that breaks one has a typing error or a
/// value in a wrong unit.
#ifndef AUSPEX_LIB_HW_CHECKS_H
#define AUSPEX_LIB_HW_CHECKS_H

#include "auspex/HW/GPU.h"

namespace auspex {

struct Inconsistency {
  /// The number to look at, or none: the carve-outs.
  std::optional<Q> where;
  std::string message;
};

std::vector<Inconsistency> findInconsistencies(const GPU &gpu);

} // namespace auspex

#endif
