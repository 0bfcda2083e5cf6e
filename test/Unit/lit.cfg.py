# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import lit.formats

config.name = "Auspex-Unit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.suffixes = []
config.test_source_root = config.auspex_unit_dir
config.test_exec_root = config.auspex_unit_dir
config.environment["AUSPEX_SOURCE_DIR"] = config.auspex_source_dir
