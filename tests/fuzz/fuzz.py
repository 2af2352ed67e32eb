"""Coverage-guided fuzzing of everything that reads bytes from others.

    python -m tests.fuzz.fuzz --seconds 600
    python -m tests.fuzz.fuzz --save        write the seeds of the corpus anew

Starts from ``tests/fuzz/corpus``; what it finds new is kept only in a temporary folder, a crash
in the working directory. Needs atheris; without it the same targets run on random changes of the
corpus.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
LONGEST = 9000


def guided(seconds: int, seed: int) -> None:
    """Let atheris look for inputs that reach new code; the process ends with its verdict."""
    import atheris

    with atheris.instrument_imports(include=["p2pcards"]):
        from tests.fuzz import targets
    for index in range(len(targets.STAGES)):
        targets.table(index)
    with tempfile.TemporaryDirectory() as found:
        limits = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", f"-seed={seed}"]
        limits += ["-timeout=20", "-rss_limit_mb=2048", "-len_control=0"]
        atheris.Setup([sys.argv[0], *limits, found, str(CORPUS)], targets.run)
        atheris.Fuzz()


def blind(seconds: int, seed: int) -> int:
    """Random changes of the corpus, with no guidance; the number of inputs tried."""
    from tests.fuzz import targets

    rng, count = random.Random(seed), 0
    corpus = [path.read_bytes() for path in sorted(CORPUS.iterdir())]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = bytearray(rng.choice(corpus))
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(data))
            data[at] = rng.randrange(256)
        targets.run(bytes(data))
        count += 1
    return count


def save() -> None:
    """Write one well-formed input of each kind into the corpus."""
    from tests.fuzz import targets

    CORPUS.mkdir(exist_ok=True)
    for name, data in targets.seeds().items():
        (CORPUS / name).write_bytes(targets.tagged(name, data))


def main() -> None:
    """Fuzz for so many seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", action="store_true", help="write the seeds of the corpus")
    args = parser.parse_args()
    if args.save:
        save()
        return
    try:
        guided(args.seconds, args.seed)
    except ImportError:
        count = blind(args.seconds, args.seed)
        print(f"without atheris: {count} inputs tried, nothing found")  # noqa: T201


if __name__ == "__main__":
    main()
