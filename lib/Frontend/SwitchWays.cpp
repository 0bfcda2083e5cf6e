// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SwitchWays.h"

#include "AllCodeVisitor.h"
#include "StatementOrder.h"

using namespace auspex;

bool SwitchWay::isDefault() const {
  return llvm::any_of(labels, llvm::IsaPred<clang::DefaultStmt>);
}

/// Whether a break in \p statement may end the switch around it.
static bool breaksOut(const clang::Stmt *statement) {
  if (!statement || StatementOrder::isLoop(statement) ||
      llvm::isa<clang::SwitchStmt, clang::LambdaExpr>(statement))
    return false;
  return llvm::isa<clang::BreakStmt>(statement) ||
         llvm::any_of(statement->children(), breaksOut);
}

/// Adds \p statement to \p way, taking blocks at its end apart; whether the way
/// ends there.
static bool add(const clang::Stmt *statement, SwitchWay &way) {
  if (llvm::isa<clang::BreakStmt>(statement))
    return true;
  auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement);
  bool leaves = AllCodeVisitor::leaves(statement);
  if (!block || !leaves) {
    way.statements.push_back(statement);
    way.leaves = leaves;
    return leaves;
  }
  bool ends = false;
  for (const clang::Stmt *child : block->body())
    ends = add(child, way);
  return ends;
}

std::optional<std::vector<SwitchWay>>
auspex::waysOf(const clang::SwitchStmt &choice) {
  auto *body = llvm::dyn_cast<clang::CompoundStmt>(choice.getBody());
  if (!body)
    return std::nullopt;
  std::vector<SwitchWay> ways;
  /// Those that have not ended yet.
  size_t firstOpen = 0;
  size_t labels = 0;
  for (const clang::Stmt *statement : body->body()) {
    auto *label = llvm::dyn_cast<clang::SwitchCase>(statement);
    if (label)
      ways.emplace_back();
    for (; label; label = llvm::dyn_cast<clang::SwitchCase>(statement)) {
      auto *one = llvm::dyn_cast<clang::CaseStmt>(label);
      if (one && one->getRHS())
        return std::nullopt;
      ways.back().labels.push_back(label);
      ++labels;
      statement = label->getSubStmt();
    }
    bool ends = false;
    for (size_t i = firstOpen; i < ways.size(); ++i)
      ends = add(statement, ways[i]);
    if (ends)
      firstOpen = ways.size();
  }
  for (auto *label = choice.getSwitchCaseList(); label;
       label = label->getNextSwitchCase())
    --labels;
  bool isOrderly = labels == 0 && llvm::none_of(ways, [](const SwitchWay &way) {
                     return llvm::any_of(way.statements, breaksOut);
                   });
  return isOrderly ? std::optional(std::move(ways)) : std::nullopt;
}
