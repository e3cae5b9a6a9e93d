"""Two tables of the same people under odd titles and spellings of their names: everybody gets his value, or is refused.

Tables have columns that are equal by chance, too: row numbers in another order, counts of visits, ages.
"""

import tempfile
from pathlib import Path

import numpy as np

from .kinds import Action, Case
from .mutations import pick
from .outcome import Wrong
from .refusals import refusing

KEYS = ("id", "ID", "sample", "patient_id", "Patient.ID", "barcode", "subject", "record_id", "code", "tube", "name")
PATTERNS = ("{}", "{}", "S{}", "p-{}", "TCGA-{}", "x{}y", "10{}")
SPELLINGS = ("same", "same", "padded", "case", "decimals", "r")
UNLIKE = ("n{}q", "Z{}", "w{}w")  # names that no table of PATTERNS has


def make(rng: np.random.Generator) -> Case:
    """A case: "ours" and "theirs", columns by title; the "value" of each row of ours, None without one; and facts.

    is_clear: whether the key has one title and one name for each person, so that nothing may be refused.
    """
    n = int(rng.integers(12, 40))
    numbers = [*map(str, rng.permutation(n) + int(pick((0, 1, 90), rng)))]
    pattern = pick(PATTERNS, rng)
    spelling = pick(SPELLINGS, rng)
    has_key = rng.random() < 0.9
    theirs_pattern = pattern if has_key else pick(UNLIKE, rng)
    ours_key = pick(KEYS, rng)
    theirs_key = ours_key if rng.random() < 0.5 else pick(KEYS, rng)
    names = [pattern.format(number) for number in numbers]
    other_names = [_spelt(theirs_pattern.format(number), spelling) for number in numbers]
    ours_rows = rng.permutation(n)[: n - int(rng.integers(0, 4))].tolist()
    if rng.random() < 0.2:
        ours_rows += rng.choice(ours_rows, 5).tolist()  # further visits
    theirs_rows = rng.permutation(n)[: n - int(rng.integers(0, 4))].tolist()
    groups = [pick(("u", "v"), rng) for _ in range(n)]
    measured = rng.normal(size=(n, 2)).round(3)
    ours = {ours_key: [names[i] for i in ours_rows], "a": [f"{i}.5" for i in range(len(ours_rows))]}
    theirs = {theirs_key: [other_names[i] for i in theirs_rows], "grp": [groups[i] for i in theirs_rows]}
    if rng.random() < 0.5:
        ours["visits"] = rng.integers(0, 7, len(ours_rows)).tolist()
    if rng.random() < 0.3:
        ours["b"] = measured[ours_rows, 0].tolist()
        theirs["b"] = measured[theirs_rows, 1].tolist()
    if rng.random() < 0.3:
        theirs["age"] = rng.integers(20, 80, len(theirs_rows)).tolist()
    has_row_numbers = has_key and rng.random() < 0.3
    if has_row_numbers:
        theirs["row"] = [*range(len(theirs_rows))]
    is_there = set(theirs_rows) if has_key else set()
    return {
        "ours": _in_order(ours, rng),
        "theirs": _in_order(theirs, rng),
        "value": [groups[i] if i in is_there else None for i in ours_rows],
        "is_clear": has_key and spelling != "r" and ours_key == theirs_key and bool(is_there.intersection(ours_rows)),
        "spelling": spelling,
    }


def _in_order(columns: dict[str, list], rng: np.random.Generator) -> dict[str, list]:
    """The columns in another order."""
    titles = [*columns]
    return {titles[j]: columns[titles[j]] for j in rng.permutation(len(titles)).tolist()}


def _spelt(name: str, spelling: str) -> str:
    """The name as another program writes it."""
    if spelling == "padded":
        digits = "".join(c for c in name if c.isdigit())
        return name.replace(digits, digits.rjust(6, "0"))
    if spelling == "case":
        return name.swapcase()
    if spelling == "decimals" and name.isdigit():
        return f"{name}.0"
    if spelling == "r":
        changed = "".join(c if c.isalnum() else "." for c in name)
        return changed if changed[0].isalpha() else f"X{changed}"
    return name


def prepare(case: Case) -> Action:
    """Write both tables; the action joins them, and compares the value of each row."""
    from orangecontrib.reliefe.tabular import ReadingOptions, read_text_table

    folder = tempfile.TemporaryDirectory(prefix="fuzz-joins-")
    paths = []
    for name in ("ours", "theirs"):
        columns = case[name]
        lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
        paths.append(Path(folder.name) / f"{name}.csv")
        paths[-1].write_text("\n".join(lines) + "\n")
    value_of = dict(zip(case["ours"]["a"], case["value"], strict=True))

    def action() -> None:
        with folder:
            if case["is_clear"]:
                table = read_text_table(paths[0], ReadingOptions(beside=((str(paths[1]), "grp"),)))
            else:
                with refusing():
                    table = read_text_table(paths[0], ReadingOptions(beside=((str(paths[1]), "grp"),)))
        joined = dict(zip(table.cells[:, table.names.index("a")], table.cells[:, -1], strict=True))
        wrong = [a for a, value in joined.items() if value_of[a] != value]
        if wrong:
            raise Wrong(f"{len(wrong)} of {len(joined)} rows have the value of another; {table.notes}", "values")
        lost = [a for a, value in value_of.items() if value is not None and a not in joined]
        if lost:
            raise Wrong(f"{len(lost)} rows of {len(value_of)} were not joined; {table.notes}", "rows")

    return action
