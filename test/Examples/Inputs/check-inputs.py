# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-inputs.py PREDICTIONS KERNEL MODEL KEY=VALUE...

Fails unless the inputs of MODEL in the first prediction of KERNEL (demangled,
up to its parenthesis) are the values, which are arithmetic.
"""
import json
import math
import sys

document, kernel, model = sys.argv[1:4]
with open(document) as file:
    prediction = next(p for p in json.load(file)["predictions"]
                      if p["demangled"].split("(")[0] == kernel)
inputs = prediction["inputs"][model]
wrong = False
for item in sys.argv[4:]:
    key, text = item.split("=")
    expected = eval(text, {"__builtins__": {}})
    if not math.isclose(inputs[key], expected, rel_tol=1e-9):
        wrong = True
        print(f"{kernel}: {model}: {key} is {inputs[key]}, not {expected}")
sys.exit(wrong)
