// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Demands.h"
#include "RecordParts.h"
#include "auspex/Model/OperationalMembers.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <random>

using namespace auspex;

/// An input in which no two numbers are equal.
static OperationalInput makeInput() {
  OperationalInput input;
  double next = 1;
  visitMembers(input, [&](llvm::StringRef, llvm::StringRef, auto &member) {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(member)>>)
      member = next++;
    else
      for (const InstructionClassInfo &info : instructionClassInfos())
        member[info.id] = next++;
  });
  for (double *share :
       {&input.shareAtWork, &input.fillingWork, &input.fillingWaits})
    *share = 1 / *share;
  return input;
}

// The gate sees what is visited alone. Less than a number may be left, which
// fills up the struct.
TEST(Record, AllMembersOfTheInputAreVisited) {
  size_t visited = 0;
  OperationalInput input;
  visitMembers(input, [&](llvm::StringRef, llvm::StringRef,
                          const auto &member) { visited += sizeof(member); });
  EXPECT_LE(visited, sizeof(OperationalInput));
  EXPECT_LT(sizeof(OperationalInput) - visited, sizeof(double));
}

TEST(Record, TheInputOfTheModelIsReadBack) {
  llvm::json::Value list = listValues(makeInput()).toJSON();
  std::string text;
  llvm::raw_string_ostream(text) << list;
  Node node = llvm::cantFail(parseDocument(text, "input.json"));
  std::optional<OperationalInput> input = readOperationalInput(node);
  ASSERT_TRUE(input);
  EXPECT_EQ(*input, makeInput());
}

// What differs costs something, or is a demand at least that differs.
TEST(Record, EachMemberBelongsToADemand) {
  const OperationalInput base = makeInput();
  OperationalInput head = base;
  visitMembers(head, [&](llvm::StringRef key, llvm::StringRef, auto &member) {
    if (key == "max_warps_per_sm" || key == "active_lanes")
      return; // of what-ifs alone
    auto before = member;
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(member)>>)
      member += 1000;
    else
      member[InstructionClass::Fp32] += 1000;
    EXPECT_TRUE(llvm::any_of(allDemands(), [&](const Demand &demand) {
      return with(base, head, demand) != base;
    })) << key.str();
    member = before;
  });
}

TEST(Record, AShareIsNoMoreThanOne) {
  for (double OperationalInput::*share :
       {&OperationalInput::shareAtWork, &OperationalInput::fillingWork,
        &OperationalInput::fillingWaits}) {
    OperationalInput input = makeInput();
    input.*share = 1.5;
    std::string text;
    llvm::raw_string_ostream(text)
        << llvm::json::Value(listValues(input).toJSON());
    Node node = llvm::cantFail(parseDocument(text, "input.json"));
    EXPECT_FALSE(readOperationalInput(node));
  }
}

TEST(Record, AnInputThatLacksANumberIsNone) {
  Node node = llvm::cantFail(parseDocument(R"({"blocks": 1})", "input.json"));
  EXPECT_FALSE(readOperationalInput(node));
}
