# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil

import lit.formats

config.name = "Auspex"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".ll", ".cu", ".c"]
config.excludes = ["Inputs", "Unit", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.auspex_test_dir

llvm_bin = config.llvm_tools_dir
config.environment["PATH"] = os.pathsep.join(
    [config.auspex_bin_dir, llvm_bin, os.environ.get("PATH", "")])
config.environment["NO_COLOR"] = "1"

config.substitutions.append(("%clangxx", os.path.join(llvm_bin, "clang++")))
config.substitutions.append(("%libdir", config.auspex_lib_dir))
config.substitutions.append(("%examples", config.auspex_source_dir + "/examples"))
config.substitutions.append(("%source", config.auspex_source_dir))

# More tests run where there is more to test with.
shared = os.path.join(config.auspex_source_dir, os.pardir, "shared")
if os.path.isdir(os.path.join(shared, "measured")):
    config.available_features.add("measurements")
    config.substitutions.append(("%shared", os.path.realpath(shared)))
cuda = os.environ.get("CUDA_PATH", "/usr/local/cuda")
if os.path.exists(os.path.join(cuda, "bin", "ptxas")):
    config.available_features.add("cuda-toolkit")
    config.substitutions.append(("%cuda", cuda))
