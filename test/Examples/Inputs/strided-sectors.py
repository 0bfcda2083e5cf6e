# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""strided-sectors.py SUMMARY

Predicts strided::copy of examples/strided_copy.cu for strides 1 to 33 and
elements of 4, 8 and 16 bytes in one run of auspex, and compares the sectors of
its loads with a count lane by lane.
"""
import json
import subprocess
import sys

SECTOR, LANES, BLOCKS, THREADS = 32, 32, 5, 256
SIZES = {"float": 4, "double": 8, "float4": 16}
cases = [(name, stride) for name in SIZES for stride in range(1, 34)]


def sectors_per_request(size, stride):
    """The mean over all warps of the launch."""
    counts = []
    for first in range(0, BLOCKS * THREADS, LANES):
        touched = {byte // SECTOR
                   for i in range(first, first + LANES)
                   for byte in range(i * stride * size, (i * stride + 1) * size)}
        counts.append(len(touched))
    return sum(counts) / len(counts)


launches = [f"--launch=strided::copy<{name}>=grid:{BLOCKS},block:{THREADS},"
            f"stride={stride}" for name, stride in cases]
printed = subprocess.run(
    ["auspex", "predict", sys.argv[1], "--gpu=A100", "--format=json", *launches],
    check=True, stdout=subprocess.PIPE).stdout
predictions = json.loads(printed)["predictions"]
assert len(predictions) == len(cases), len(predictions)

# The count itself, at two points worked out by hand.
assert sectors_per_request(4, 3) == 12 and sectors_per_request(8, 33) == 32

for (name, stride), prediction in zip(cases, predictions):
    where = f"{name}, stride {stride}"
    size = SIZES[name]
    assert f"strided::copy<{name}>" in prediction["demangled"], where
    assert stride in prediction["launch"]["args"].values(), where
    findings = [f for f in prediction["findings"] if f["id"] == "GlobalAccess"]
    loads = [f for f in findings if f["message"].startswith("load")]
    stores = [f for f in findings if f["message"].startswith("store")]
    assert len(loads) == len(stores) == 1, where
    expected = sectors_per_request(size, stride)
    found = loads[0]["args"]["SectorsPerRequest"]
    assert found == expected, f"{where}: {found} sectors, not {expected}"
    assert stores[0]["args"]["SectorsPerRequest"] == size, where
    # One warp, one request; a float4 may be copied in two halves.
    requests = loads[0]["args"]["Requests"] / (BLOCKS * THREADS // LANES)
    assert requests == 1 or (size == 16 and requests == 2), where
    advised = any(f["id"] == "UncoalescedAccess" for f in prediction["findings"])
    assert size == 16 or advised == (expected >= 2 * size), where
print(f"{len(cases)} launches")
