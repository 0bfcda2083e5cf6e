# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a small document of predictions.

    predictions.py FILE KERNEL=TIME[,KEY=VALUE]...

TIME is a number, LOW..HIGH, EXPECTED:LOW..HIGH or none. Keys: gpu, block, model, line (of the
launch), passes (through the banks, of its one access), version (of the
document).
"""
import json
import sys


def prediction(name, time, gpu="A100-40GB", block="256", model="operational",
               line="9", passes="1", origin="source", accesses="1"):
    result = {
        "kernel": f"_Z{len(name)}{name}i", "demangled": f"{name}(int)",
        "gpu": gpu,
        "launch": {"grid": [80, 1, 1], "block": [int(block), 1, 1],
                   "dynamicShared": 0, "args": {}, "origin": origin,
                   "file": "src/k.cu", "line": int(line)},
        "model": model}
    if ".." in time:
        expected, _, ends = time.rpartition(":")
        result["timeInUs"] = float(expected) if expected else None
        result["timeRangeInUs"] = [float(end) for end in ends.split("..")]
    else:
        result["timeInUs"] = None if time == "none" else float(time)
    requests = 1000
    result |= {
        "limiter": "L1 and shared memory",
        "occupancy": {"activeBlocksPerSM": 8, "activeWarpsPerSM": 64,
                      "occupancy": 1, "limiter": "warps", "registers": 16,
                      "registerOrigin": "estimated"},
        "stations": [], "findings": [
            {"id": "PredictedTime", "kind": "analysis", "file": "src/k.cu",
             "line": 3, "column": 1, "message": "predicted", "args": {}}],
        "accesses": [
            {"file": "src/k.cu", "line": 5, "column": 7, "kind": "load",
             "space": "shared", "bytesPerLane": 4, "object": "@tile",
             "known": True, "requests": requests, "lanes": 32 * requests,
             "bankPasses": requests * int(passes),
             "fewestBankPasses": requests}],
        "lines": [], "loops": [], "coverage": {"accesses": float(accesses),
                                               "loops": 1}}
    return result


version, predictions = 1, []
for argument in sys.argv[2:]:
    first, *rest = argument.split(",")
    name, time = first.split("=")
    if name == "version":
        version = int(time)
        continue
    predictions.append(
        prediction(name, time, **dict(part.split("=") for part in rest)))
with open(sys.argv[1], "w") as file:
    json.dump({"schemaVersion": version, "predictions": predictions}, file,
              indent=1)
