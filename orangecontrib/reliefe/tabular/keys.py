"""Key columns: which columns of two tables have the names of the same rows, so that the tables are joined by them.

`beside` asks for the keys of two text tables, and the phenotypes of genotypes for the column that names people. Rules:

- A column of measurements is never a key.
- A key of the same title in both tables comes before all others.
- If two pairs of keys would join rows differently, the user is asked, since none of them is certain.
- Names that differ by padding or case (001 and 1, S-a and s-A) are equal if no two names of a table are.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..core.data.row_names import is_name_title, plain_title
from ..core.words import MISSING_CELLS, is_decimal, shown
from .r_names import make_names

MIN_SHARE = 0.5  # of the fewer names of whole numbers that both tables have; chosen by eye: ages and counts have fewer
PADDING = re.compile(r"(?<![\d.,])0+(?=\d)")  # zeros before a number
NO_DECIMALS = re.compile(r"(?<=\d)\.0+$")
DAY = re.compile(r"\d{4}-\d\d-\d\d([ T].*)?")
PADDED = re.compile(r"0\d+")

# Kinds of columns
TEXTS = "texts"
WHOLE = "whole numbers"
DAYS = "days"
MEASURED = "measurements"


@dataclass(frozen=True)
class KeyColumn:
    """A column that may have the names of the n rows of a table.

    Attributes
    ----------
    title : str
        Its title.
    column : int, optional
        Its index. None: names that have no column.
    cells : list of str
        Its values; missing ones are in `MISSING_CELLS`.
    """

    title: str
    column: int | None
    cells: list[str]

    @cached_property
    def known_names(self) -> list[str]:
        """Values that are not missing."""
        return [cell for cell in self.cells if cell not in MISSING_CELLS]

    @cached_property
    def distinct(self) -> frozenset[str]:
        """Different values that are not missing."""
        return frozenset(self.known_names)

    @cached_property
    def is_unique(self) -> bool:
        """True if no two rows have the same name."""
        return len(self.distinct) == len(self.known_names)

    @cached_property
    def kind(self) -> str:
        """TEXTS, WHOLE, DAYS or MEASURED. Numbers of which one begins with 0, as 007, are texts."""
        if not self.distinct:
            return MEASURED
        if not all(map(is_decimal, self.distinct)):
            return DAYS if all(map(DAY.fullmatch, self.distinct)) else TEXTS
        if any(map(PADDED.fullmatch, self.distinct)):
            return TEXTS
        are_whole = all(NO_DECIMALS.sub("", cell).isdecimal() for cell in self.distinct)
        return WHOLE if are_whole else MEASURED

    @property
    def begins_with_a_measurement(self) -> bool:
        """True for a number that is not whole in the first row, which is known sooner than `kind`."""
        return is_decimal(self._first) and not NO_DECIMALS.sub("", self._first).isdecimal()

    @property
    def begins_with_a_text(self) -> bool:
        """True for a text in the first row, which is known sooner than `kind`."""
        return self._first != "" and not is_decimal(self._first)

    @property
    def _first(self) -> str:
        """The first value that is not missing; empty if there is none."""
        return next((cell for cell in self.cells if cell not in MISSING_CELLS), "")

    @cached_property
    def has_name_title(self) -> bool:
        """True if the title is one of names of rows, as sample or patient_id."""
        return self.column is None or is_name_title(self.title)

    @cached_property
    def names_of_r(self) -> dict[str, str]:
        """Different values as R changes them, in the order of the rows."""
        return {cell: make_names(cell) for cell in self.known_names}

    @cached_property
    def plain_names(self) -> dict[str, str]:
        """Plain spellings of the different values; empty if two values have one."""
        plain = {cell: plain_name(cell) for cell in self.distinct}
        return plain if len({*plain.values()}) == len(plain) else {}


@dataclass(frozen=True)
class KeyPair:
    """Columns of two tables that have the names of the same rows.

    Attributes
    ----------
    ours : KeyColumn
        Column of the table, some of whose rows may have one name.
    theirs : KeyColumn
        Column of the other table, whose names differ.
    spelling : dict of str to str
        Names of the other table as they are in ours, where they differ.
    is_by_r : bool
        True if they differ as R changes names.
    """

    ours: KeyColumn
    theirs: KeyColumn
    spelling: dict[str, str]
    is_by_r: bool = False

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Rows of the other table by the names that our table has for them."""
        rows = ((self.spelling.get(cell, cell), row) for row, cell in enumerate(self.theirs.cells))
        return {name: row for name, row in rows if name in self.ours.distinct}

    @property
    def n_common(self) -> int:
        """Number of names that both tables have."""
        return len(self.row_of)

    @cached_property
    def rows(self) -> list[int]:
        """Row of the other table for each of our n rows; -1 without one."""
        return [self.row_of.get(cell, -1) for cell in self.ours.cells]

    @property
    def is_certain(self) -> bool:
        """True for columns of one title that no measurement has."""
        may_name_rows = self.ours.has_name_title or self.ours.kind == TEXTS or self.ours.is_unique
        return _have_one_title(self.ours, self.theirs) and may_name_rows

    @property
    def is_possible(self) -> bool:
        """True if enough names are in both columns: of whole numbers many, since few are so by chance."""
        if self.ours.kind == TEXTS or (self.ours.has_name_title and self.theirs.has_name_title):
            return self.n_common > 0
        return self.n_common >= max(MIN_SHARE * min(len(self.ours.distinct), len(self.theirs.distinct)), 1)

    def differs_from(self, other: "KeyPair") -> bool:
        """True if another pair joins one of our rows with another row."""
        return any(i != j and i >= 0 and j >= 0 for i, j in zip(self.rows, other.rows, strict=True))

    def __str__(self) -> str:
        return f"{shown(self.ours.title)} with {shown(self.theirs.title)}"


def plain_name(name: str) -> str:
    """Return a name without padding and case: "s-7" for "S-007", "7" for "7.0"."""
    return PADDING.sub("", NO_DECIMALS.sub("", name.casefold()))


def key_pairs(ours: Sequence[KeyColumn], theirs: Sequence[KeyColumn]) -> list[KeyPair]:
    """Find the columns by which two tables may be joined, those with most names in common first.

    Parameters
    ----------
    ours, theirs : sequence of KeyColumn
        Columns of the two tables.

    Returns
    -------
    list of KeyPair
        Keys of one title if there are any, else all possible ones. Names are compared as they are, without padding
        and case, and as R changes them: that in which most are equal counts. Several pairs join rows differently, so
        that the user must choose.
    """
    unique = [our_column for our_column in theirs if our_column.is_unique and our_column.kind != MEASURED]
    certain = [pair for pair in _of_one_title(ours, unique) if pair.is_certain and pair.is_possible]
    pairs = [pair for pair in certain if pair.ours.has_name_title] or certain
    if not pairs:
        may_be = (
            (our_column, their_column)
            for our_column in ours
            if _may_be_key(our_column, unique)
            for their_column in unique
        )
        pairs_of_columns = (
            key_pair(our_column, their_column)
            for our_column, their_column in may_be
            if _may_be_keys(our_column, their_column)
        )
        pairs = [pair for pair in pairs_of_columns if pair.is_possible]
    pairs.sort(key=lambda pair: -pair.n_common)
    return [
        pair
        for k, pair in enumerate(pairs)
        if k == 0 or any(pair.differs_from(their_column) for their_column in pairs[:k])
    ]


def key_pair(ours: KeyColumn, theirs: KeyColumn) -> KeyPair:
    """Return two columns as a pair of keys, by the spelling in which most names are in both."""
    exact = KeyPair(ours, theirs, {})
    if exact.n_common == min(len(ours.distinct), len(theirs.distinct)):
        return exact
    pairs = (exact, _plain_pair(ours, theirs), _pair_by_r(ours, theirs))
    return max(filter(None, pairs), key=lambda pair: pair.n_common)


def may_be_key(ours: KeyColumn, theirs: KeyColumn) -> bool:
    """True if a column may have the names in ours: no measurement, and no count that few of them are equal to."""
    pair = KeyPair(ours, theirs, {})
    if not (_may_be_keys(ours, theirs) and pair.is_possible):
        return False
    return theirs.is_unique or theirs.kind == TEXTS or pair.n_common >= MIN_SHARE * len(ours.distinct)


def _may_be_key(column: KeyColumn, their_columns: Sequence[KeyColumn]) -> bool:
    """True for a column that may be a key to any of the others, known soon for most columns of numbers."""
    if column.has_name_title:
        return True
    if column.begins_with_a_measurement:
        return False
    if column.begins_with_a_text or column.is_unique:
        return True
    return column.kind == TEXTS or any(_have_one_title(column, their_column) for their_column in their_columns)


def _may_be_keys(ours: KeyColumn, theirs: KeyColumn) -> bool:
    """True unless a column has measurements, or whole numbers that rather count something than name rows."""
    kinds = {ours.kind, theirs.kind}
    if MEASURED in kinds:
        return False
    have_one_title = _have_one_title(ours, theirs)
    if DAYS in kinds:
        return have_one_title
    return ours.kind == TEXTS or ours.is_unique or ours.has_name_title or have_one_title


def _have_one_title(ours: KeyColumn, theirs: KeyColumn) -> bool:
    """True for columns of one title; names without a column have none."""
    return None not in (ours.column, theirs.column) and plain_title(ours.title) == plain_title(theirs.title)


def _of_one_title(ours: Sequence[KeyColumn], theirs: Sequence[KeyColumn]) -> Iterator[KeyPair]:
    """Yield columns of one title that may be keys."""
    by_title: dict[str, list[KeyColumn]] = {}
    for column in ours:
        by_title.setdefault(plain_title(column.title), []).append(column)
    for their_column in theirs:
        for column in by_title.get(plain_title(their_column.title), ()):
            if _have_one_title(column, their_column) and _may_be_keys(column, their_column):
                yield key_pair(column, their_column)


def _plain_pair(ours: KeyColumn, theirs: KeyColumn) -> KeyPair | None:
    """Return two columns by their names without padding and case; None if no names are equal then."""
    ours_by_plain = {plain: name for name, plain in ours.plain_names.items()}
    spelling = {name: ours_by_plain[plain] for name, plain in theirs.plain_names.items() if plain in ours_by_plain}
    differing = {name: in_ours for name, in_ours in spelling.items() if name != in_ours}
    return KeyPair(ours, theirs, differing) if spelling else None


def _pair_by_r(ours: KeyColumn, theirs: KeyColumn) -> KeyPair | None:
    """Return two columns of which R has changed the names of one; None if no names fit, or several fit one."""
    ours_by_change = {changed: name for name, changed in ours.names_of_r.items()}
    is_one_to_one = len(ours_by_change) == len(ours.distinct)
    by_change = {name: ours_by_change[name] for name in theirs.known_names if name in ours_by_change and is_one_to_one}
    for spelling in (theirs.names_of_r, by_change):
        matching = {name: in_ours for name, in_ours in spelling.items() if in_ours in ours.distinct}
        if matching and len({*matching.values()}) == len(matching):
            return KeyPair(ours, theirs, matching, is_by_r=True)
    return None
