"""Features that a text stands for: words that names contain, names with wildcards, or a pasted list of names."""

import re
from collections.abc import Sequence

import numpy as np

from ..core.words import counted, cut

TIP = (
    "Show only features whose name contains this; of several words all.<br>"
    "A word with * is a whole name: <b>x*</b> begins with x.<br>"
    "Paste a list of names, separated by lines, tabs, commas or semicolons, to show these (Ctrl+F)"
)
LONGEST = 4_000_000  # characters: a list of all features of a large table
STRONG, WEAK = re.compile("[\n\r\t\u2028\u2029]"), re.compile("[,;]")  # no name has any of the first
AROUND = " '\"[](){}"  # names, in lists that were copied from a program
NAMED = 30  # names in a tooltip


def matching(text: str, folded: Sequence[str]) -> tuple[np.ndarray, list[str]]:
    """Mask of the names that a text stands for, and the items of a list that stand for none."""
    pattern = text.casefold().strip()
    is_list = STRONG.search(text) or (WEAK.search(pattern) and not any(pattern in name for name in folded))
    if is_list:
        return _listed(text, folded)
    mask = np.ones(len(folded), bool)
    for word in pattern.split():
        mask &= _fitting(word, folded) if "*" in word else _those(word in name for name in folded)
    return mask, []


class NameFilter:
    """Features that are shown: those that a pattern stands for, without those that are hidden.

    `missing`: items of a list that stand for none.
    """

    def __init__(self):
        self._pattern = ""
        self.set_names(())

    def set_names(self, names: Sequence[str]) -> None:
        """Filter these names; none is hidden."""
        self.folded, self.hidden = [name.casefold() for name in names], np.zeros(len(names), bool)
        self.set_pattern(self._pattern)

    def set_pattern(self, pattern: str) -> None:
        self._pattern = pattern
        self._found, self.missing = matching(pattern, self.folded)

    def set_hidden(self, mask: np.ndarray) -> None:
        self.hidden = mask

    @property
    def mask(self) -> np.ndarray:
        return self._found & ~self.hidden


def _listed(text, folded) -> tuple[np.ndarray, list[str]]:
    places: dict[str, list[int]] = {}
    for place, name in enumerate(folded):
        places.setdefault(name.strip(), []).append(place)
    mask, missing = np.zeros(len(folded), bool), {}
    for item in _items(text, places):
        forms = item.casefold(), item.casefold().strip(AROUND)
        known = next((form for form in forms if form in places), None)
        if known is not None:
            mask[places[known]] = True
        elif "*" in item and (fitting := _fitting(forms[1], folded)).any():
            mask |= fitting
        elif forms[1]:
            missing[item.strip(AROUND)] = None
    return mask, list(missing)


def _items(text, places):
    """Items of a list; a name may itself contain a comma."""
    for piece in map(str.strip, STRONG.split(text)):
        known = any(form in places for form in (piece.casefold(), piece.casefold().strip(AROUND)))
        yield from (piece,) if known else map(str.strip, WEAK.split(piece))


def _fitting(pattern, names) -> np.ndarray:
    fits = re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL).fullmatch
    return _those(fits(name) is not None for name in names)


def _those(found) -> np.ndarray:
    return np.fromiter(found, bool)


def not_found(missing: Sequence[str]) -> tuple[str, str]:
    """Number of names of a list that are not there, and a tooltip that names them; empty texts if all are."""
    if not missing:
        return "", ""
    more = len(missing) - NAMED
    names = ", ".join(map(cut, missing[:NAMED])) + f" and {more:,} more" * (more > 0)
    return f"{counted(len(missing), 'name')} not found", f"Not among the features: {names}"
