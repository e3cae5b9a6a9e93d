"""Exceptions in slots and threads, and logged errors, which nothing would tell of otherwise."""

import logging
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager


class _Errors(logging.Handler):
    def __init__(self, troubles: list[str]) -> None:
        super().__init__(logging.ERROR)
        self.troubles = troubles

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message, with the exception where there is one."""
        self.troubles.append(f"logged by {record.name}: {logging.Formatter().format(record)}")


@contextmanager
def watched(troubles: list[str]) -> Iterator[None]:
    """Collect them in `troubles`."""

    def hook(*info: object) -> None:
        info = info if len(info) == 3 else (info[0].exc_type, info[0].exc_value, info[0].exc_traceback)
        troubles.append("".join(traceback.format_exception(*info)))

    saved, handler = (sys.excepthook, threading.excepthook), _Errors(troubles)
    sys.excepthook = threading.excepthook = hook
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
        sys.excepthook, threading.excepthook = saved
