// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output files are whole or not there; what is no file is left in its place.
#include "auspex/Support/File.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace auspex;
namespace fs = llvm::sys::fs;

namespace {

class WriteFile : public testing::Test {
protected:
  llvm::SmallString<128> folder;

  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("auspex-file", folder));
  }
  void TearDown() override { fs::remove_directories(folder); }

  std::string in(llvm::StringRef name) const {
    return (folder + "/" + name).str();
  }
  static std::string contents(const std::string &path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "none";
  }
  unsigned fileCount() const {
    unsigned count = 0;
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; it != end && !code;
         it.increment(code))
      ++count;
    return count;
  }
};

TEST_F(WriteFile, ReplacesTheWholeAndLeavesNothingElse) {
  llvm::cantFail(writeFile(in("x.json"), "a long first text"));
  llvm::cantFail(writeFile(in("x.json"), "second"));
  EXPECT_EQ(contents(in("x.json")), "second");
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(WriteFile, SaysWhatItCannotWrite) {
  EXPECT_EQ(llvm::toString(writeFile(in("none/x.json"), "text")),
            in("none/x.json") +
                ": cannot be written: No such file or directory");
  EXPECT_EQ(llvm::toString(writeFile(folder, "text")),
            folder.str().str() + ": cannot be written: Is a directory");
  EXPECT_EQ(fileCount(), 0u);
}

TEST_F(WriteFile, KeepsLinks) {
  llvm::cantFail(writeFile(in("x.json"), "first"));
  ASSERT_FALSE(fs::create_link("x.json", in("link.json")));
  llvm::cantFail(writeFile(in("link.json"), "second"));
  EXPECT_TRUE(fs::is_symlink_file(in("link.json")));
  EXPECT_EQ(contents(in("x.json")), "second");
}

TEST_F(WriteFile, LeavesDevicesInPlace) {
  // A link, so that a wrong implementation replaces only that.
  ASSERT_FALSE(fs::create_link("/dev/null", in("null")));
  ASSERT_FALSE(fs::create_link("/dev/full", in("full")));
  llvm::cantFail(writeFile(in("null"), "text"));
  EXPECT_TRUE(fs::is_symlink_file(in("null")));
  EXPECT_EQ(contents(in("null")), "");
  EXPECT_EQ(llvm::toString(writeFile(in("full"), "text")),
            in("full") + ": cannot be written: No space left on device");
}

} // namespace
