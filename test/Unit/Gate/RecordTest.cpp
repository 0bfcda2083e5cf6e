// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RecordParts.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <random>

using namespace auspex;

/// An input in which no two numbers are equal.
static OperationalInput makeInput() {
  OperationalInput input;
  double next = 1;
  input.blocks = next++;
  input.warpsPerBlock = next++;
  input.activeBlocksPerSM = next++;
  input.maxWarpsPerSM = next++;
  for (const InstructionClassInfo &info : instructionClassInfos()) {
    input.instructions[info.id] = next++;
    input.path[info.id] = next++;
    input.threeOperands[info.id] = next++;
  }
  input.shareAtWork = 0.5;
  for (double *number : {&input.activeLanes,
                         &input.sharedPasses,
                         &input.fewestSharedPasses,
                         &input.sharedRequests,
                         &input.sharedAtomics.requests,
                         &input.sharedAtomics.faoJobs,
                         &input.sharedAtomics.casJobs,
                         &input.sharedAtomics.passes,
                         &input.sharedAtomics.popcIncJobs,
                         &input.sharedAtomics.popcIncPasses,
                         &input.globalAtomicSteps,
                         &input.requestedLoadInBytes,
                         &input.requestedStoreInBytes,
                         &input.fewestLoadInBytes,
                         &input.fewestStoreInBytes,
                         &input.partialStores,
                         &input.l1Cycles,
                         &input.l2LoadInBytes,
                         &input.l2StoreInBytes,
                         &input.dramLoadInBytes,
                         &input.dramStoreInBytes,
                         &input.dramIdleInBytes})
    *number = next++;
  return input;
}

// What the model's list says is read back whole: a member that is added to the
// input and not read here shows.
TEST(Record, TheInputOfTheModelIsReadBack) {
  llvm::json::Value list = listValues(makeInput()).toJSON();
  std::string text;
  llvm::raw_string_ostream(text) << list;
  Node node = llvm::cantFail(parseDocument(text, "input.json"));
  std::optional<OperationalInput> input = readOperationalInput(node);
  ASSERT_TRUE(input);
  EXPECT_EQ(llvm::json::Value(listValues(*input).toJSON()), list);
}

TEST(Record, AnInputThatLacksANumberIsNone) {
  Node node = llvm::cantFail(parseDocument(R"({"blocks": 1})", "input.json"));
  EXPECT_FALSE(readOperationalInput(node));
}
