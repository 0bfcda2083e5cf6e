// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How busy the SMs' units for atomics on shared memory are.
///
/// Source: R. Dong, S. Pai, "Modeling utilization to identify shared-memory
/// atomic bottlenecks", GPGPU 2025. The unit is one server whose service time
/// depends on its load; a job is one atomic instruction of a warp. Equation and
/// table numbers are the paper's.
#ifndef AUSPEX_MODEL_SHAREDATOMICS_H
#define AUSPEX_MODEL_SHAREDATOMICS_H

#include "auspex/HW/GPU.h"
#include "auspex/Model/Values.h"

namespace auspex {

/// Of one SM. The ranges are those readSharedAtomicsInput accepts.
struct SharedAtomicsInput {
  double faoJobs = 0;     ///< N_f: fetch-and-op
  double casJobs = 0;     ///< N_c: compare-and-swap
  double popcIncJobs = 0; ///< N_p: increments of the assembler's own
  double meanPasses = 1;  ///< e of FAO and CAS, 1 to 32
  double popcIncPasses = 1;
  double queueLength = 1; ///< n, above 0
  double smCycles = 1;    ///< T_SM
  /// The first is needed with FAO or CAS jobs, the second with the others.
  std::optional<AtomicTimes> times, popcIncTimes;
};

/// Absent is what there are no jobs for.
struct SharedAtomicsOutput {
  double n = 0, e = 0, c = 0;
  std::optional<double> serviceInCycles;        ///< S(n, e, c), Eq. 3
  std::optional<double> popcIncServiceInCycles; ///< S_p(n, e)
  double busyInCycles = 0;                      ///< B
  double utilization = 0;                       ///< U, at most 1
  /// U where it came out above 1: n was overestimated.
  std::optional<double> overestimate;
};

/// Evaluates Table 2.
SharedAtomicsOutput evaluateSharedAtomics(const SharedAtomicsInput &input);

/// Reads the input from \p document, a mapping with the keys of
/// docs/models/shared-atomics.md. With \p gpu the tables and the warps an SM
/// can hold may be left out. Errors name file, line and key.
llvm::Expected<SharedAtomicsInput>
readSharedAtomicsInput(const Node &document, const GPU *gpu = nullptr,
                       ValueOrigins *origins = nullptr);

/// An error unless there is a table, long enough, for every kind of job; \p who
/// says where they should be.
llvm::Error checkTables(const SharedAtomicsInput &input,
                        const llvm::Twine &who);

/// The values with the keys of docs/models/shared-atomics.md, in its order.
NamedValues listValues(const SharedAtomicsInput &input);
NamedValues listValues(const SharedAtomicsOutput &output);

} // namespace auspex

#endif
