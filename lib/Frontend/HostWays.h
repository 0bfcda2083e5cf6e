// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ways on which the program comes to a piece of host code.
#ifndef AUSPEX_LIB_FRONTEND_HOSTWAYS_H
#define AUSPEX_LIB_FRONTEND_HOSTWAYS_H

#include "Callers.h"
#include "HostEvaluator.h"

namespace auspex {

/// What is taken for granted on a way, and what has to hold for the program to
/// go there.
struct HostWay {
  Supposition supposition;
  std::vector<Condition> needed;
};

class HostWays {
public:
  HostWays(Callers &callers, HostEvaluator &evaluator)
      : callers(callers), evaluator(evaluator) {}

  /// Gives \p follow each way to \p site through the functions that call each
  /// other; where it asks for the arguments of the program, also that of a
  /// program without any, or of one with those alone that choose the way.
  void follow(const Site &site, llvm::function_ref<void(HostWay)> follow);

  /// \p way with each combination of the choices on which hangs what \p ask
  /// asks the evaluator, unless something that is needed is known not to hold:
  /// of loops over sizes, each is taken. Of too many, 256 that are spread over
  /// all.
  std::vector<Supposition> choices(HostWay way, llvm::function_ref<void()> ask);

private:
  Callers &callers;
  HostEvaluator &evaluator;

  HostWay along(const Site &site, const CallPath &path, bool withoutArguments);
  bool isPossible(const HostWay &way);
  bool isRuledOut(const HostWay &way);
  std::vector<int64_t> possibleValues(const Choice &choice,
                                      const Supposition &one,
                                      const HostWay &way);
};

} // namespace auspex

#endif
