"""Answers every question with the number of the one before."""

import json
import sys

sys.stdin.readline()
print(json.dumps({"type": "hello", "version": 1}), flush=True)  # noqa: T201
for _line in sys.stdin:
    message = json.loads(_line)
    answer = {"type": "answer", "id": message["id"] - 1, "choice": message["choices"][0]}
    print(json.dumps(answer), flush=True)  # noqa: T201
