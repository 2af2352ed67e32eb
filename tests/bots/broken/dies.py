"""Answers one question, then ends with an error."""

import json
import sys

sys.stdin.readline()
print(json.dumps({"type": "hello", "version": 1}), flush=True)  # noqa: T201
message = json.loads(sys.stdin.readline())
answer = {"type": "answer", "id": message["id"], "choice": message["choices"][0]}
print(json.dumps(answer), flush=True)  # noqa: T201
sys.exit(7)
