"""Handlers of inputs of Orange that take several values at once."""

from collections.abc import Callable
from typing import Any

from Orange.widgets.widget import MultiInput


def list_handlers(
    signal: MultiInput, word: str, name: str, convert: Callable[[Any], object] = lambda value: value
) -> list[Callable]:
    """Handlers of an input that keep its values in the list of this name.

    word: of set_scores and so on. convert: makes what is kept of a value.
    """

    def put(self, index, value):
        getattr(self, name)[index] = convert(value)

    def insert(self, index, value):
        getattr(self, name).insert(index, convert(value))

    def remove(self, index):
        getattr(self, name).pop(index)

    for verb, handler in (("set", put), ("insert", insert), ("remove", remove)):
        handler.__name__ = f"{verb}_{word}"
    return [signal(put), signal.insert(insert), signal.remove(remove)]
