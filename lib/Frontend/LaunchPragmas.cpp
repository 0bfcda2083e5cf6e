// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Frontend/LaunchPragmas.h"

#include "auspex/Frontend/Warning.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

using namespace auspex;

namespace {

class LaunchPragmaHandler : public clang::PragmaHandler {
public:
  explicit LaunchPragmaHandler(
      std::shared_ptr<std::vector<LaunchPragma>> pragmas)
      : PragmaHandler("auspex"), pragmas(std::move(pragmas)) {}

  void HandlePragma(clang::Preprocessor &preprocessor,
                    clang::PragmaIntroducer introducer,
                    clang::Token &token) override {
    if (!pragmas)
      return;
    clang::SourceLocation location = token.getLocation();
    std::string text, problem = readLaunch(preprocessor, text);
    if (problem.empty())
      pragmas->push_back({location, std::move(text)});
    else
      warn(preprocessor.getDiagnostics(), location, problem,
           clang::diag::Group::Pragmas);
  }

private:
  std::shared_ptr<std::vector<LaunchPragma>> pragmas;

  /// Puts what stands between the parentheses into \p text; the result is what
  /// is wrong with the pragma.
  static std::string readLaunch(clang::Preprocessor &preprocessor,
                                std::string &text) {
    clang::Token token;
    preprocessor.LexUnexpandedToken(token);
    bool isLaunch = token.is(clang::tok::identifier) &&
                    token.getIdentifierInfo()->isStr("launch");
    if (isLaunch)
      preprocessor.LexUnexpandedToken(token);
    if (!isLaunch || token.isNot(clang::tok::l_paren))
      return "expected '#pragma auspex launch(grid:80x1x1, block:256, n=1024)'";
    if (!readToEnd(preprocessor, text))
      return "expected ')' at the end of '#pragma auspex launch(...)'";
    return "";
  }

  /// Keys and parameter names are taken as they stand, even where there is a
  /// macro of that name; values are expanded.
  static bool readToEnd(clang::Preprocessor &preprocessor, std::string &text) {
    clang::Token token;
    bool isKey = true;
    std::string pending; // held back: the last token has to be ')'
    for (;;) {
      if (isKey)
        preprocessor.LexUnexpandedToken(token);
      else
        preprocessor.Lex(token);
      if (token.is(clang::tok::eod))
        return pending == ")";
      if (token.is(clang::tok::eof))
        return false;
      text += pending;
      if (token.hasLeadingSpace())
        text += ' ';
      pending = preprocessor.getSpelling(token);
      isKey = token.is(clang::tok::comma);
    }
  }
};

} // namespace

void auspex::addPragmaHandler(
    clang::Preprocessor &preprocessor,
    std::shared_ptr<std::vector<LaunchPragma>> pragmas) {
  preprocessor.AddPragmaHandler(new LaunchPragmaHandler(std::move(pragmas)));
}
