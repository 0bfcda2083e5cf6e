// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/Values.h"

using namespace auspex;

llvm::json::Object NamedValues::toJSON() const {
  llvm::json::Object object;
  for (const NamedValue &entry : values)
    object[entry.key] = entry.value;
  return object;
}
