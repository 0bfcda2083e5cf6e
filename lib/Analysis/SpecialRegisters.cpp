// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SpecialRegisters.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace auspex;

llvm::StringRef auspex::specialRegister(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return "tid.x";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y:
    return "tid.y";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return "tid.z";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return "ctaid.x";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    return "ctaid.y";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return "ctaid.z";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return "ntid.x";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return "ntid.y";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return "ntid.z";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return "nctaid.x";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return "nctaid.y";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return "nctaid.z";
  default:
    return "";
  }
}
