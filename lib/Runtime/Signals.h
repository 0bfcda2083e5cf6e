// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The end of the process, as far as a record has to be written then.
#ifndef AUSPEX_LIB_RUNTIME_SIGNALS_H
#define AUSPEX_LIB_RUNTIME_SIGNALS_H

#include "Runtime.h"

namespace auspex::cuda {

/// From now on SIGINT and SIGTERM stop the launch that runs, write the record
/// and end the process as they would have; unless the program handles them
/// itself.
void writeRecordOnSignals(Runtime &runtime);

} // namespace auspex::cuda

#endif
