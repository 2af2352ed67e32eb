"""Writes without end, and never a whole line."""

import json
import sys

sys.stdin.readline()
print(json.dumps({"type": "hello", "version": 1}), flush=True)  # noqa: T201
while True:
    sys.stdout.write("[" * 4096)
    sys.stdout.flush()
