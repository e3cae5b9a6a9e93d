"""Filter of features by name: words that names contain, names with wildcards, or a pasted list of names.

Tables of features in widgets have a `NameFilter`, and give it the text that the user enters.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..core.words import counted, cut

TIP = (
    "Show only features whose name contains this; of several words all.<br>"
    "A word with * is a whole name: <b>x*</b> begins with x.<br>"
    "Paste a list of names, separated by lines, tabs, commas or semicolons, to show these (Ctrl+F)"
)
LONGEST = 4_000_000  # characters of a text: a list of all features of a large table
# Separators of lists: names never have those of the first kind, and may have those of the second
STRONG = re.compile("[\n\r\t\u2028\u2029]")
WEAK = re.compile("[,;]")
AROUND = " '\"[](){}"  # characters around names in lists that were copied from a program
MAX_NAMES = 30  # in a tooltip; chosen by eye


class Matches(NamedTuple):
    """Names that a text matches.

    Attributes
    ----------
    mask : (p,) bool array
        Names that match.
    missing : list of str
        Items of a list that match no name.
    """

    mask: np.ndarray
    missing: list[str]


def matching(text: str, folded: Sequence[str]) -> Matches:
    """Match names with a text.

    Parameters
    ----------
    text : str
        Words, of which names must contain all, names with *, or a list of names.
    folded : sequence of str
        The p names, case-folded.
    """
    pattern = text.casefold().strip()
    is_list = STRONG.search(text) or (WEAK.search(pattern) and not any(pattern in name for name in folded))
    if is_list:
        return _listed(text, folded)
    mask = np.ones(len(folded), bool)
    for word in pattern.split():
        mask &= _matches_wildcards(word, folded) if "*" in word else _mask(word in name for name in folded)
    return Matches(mask, [])


class NameFilter:
    """Features that match a text, without those that are hidden.

    Attributes
    ----------
    folded : list of str
        Names of the p features, case-folded.
    hidden : (p,) bool array
        Features that are hidden.
    missing : list of str
        Items of a list that match no feature.
    """

    def __init__(self) -> None:
        self._pattern = ""
        self.set_names(())

    def set_names(self, names: Sequence[str]) -> None:
        """Filter other names, of which none is hidden."""
        self.folded = [name.casefold() for name in names]
        self.hidden = np.zeros(len(names), bool)
        self.set_pattern(self._pattern)

    def set_pattern(self, pattern: str) -> None:
        """Match the names with a text."""
        self._pattern = pattern
        self._matches, self.missing = matching(pattern, self.folded)

    def set_hidden(self, mask: np.ndarray) -> None:
        """Hide the features of a mask (p,)."""
        self.hidden = mask

    @property
    def mask(self) -> np.ndarray:
        """Features (p,) that are visible."""
        return np.asarray(self._matches & ~self.hidden)


def _listed(text: str, folded: Sequence[str]) -> Matches:
    """Match names with the items of a list."""
    indices: dict[str, list[int]] = {}
    for j, name in enumerate(folded):
        indices.setdefault(name.strip(), []).append(j)
    mask = np.zeros(len(folded), bool)
    missing: dict[str, None] = {}  # an ordered set
    for item in _items(text, indices):
        form = _matching_form(item, indices)
        if form is not None:
            mask[indices[form]] = True
            continue
        bare = item.casefold().strip(AROUND)
        matches = _matches_wildcards(bare, folded) if "*" in item else np.zeros(len(folded), bool)
        if matches.any():
            mask |= matches
        elif bare:
            missing[item.strip(AROUND)] = None
    return Matches(mask, list(missing))


def _items(text: str, names: Container[str]) -> Iterator[str]:
    """Items of a list; a name may contain a comma."""
    for piece in map(str.strip, STRONG.split(text)):
        if _matching_form(piece, names) is not None:
            yield piece
        else:
            yield from map(str.strip, WEAK.split(piece))


def _matching_form(item: str, names: Container[str]) -> str | None:
    """Case-folded item, or the same without brackets and quotes around it, if it is a name."""
    forms = (item.casefold(), item.casefold().strip(AROUND))
    return next((form for form in forms if form in names), None)


def _matches_wildcards(pattern: str, names: Sequence[str]) -> np.ndarray:
    """Names (p,) that match a pattern, in which * stands for any characters."""
    expression = re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)
    return _mask(expression.fullmatch(name) is not None for name in names)


def _mask(values: Iterable[bool]) -> np.ndarray:
    return np.fromiter(values, bool)


def not_found(missing: Sequence[str]) -> tuple[str, str]:
    """Words for items of a list that match no feature.

    Parameters
    ----------
    missing : sequence of str
        The items.

    Returns
    -------
    text : str
        Their number; empty without any.
    tooltip : str
        Their names; empty without any.
    """
    if not missing:
        return "", ""
    names = ", ".join(map(cut, missing[:MAX_NAMES]))
    n_others = len(missing) - MAX_NAMES
    if n_others > 0:
        names += f" and {n_others:,} more"
    return f"{counted(len(missing), 'name')} not found", f"Not among the features: {names}"
