"""Run the program as ``python -m p2pcards``."""

import sys

from p2pcards.cli import main

if __name__ == "__main__":
    sys.exit(main())
