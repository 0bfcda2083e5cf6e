# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""refused.py COMMAND ARGUMENT...

Runs a command that has to refuse its input: exit code 2, nothing on stdout, and
one line on stderr, "error: ...", which is printed. Notes may precede it. Fails
if it is otherwise.
"""
import subprocess
import sys

done = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL,
                      capture_output=True, encoding="utf-8", errors="replace")
lines = [line for line in done.stderr.splitlines()
         if not line.startswith("note: ")]
if (done.returncode != 2 or done.stdout or len(lines) != 1
        or not lines[0].startswith("error: ")):
    sys.exit(f"{sys.argv[1:]}\nexit code: {done.returncode}\n"
             f"stdout: {done.stdout[:1000]}\nstderr: {done.stderr[:5000]}")
print(lines[0])
