// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Frontend/UnrollHints.h"

#include "AllCodeVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"

using namespace auspex;

namespace {
using Places = std::set<std::tuple<std::string, unsigned, unsigned>>;

class HintVisitor : public AllCodeVisitor {
public:
  explicit HintVisitor(const clang::ASTContext &context) : context(context) {}

  bool VisitAttributedStmt(clang::AttributedStmt *statement) override {
    for (const auto *hint :
         clang::getSpecificAttrs<clang::LoopHintAttr>(statement->getAttrs()))
      if (const clang::Expr *count = hint->getValue();
          count && !count->isValueDependent())
        add(statement->getSubStmt()->getBeginLoc(),
            count->EvaluateKnownConstInt(context).isZero());
    return true;
  }

  Places zeros, others;

private:
  const clang::ASTContext &context;

  void add(clang::SourceLocation location, bool isZero) {
    const clang::SourceManager &sources = context.getSourceManager();
    clang::PresumedLoc place = sources.getPresumedLoc(location);
    if (place.isInvalid())
      return;
    llvm::SmallString<128> file(place.getFilename());
    sources.getFileManager().makeAbsolutePath(file);
    (isZero ? zeros : others)
        .emplace(file.str(), place.getLine(), place.getColumn());
  }
};
} // namespace

UnrollHints::UnrollHints(clang::ASTContext &context) {
  HintVisitor visitor(context);
  visitor.visitUserCode(context);
  std::ranges::set_difference(visitor.zeros, visitor.others,
                              std::inserter(zeros, zeros.end()));
}

bool UnrollHints::areZero(llvm::StringRef file, unsigned line,
                          unsigned column) const {
  return zeros.contains({file.str(), line, column});
}
