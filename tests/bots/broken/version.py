"""Speaks a version of the dialogue that does not exist."""

import json
import sys

sys.stdin.readline()
print(json.dumps({"type": "hello", "version": 2}), flush=True)  # noqa: T201
sys.stdin.readline()
