// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Analysis/ModuleParts.h"

#include "auspex/Analysis/ModuleAnalysis.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace auspex;

namespace {

/// Code that loads %v0 and adds to it, up to %v<additions>.
std::string sum(unsigned additions) {
  std::string text = "  %v0 = load i32, ptr @state\n";
  for (unsigned i = 0; i < additions; ++i)
    text += llvm::formatv("  %v{0} = add i32 %v{1}, 3\n", i + 1, i);
  return text;
}

/// A kernel of the name with as many additions.
std::string kernel(llvm::StringRef name, unsigned additions) {
  return llvm::formatv("${0} = comdat any\n"
                       "define weak_odr ptx_kernel void @{0}(ptr %out) comdat "
                       "{{\n{1}  store i32 %v{2}, ptr %out\n  ret void\n}\n",
                       name, sum(additions), additions);
}

struct ModuleParts : testing::Test {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;

  void parse(llvm::StringRef kernels) {
    llvm::SMDiagnostic error;
    std::string text =
        ("target triple = \"nvptx64-nvidia-cuda\"\n"
         "@state = internal externally_initialized global i32 0\n" +
         kernels)
            .str();
    module = llvm::parseAssemblyString(text, error, context);
    ASSERT_TRUE(module) << error.getMessage().str();
  }

  std::unique_ptr<llvm::Module> read(const ModulePart &part) {
    llvm::SmallVector<char, 0> bitcode;
    llvm::raw_svector_ostream os(bitcode);
    llvm::WriteBitcodeToFile(*module, os);
    return llvm::cantFail(
        readPart({bitcode.data(), bitcode.size()}, part, context));
  }
};

std::vector<std::string> kernelsOf(const llvm::Module &module) {
  std::vector<std::string> names;
  for (const llvm::Function &function : module)
    if (isKernel(function))
      names.push_back(function.getName().str());
  return names;
}

TEST_F(ModuleParts, AreOfAboutTheSameSize) {
  parse(kernel("a", 300) + kernel("b", 900) + kernel("c", 400) +
        kernel("d", 150));
  EXPECT_EQ(divideKernels(*module, 2),
            (std::vector<ModulePart>{{1}, {0, 2, 3}}));
}

TEST_F(ModuleParts, CountWhatKernelsCall) {
  parse("define internal i32 @f() {\n" + sum(800) + "  ret i32 %v800\n}\n" +
        "define ptx_kernel void @a(ptr %out) {\n  %v = call i32 @f()\n"
        "  store i32 %v, ptr %out\n  ret void\n}\n" +
        kernel("b", 300) + kernel("c", 300));
  EXPECT_EQ(divideKernels(*module, 2), (std::vector<ModulePart>{{0}, {1, 2}}));
}

TEST_F(ModuleParts, AreNotMoreThanKernelsNorForSmallModules) {
  parse(kernel("a", 900) + kernel("b", 900));
  EXPECT_EQ(divideKernels(*module, 4).size(), 2u);
  parse(kernel("c", 20) + kernel("d", 20));
  EXPECT_EQ(divideKernels(*module, 4), (std::vector<ModulePart>{{0, 1}}));
  parse("");
  EXPECT_EQ(divideKernels(*module, 4), (std::vector<ModulePart>{{}}));
}

TEST_F(ModuleParts, HaveTheirKernelsAlone) {
  parse(kernel("a", 3) + kernel("b", 3) + kernel("c", 3));
  EXPECT_EQ(kernelsOf(*read({0, 2})), (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(kernelsOf(*read({1})), std::vector<std::string>{"b"});
}

TEST_F(ModuleParts, TakeNoVariableForConstantThatAnotherWrites) {
  parse(kernel("a", 3) + "define ptx_kernel void @writes() {\n"
                         "  store i32 1, ptr @state\n  ret void\n}\n");
  auto part = read({0});
  EXPECT_FALSE(part->getNamedGlobal("state")->hasLocalLinkage());
}

} // namespace
