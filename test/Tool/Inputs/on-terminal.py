# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command with a terminal for its errors, and prints what it gets."""
import os
import pty
import subprocess
import sys

ours, theirs = pty.openpty()
subprocess.run(sys.argv[1:], stderr=theirs)
os.close(theirs)
print(repr(os.read(ours, 4096)))
