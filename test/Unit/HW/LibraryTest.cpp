// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/HW/GPU.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace auspex;
using llvm::StringRef;

namespace {

std::string nameOf(StringRef name) {
  llvm::Expected<GPU> gpu = findGPU(name);
  return gpu ? gpu->name : llvm::toString(gpu.takeError());
}

TEST(FindGPU, IgnoresCaseAndSeparators) {
  for (StringRef name : {"V100-PCIe", "v100_pcie", "V100 PCIE", "V100PCIe"})
    EXPECT_EQ(nameOf(name), "V100-PCIe");
}

TEST(FindGPU, KnowsAliases) {
  EXPECT_EQ(nameOf("A100"), "A100-40GB");
  EXPECT_EQ(nameOf("NVIDIA A100-PCIE-40GB"), "A100-40GB");
  EXPECT_EQ(nameOf("Quadro FX5600"), "FX5600");
  EXPECT_EQ(nameOf("Tesla C2050"), "C2050");
  EXPECT_EQ(nameOf("2080 Ti"), "RTX-2080-Ti");
  EXPECT_EQ(nameOf("A6000"), "RTX-A6000");
}

TEST(FindGPU, TakesArchitectures) {
  EXPECT_EQ(nameOf("sm_80"), "A100-40GB");
  EXPECT_EQ(nameOf("sm_90a"), "H100-SXM");
  EXPECT_EQ(nameOf("compute_86"), "RTX-A6000");
  EXPECT_EQ(nameOf("7.5"), "T4");
}

TEST(FindGPU, NamesWhatIsNear) {
  EXPECT_EQ(nameOf("A100-48GB"), "unknown GPU 'A100-48GB'; did you mean "
                                 "A100-40GB, A100-80GB or A100-PCIe?");
  EXPECT_EQ(nameOf("zzzzzzzzzz"),
            "unknown GPU 'zzzzzzzzzz'; 'auspex gpu list' lists them");
}

TEST(FindGPU, ReadsAFile) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("mine", "yaml", path));
  {
    std::error_code code;
    llvm::raw_fd_ostream file(path, code);
    StringRef text = findEmbedded("T4")->text;
    file << "# mine\n" << text;
  }
  EXPECT_EQ(nameOf(path), "T4");
  llvm::sys::fs::remove(path);
  EXPECT_NE(nameOf(path).find("cannot be read"), std::string::npos);
}

TEST(GpuNames, AreSortedByCapabilityThenName) {
  std::vector<std::string> names = gpuNames();
  EXPECT_GE(names.size(), 30u);
  std::vector<std::pair<unsigned, std::string>> keys;
  for (const std::string &name : names)
    keys.emplace_back(llvm::cantFail(findGPU(name)).arch, name);
  EXPECT_TRUE(llvm::is_sorted(keys));
}

TEST(GpuForArch, FallsBackToTheNextLowerOne) {
  EXPECT_EQ(gpuForArch(62), "GTX-1080-Ti");
  EXPECT_EQ(gpuForArch(87), "Jetson-AGX-Orin");
  EXPECT_EQ(gpuForArch(88), "Jetson-AGX-Orin");
  EXPECT_EQ(gpuForArch(103), "B200");
  EXPECT_EQ(gpuForArch(61), "GTX-1080-Ti");
  EXPECT_EQ(gpuForArch(50), "GTX-980") << "no Kepler";
  EXPECT_EQ(gpuForArch(37), "K20") << "the first by name";
  EXPECT_EQ(gpuForArch(5), "");
}

TEST(ParseArch, ReadsWhatPeopleWrite) {
  EXPECT_EQ(parseArch("sm_80"), 80u);
  EXPECT_EQ(parseArch("SM_121"), 121u);
  EXPECT_EQ(parseArch("compute_90a"), 90u);
  EXPECT_EQ(parseArch("sm_100f"), 100u);
  EXPECT_EQ(parseArch("10.0"), 100u);
  for (StringRef wrong : {"sm_", "sm_x", "80", "8.", "8.00", "T4", ""})
    EXPECT_EQ(parseArch(wrong), std::nullopt) << wrong.str();
}

TEST(Provenance, SaysWhatIsBorrowed) {
  GPU gpu = llvm::cantFail(findGPU("RTX-A6000"));
  EXPECT_EQ(gpu.borrowedFrom(),
            (std::vector<std::string>{"A40", "RTX-3080", "A100-40GB", "H200",
                                      "H100-SXM", "RTX-4070", "RTX-4090"}))
      << "the most used one first";
  std::array<unsigned, 4> kinds = gpu.countByKind();
  unsigned sum = 0;
  for (const QuantityInfo &info : quantityInfos())
    sum += gpu.has(info.id);
  EXPECT_EQ(kinds[0] + kinds[1] + kinds[2] + kinds[3], sum);
  EXPECT_TRUE(StringRef(gpu.provenanceText())
                  .ends_with("; borrows from A40, RTX-3080, A100-40GB, H200, "
                             "H100-SXM, RTX-4070, RTX-4090"));
}

} // namespace
