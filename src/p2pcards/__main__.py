"""Run the program: as ``p2pcards``, and as ``python -m p2pcards``."""

from __future__ import annotations

import sys


def main() -> int:
    """Run a command; the exit status, also when Ctrl-C comes before anything is loaded."""
    try:
        from p2pcards import cli

        return cli.main()
    except KeyboardInterrupt:
        return 130
    except Exception as exc:
        from p2pcards.commands import crash

        return crash.told(exc)


if __name__ == "__main__":
    sys.exit(main())
