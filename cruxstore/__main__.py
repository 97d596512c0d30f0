"""Runs a command of the store; the check of a bundle without what only the others need."""

import sys
from collections.abc import Sequence
from importlib import import_module


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; answers 0 when all is well, 1 when it found or refused something, 2 when it could not look."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] == ["verify-bundle"]:
        # a stranger has no more than Python, this package and cryptography
        return int(import_module("cruxstore.proving").main(given[1:]))
    return int(import_module("cruxstore.commands").main(given))


if __name__ == "__main__":
    sys.exit(main())
