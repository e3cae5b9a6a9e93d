"""``python -m orangecontrib.reliefe``: the command line."""

import sys

from .command.cli import main

if __name__ == "__main__":
    sys.exit(main())
