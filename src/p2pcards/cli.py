"""The command line: which module carries out each command.

Nothing heavy is imported here, so that ``--help`` answers at once.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

from p2pcards.commands import face, speech
from p2pcards.commands.parser import build_parser

MODULES = {name: f"p2pcards.commands.{name}" for name in
           ("play", "peer", "demo", "tables", "verify", "replay", "watch", "rules", "doctor",
            "bench", "arena")}  # fmt: skip
MODULES["id"] = "p2pcards.commands.ident"
MODULES["check-bot"] = "p2pcards.commands.checkbot"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status."""
    face.mend_streams()
    try:
        try:
            return _run(argv)
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except (OSError, BaseExceptionGroup) as exc:
        return face.output_failed(exc)


def _run(argv: Sequence[str] | None) -> int:
    face.forgive_output()
    speech.choose_early(sys.argv[1:] if argv is None else argv)
    parser = build_parser()
    args = parser.parse_args(argv)
    if args.command is None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            parser.print_usage(sys.stderr)
            return 2
        args = parser.parse_args(["play"])
    speech.for_programs(args)
    module = importlib.import_module(MODULES[args.command])
    return int(module.run(args))
