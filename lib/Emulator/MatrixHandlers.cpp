// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices in the registers of a warp.
#include "Handlers.h"

using namespace auspex::emulator;

void auspex::emulator::addMatrixHandlers(HandlerTable &) {}
