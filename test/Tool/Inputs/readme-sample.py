# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""readme-sample.py README OUTPUT

Fails if a line of the README's first sample is not in the output: the sample
leaves some out, as "..." does, but has no other ones. Paths are as in the
folder of the project.
"""
import pathlib
import sys

readme, output = (pathlib.Path(path).read_text() for path in sys.argv[1:])
sample = readme.split("$ CUDA_PATH= auspex predict examples/transpose.cu", 1)[1]
lines = sample.split("\n\n", 1)[0].splitlines()[1:]
printed = {line.replace(str(pathlib.Path(sys.argv[1]).parent) + "/", "").strip()
           for line in output.splitlines()}
missing = [line for line in lines
           if line.strip() != "..." and line.strip() not in printed]
if not lines or missing:
    sys.exit("not printed:\n" + "\n".join(missing))
