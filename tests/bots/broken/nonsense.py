"""Writes what a person debugging it would write, and no JSON."""

import json
import sys

sys.stdin.readline()
print(json.dumps({"type": "hello", "version": 1}), flush=True)  # noqa: T201
for _line in sys.stdin:
    print("thinking \x1b[31mhard\x1b[0m ...", flush=True)  # noqa: T201
