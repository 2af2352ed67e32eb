"""Starts another program, says who it is, and ends before it answers."""

import json
import subprocess
import sys

sys.stdin.readline()
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(json.dumps({"type": "hello", "version": 1, "name": str(child.pid)}), flush=True)  # noqa: T201
sys.stdin.readline()
sys.exit(1)
