// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts that programs were compiled with: offsets of CUDA's own headers.
#include "DeviceProperties.h"
#include "CudaTypes.h"
#include "gtest/gtest.h"

using namespace auspex::cuda;

TEST(DeviceProperties, OfCuda12) {
  using P = DeviceProperties12;
  EXPECT_EQ(offsetof(P, totalGlobalMem), 288u);
  EXPECT_EQ(offsetof(P, clockRate), 348u);
  EXPECT_EQ(offsetof(P, major), 360u);
  EXPECT_EQ(offsetof(P, multiProcessorCount), 388u);
  EXPECT_EQ(offsetof(P, memoryClockRate), 608u);
  EXPECT_EQ(offsetof(P, sharedMemPerBlockOptin), 696u);
}

TEST(DeviceProperties, OfCuda13) {
  using P = DeviceProperties13;
  EXPECT_EQ(offsetof(P, totalGlobalMem), 288u);
  EXPECT_EQ(offsetof(P, totalConstMem), 352u);
  EXPECT_EQ(offsetof(P, multiProcessorCount), 384u);
  EXPECT_EQ(offsetof(P, l2CacheSize), 596u);
  EXPECT_EQ(offsetof(P, sharedMemPerBlockOptin), 672u);
}

TEST(CudaTypes, Errors) {
  EXPECT_EQ(Success, 0);
  EXPECT_EQ(IllegalAddress, 700);
  EXPECT_EQ(CooperativeLaunchTooLarge, 720);
}
