// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Worked cases of a model: one {"input": ..., "expected": ...} a line, read
/// the way the command reads them and compared with a relative tolerance of
/// 1e-9.
#ifndef AUSPEX_TEST_UNIT_MODEL_REFERENCECASES_H
#define AUSPEX_TEST_UNIT_MODEL_REFERENCECASES_H

#include "Random.h"

#include "auspex/Support/Document.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

#include <cmath>

namespace auspex::test {

inline Node parse(llvm::StringRef text) {
  return llvm::cantFail(parseDocument(text, "in.json"));
}

inline void expectNear(const llvm::json::Value &actual,
                       const llvm::json::Value &expected, llvm::StringRef key) {
  if (auto number = expected.getAsNumber()) {
    ASSERT_TRUE(actual.getAsNumber()) << key.str();
    EXPECT_NEAR(*actual.getAsNumber(), *number, 1e-9 * std::abs(*number))
        << key.str();
    return;
  }
  EXPECT_EQ(actual, expected) << key.str();
}

/// Calls \p evaluate (Node to JSON object) for each line of \p file.
template <typename Evaluate>
void checkReference(llvm::StringRef file, Evaluate evaluate) {
  auto buffer = llvm::MemoryBuffer::getFile(
      llvm::Twine(AUSPEX_TEST_DATA "/Inputs/") + file);
  ASSERT_TRUE(buffer);
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  EXPECT_EQ(lines.size(), 40u);
  for (llvm::StringRef line : lines) {
    llvm::json::Value row = llvm::cantFail(llvm::json::parse(line));
    llvm::json::Value *input = row.getAsObject()->get("input");
    SCOPED_TRACE(llvm::formatv("{0}", *input).str());
    llvm::json::Object actual =
        evaluate(parse(llvm::formatv("{0}", *input).str()));
    for (const auto &[key, value] : *row.getAsObject()->getObject("expected")) {
      const llvm::json::Value *found = actual.get(key);
      ASSERT_TRUE(found) << llvm::StringRef(key).str();
      expectNear(*found, value, key);
    }
  }
}

} // namespace auspex::test

#endif
