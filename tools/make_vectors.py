"""Writes the test vectors of the cryptography: ``python -m tools.make_vectors [FOLDER]``.

All that looks like chance comes from labels, so a second run writes the same bytes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

from tools.vectors.absent import absent
from tools.vectors.basics import encoding, hashing, transcript
from tools.vectors.common import Area
from tools.vectors.keys import keys
from tools.vectors.parts import parts
from tools.vectors.shares import shares
from tools.vectors.shuffles import shuffles

FOLDER = Path(__file__).parent.parent / "tests" / "vectors" / "crypto"
AREAS: tuple[Callable[[], Area], ...] = (
    encoding, hashing, transcript, keys, parts, shares, shuffles, absent,
)  # fmt: skip


def files() -> dict[str, bytes]:
    """Every vector file by its name."""
    out = {}
    for make in AREAS:
        area = make()
        text = json.dumps(area.data(), indent=1, ensure_ascii=False)
        out[f"{area.name}.json"] = text.encode() + b"\n"
    return out


def main(folder: Path) -> None:
    """Write all files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files().items():
        (folder / name).write_bytes(data)
        print(f"{folder / name}: {len(data)} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
