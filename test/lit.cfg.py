# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil
import sys

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
# `auspex predict x.cu` compiles without a toolkit, whether or not this machine
# has one; a test that wants it says CUDA_PATH=%cuda.
config.environment["CUDA_PATH"] = ""

config.substitutions.append(("%clangxx", os.path.join(llvm_bin, "clang++")))
config.substitutions.append(("%python", '"%s"' % sys.executable))
config.substitutions.append(("%libdir", config.auspex_lib_dir))
config.substitutions.append(("%examples", config.auspex_source_dir + "/examples"))
config.substitutions.append(("%source", config.auspex_source_dir))

# Runs a command that has to exit with 2 and one line on stderr, and prints it.
config.substitutions.append(
    ("%refused", '"%s" %s/Inputs/refused.py' % (sys.executable,
                                                config.test_source_root)))

# CUDA without a toolkit, whether or not this machine has one.
cuda_without_toolkit = " ".join([
    os.path.join(llvm_bin, "clang++"),
    "--config=" + config.auspex_source_dir + "/share/cuda/without-toolkit.cfg",
    "-x cuda", "--cuda-gpu-arch=sm_80"])
config.substitutions.append(
    ("%clang_cuda_device",
     cuda_without_toolkit + " --cuda-device-only"))
config.substitutions.append(
    ("%clang_cuda_host", cuda_without_toolkit + " --cuda-host-only"))

# What the clang plugin reads from a source, on stderr.
clang_plugin = "-fplugin=" + config.auspex_lib_dir + "/AuspexClang.so"
config.substitutions.append(("%clang_plugin", clang_plugin))
config.substitutions.append(
    ("%read_launches",
     cuda_without_toolkit + " --cuda-device-only -O1 -S "
     "-o /dev/null -fplugin-arg-auspex-debug " + clang_plugin))

config.substitutions.append(
    ("%opt_auspex", os.path.join(llvm_bin, "opt") + " -load-pass-plugin=" +
     config.auspex_lib_dir + "/AuspexPasses.so -disable-output"))

config.substitutions.append(
    ("%corpus", '"%s" "%s/utils/corpus.py" --build "%s" --clang %s --opt %s '
     "--jobs 1" % (sys.executable, config.auspex_source_dir,
                   os.path.dirname(config.auspex_lib_dir),
                   os.path.join(llvm_bin, "clang++"),
                   os.path.join(llvm_bin, "opt"))))

# LLVM's own programs do not load a plugin that is built with sanitizers.
if shutil.which("clang-14"):
    config.available_features.add("clang-14")

if sys.platform.startswith("linux"):
    config.available_features.add("linux")

if shutil.which("cmake"):
    config.available_features.add("cmake")

if shutil.which("make"):
    config.available_features.add("make")

if shutil.which("pkg-config"):
    config.available_features.add("pkg-config")

if "-fsanitize" not in config.auspex_cxx_flags:
    config.available_features.add("plugins")

# More tests run where there is more to test with.
shared = os.path.join(config.auspex_source_dir, os.pardir, "shared")
if os.path.isdir(os.path.join(shared, "measured")):
    config.available_features.add("measurements")
    config.substitutions.append(("%shared", os.path.realpath(shared)))
cuda = os.environ.get("CUDA_PATH", "/usr/local/cuda")
if os.path.exists(os.path.join(cuda, "bin", "ptxas")):
    config.available_features.add("cuda-toolkit")
    config.substitutions.append(("%cuda", cuda))
    if os.path.exists(os.path.join(cuda, "bin", "nvcc")):
        config.available_features.add("nvcc")
