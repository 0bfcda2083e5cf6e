# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command with a terminal for its errors, and prints what it gets."""
import os
import pty
import subprocess
import sys


def all_of(terminal):
    """Everything the terminal got: a read returns as much as has arrived, and
    fails once the other side is closed and nothing is left."""
    pieces = []
    while True:
        try:
            pieces.append(os.read(terminal, 4096))
        except OSError:
            return b"".join(pieces)


ours, theirs = pty.openpty()
subprocess.run(sys.argv[1:], stderr=theirs)
os.close(theirs)
print(repr(all_of(ours)))
