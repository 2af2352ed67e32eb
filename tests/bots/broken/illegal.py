"""Plays a card of its hand that is not legal as soon as there is one."""

import json
import sys

sys.stdin.readline()
print(json.dumps({"type": "hello", "version": 1}), flush=True)  # noqa: T201
for _line in sys.stdin:
    message = json.loads(_line)
    choice = message["choices"][-1]
    if message["kind"] == "play":
        choice = next((c for c in message["hand"] if c not in message["choices"]), choice)
    answer = {"type": "answer", "id": message["id"], "choice": choice}
    print(json.dumps(answer), flush=True)  # noqa: T201
