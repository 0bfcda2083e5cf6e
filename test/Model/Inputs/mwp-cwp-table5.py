"""CPI of Hong and Kim's benchmarks (Table 5) on their four GPUs.

Registers and shared memory are the paper's, the active blocks are those of the
occupancy calculator, as there; block sizes are ours. GTX280 joins requests into
segments, of which the paper does not print the number: those of our kernels.

    mwp-cwp-table5.py AUSPEX
"""

import json
import subprocess
import sys

#            computation, coalesced, uncoalesced, barriers, blocks, threads,
#            registers, shared memory, segments on GTX280
BENCHMARKS = {
    "Mat. (naive)": (12043, 0, 4001, 0, 15625, 256, 10, 88, 2),
    "Mat. (tiled)": (9780, 0, 201, 200, 10000, 400, 18, 3960, 4),
    "SVM": (10871, 819, 0, 0, 5704, 128, 9, 44, 1),
    "Sepia": (71, 0, 6, 0, 191406, 256, 7, 52, 3),
    "Linear": (111, 0, 30, 0, 390625, 256, 15, 60, 3),
    "Blackscholes": (137, 0, 7, 0, 70313, 128, 11, 36, 1),
}


def auspex(*arguments, text=""):
    command = [sys.argv[1], *arguments, "--format=json"]
    done = subprocess.run(command, input=text, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


for gpu in ["8800GT", "FX5600", "8800GTX", "GTX280"]:
    for name, row in BENCHMARKS.items():
        comp, coal, uncoal, barriers, blocks, threads, registers, shared, segments = row
        resident = auspex("occupancy", "--gpu", gpu, "--block", str(threads),
                          "--regs", str(registers), "--shared", str(shared))
        kernel = {
            "threads_per_block": threads, "blocks": blocks,
            "active_blocks_per_sm": resident["activeBlocksPerSM"],
            "comp_insts": comp, "coal_mem_insts": coal, "uncoal_mem_insts": uncoal,
            "synch_insts": barriers,
            "uncoal_per_mw": segments if gpu == "GTX280" else 32,
            "load_bytes_per_warp": 128,
        }
        out = auspex("model", "mwp-cwp", "--input", "-", "--gpu", gpu, text=json.dumps(kernel))
        print(f"{gpu} {name} cpi {out['cpi']:.1f} mwp {out['mwp']:.1f} {out['case']}")
