# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The case study of Dong and Pai (GPGPU 2025, section 4) beside Auspex.

Runs examples/papers/histograms.cu, built by auspex-clang++, for a Titan V and
an RTX A6000 and prints the utilisation of the units for atomics on shared
memory, the paper's, and which service time, T / n of the GPU's table at this n
and e, would give the paper's figure in the same time.

    shared-atomics-case.py AUSPEX ./histograms
"""

import argparse
import json
import os
import subprocess
import tempfile

# Large images: (GPU, picture, instruction) to the utilisation the paper reports
# of the kernel that takes the channels in order.
PAPER = {
    ("Titan-V", "one colour", "ADD"): 1.00,
    ("Titan-V", "random", "ADD"): 0.76,
    ("RTX-A6000", "one colour", "ADD"): 1.00,
    ("RTX-A6000", "one colour", "POPC.INC"): 0.50,
}
# By how much the other one is faster, one colour and ADD, on the A6000.
SPEEDUP = 1.3


def predictions(auspex, program, gpu):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.json")
        command = [auspex, "run", "--gpu", gpu, "-o", path, "--", program, "large"]
        subprocess.run(command, check=True, capture_output=True)
        with open(path) as document:
            found = json.load(document)["predictions"]
    return sorted(found, key=lambda prediction: prediction["firstLaunch"])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("auspex")
    parser.add_argument("program", help="examples/papers/histograms.cu, built")
    arguments = parser.parse_args()
    auspex, program = arguments.auspex, arguments.program
    print(f"{'GPU':9}  {'picture':10}  {'instruction':11}  {'channels':8}  {'us':>5}  "
          f"{'e':>4}  {'S':>5}  {'U':>5}  paper")
    for gpu in ["Titan-V", "RTX-A6000"]:
        times = {}
        for number, prediction in enumerate(predictions(auspex, program, gpu)):
            # Without POPC.INC it makes no difference that the result is read.
            if gpu == "Titan-V" and number % 4 >= 2:
                continue
            picture = "one colour" if number < 4 else "random"
            order = "in turns" if number % 2 else "in order"
            out = prediction["sharedAtomics"]
            inputs = prediction["inputs"]["shared-atomics"]
            isPopc = inputs["popc_inc_jobs"] > 0
            instruction = "POPC.INC" if isPopc else "ADD"
            service = out["popc_inc_service_cycles" if isPopc else "service_cycles"]
            times[picture, instruction, order] = prediction["timeInUs"], service
            line = (f"{gpu:9}  {picture:10}  {instruction:11}  {order}  "
                    f"{prediction['timeInUs']:5.1f}  {out['e']:4.1f}  {service:5.2f}  "
                    f"{out['utilization']:5.0%}")
            paper = PAPER.get((gpu, picture, instruction)) if number % 2 == 0 else None
            if paper:
                jobs = inputs["popc_inc_jobs"] + inputs["fao_jobs"]
                line += f"  {paper:4.0%}"
                if abs(paper - out["utilization"]) > 0.02:
                    line += f": S would have to be {paper * inputs['sm_cycles'] / jobs:.2f}"
            print(line)
        if gpu == "RTX-A6000":
            before, service = times["one colour", "ADD", "in order"]
            after, _ = times["one colour", "ADD", "in turns"]
            print(f"\n{gpu}, one colour, ADD: {before / after:.2f} times as fast in turns, "
                  f"in the paper {SPEEDUP};\nif the time in turns is right, S in order would "
                  f"have to be {service * SPEEDUP * after / before:.1f};\nif S is right, the time "
                  f"in turns would have to be {before / SPEEDUP:.1f} us")


if __name__ == "__main__":
    main()
