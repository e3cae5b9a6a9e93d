"""Attributes of features, such as the symbol of a gene, as columns of the table."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from Orange.data import Variable

DIGITS = re.compile(r"(\d+)")


def natural_order(texts: Sequence[str]) -> np.ndarray:
    """(p,) place of each text where x2 comes before x10; equal ones share a place, and the empty are NaN."""
    keys = {text: [int(s) if s.isdecimal() else s for s in DIGITS.split(text.casefold())] for text in texts}
    places = {text: place for place, text in enumerate(sorted(keys, key=keys.__getitem__))}
    return np.array([places[text] if text else np.nan for text in texts], float)


@dataclass(frozen=True, eq=False)
class Attribute:
    """One attribute: name, and texts (p,), empty for features without it."""

    name: str
    texts: Sequence[str]

    right = False  # alignment
    descending = False  # what a first click on the header sorts by

    @property
    def tip(self) -> str:
        """Text about the column."""
        return f"{self.name}: an attribute of the features"

    @property
    def longest(self) -> str:
        """Text that the column should have room for."""
        return max(self.texts[:2000], key=len, default="")

    @cached_property
    def places(self) -> np.ndarray:
        """(p,) for sorting."""
        return natural_order(self.texts)


def attributes_of(variables: Sequence[Variable]) -> tuple[Attribute, ...]:
    """All attributes that at least one feature has, in the order in which they are met."""
    names = dict.fromkeys(str(name) for variable in variables for name in variable.attributes)
    told = [{str(name): _text(value) for name, value in variable.attributes.items()} for variable in variables]
    found = (Attribute(name, tuple(each.get(name, "") for each in told)) for name in names)
    return tuple(attribute for attribute in found if any(attribute.texts))


def _text(value: object) -> str:
    return "" if value is None else str(value)
