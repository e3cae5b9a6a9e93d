"""Commands that install the optional packages, for messages.

The package is not on the index yet, so that it is installed from a checkout. When it is there, `FROM_CHECKOUT` is the
one line to change.
"""

FROM_CHECKOUT = 'pip install ".[{extra}]" in the folder of this package\'s source'


def install(extra: str) -> str:
    """Return what a user types to install the packages of an extra in setup.py, for example "orange"."""
    return FROM_CHECKOUT.format(extra=extra)
