"""Greets, then never answers."""

import json
import sys
import threading

sys.stdin.readline()
print(json.dumps({"type": "hello", "version": 1}), flush=True)  # noqa: T201
threading.Event().wait()
