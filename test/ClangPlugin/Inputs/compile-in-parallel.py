# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compile-in-parallel.py FOLDER COMMAND ARGUMENT...

Makes folders 0 to 15 in FOLDER, each with a k.cu of its own kernel, and runs the
command on all of them, several at a time, twice: as a build does and a rebuild.
"""
import concurrent.futures
import pathlib
import subprocess
import sys

folder, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
sources = []
for number in range(16):
    source = folder / str(number) / "k.cu"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(f"__global__ void k{number}(float *a) "
                      "{ a[threadIdx.x] = 1; }\n")
    sources.append(source)
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    for done in pool.map(lambda source: subprocess.run(command + [source]),
                         2 * sources):
        done.check_returncode()
