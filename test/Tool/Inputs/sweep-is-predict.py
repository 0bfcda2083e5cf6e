# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sweep-is-predict.py SWEEP.json KERNEL FILE [OPTION...]

Predicts every launch of a sweep with `auspex predict FILE OPTION...` and fails
where the answers differ in any digit.
"""
import json
import subprocess
import sys

sweeps, kernel, command = sys.argv[1], sys.argv[2], sys.argv[3:]
configurations = json.load(open(sweeps))["sweeps"][0]["configurations"]


def text(launch):
    parts = [f"grid:{'x'.join(map(str, launch['grid']))}",
             f"block:{'x'.join(map(str, launch['block']))}",
             f"shared:{launch['dynamicShared']}"]
    parts += [f"{name}={value}" for name, value in launch["args"].items()]
    return f"--launch={kernel}={','.join(parts)}"


printed = subprocess.run(
    ["auspex", "predict", *command, "--format=json"] +
    [text(configuration["launch"]) for configuration in configurations],
    check=True, stdout=subprocess.PIPE).stdout
predictions = [prediction for prediction in json.loads(printed)["predictions"]
               if prediction["launch"]["origin"] == "command-line"]
assert len(predictions) == len(configurations) > 0
for configuration, prediction in zip(configurations, predictions):
    launch, inputs = prediction["launch"], prediction["inputs"]["operational"]
    warps = inputs["blocks"] * inputs["warps_per_block"]
    for mine, theirs in [
            (configuration["launch"]["grid"], launch["grid"]),
            (configuration["launch"]["block"], launch["block"]),
            (configuration["timeInUs"], prediction["timeInUs"]),
            (configuration["limiter"], prediction["limiter"]),
            (configuration["shareOfLimit"], prediction["shareOfLimit"]),
            (configuration["occupancy"],
             prediction["occupancy"]["occupancy"]),
            (configuration["l2LoadInBytes"],
             inputs["l2_load_bytes"] * warps),
            (configuration["dramStoreInBytes"],
             inputs["dram_store_bytes"] * warps)]:
        if mine != theirs:
            sys.exit(f"{configuration['launch']}: {mine} is not {theirs}")
print("same", len(configurations))
