# Compares the addresses of joined-values.cu, as the summary on stdin has them,
# with what every thread reads.
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "utils"))
from corpus_figures import Functions, compiled

kernel = json.load(sys.stdin)["kernels"][0]
load = next(a for a in kernel["accesses"] if a["kind"] == "load")
code = compiled(load["offset"])
n, count = 100, 256
for i in range(count):
    at = 3 * i if i < 8 else i + n if i < 16 else 7 if i < 24 else 2 * i
    found = eval(code, {"f": Functions, "v": {"tid.x": i, "arg2": n}})
    if found != 4 * at:
        sys.exit(f"thread {i}: {found}, not {4 * at}")
print(f"{kernel['demangled']}: {count} addresses compared")
