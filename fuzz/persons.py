"""Studies in which persons have several rows, and others without persons: found, or not, as loops over the rows say."""

import numpy as np

from .kinds import Action, Case
from .mutations import pick
from .outcome import Wrong
from .refusals import refusing

TITLES = ("VP_Code", "Kuerzel", "osoba", "k", "Nr", "record", "unit", "x7", "\u8bfe\u9898", "code")
CERTAIN_PERSONS, CERTAIN_ROWS = 20, 3  # from which on a column of persons is no chance for a target of equal classes


def make(rng: np.random.Generator) -> Case:
    """A case: "columns" by title, the "target" and its "kind", and the title of the "persons", if there are any."""
    n_persons = int(rng.integers(5, 60))
    n_rows = int(rng.integers(2, 7))
    n = n_persons * n_rows
    person = np.repeat(np.arange(n_persons), n_rows)[rng.permutation(n)]
    has_persons = rng.random() < 0.6
    title = pick(TITLES, rng)
    columns = {
        "marker": rng.normal(size=n).round(4).tolist(),
        "count": rng.poisson(3, n).tolist(),
        "sex": rng.choice(["f", "m"], n).tolist(),
        "batch": [f"b{k}" for k in rng.integers(0, 12, n)],
        "years": rng.integers(20, 80, n).tolist(),
    }
    columns["group of years"] = [years // 10 for years in columns["years"]]
    kind = pick(("classes", "classes", "number"), rng)
    of_person = rng.integers(0, 2, n_persons) if kind == "classes" else rng.normal(size=n_persons).round(4)
    of_row = rng.integers(0, 2, n) if kind == "classes" else rng.normal(size=n).round(4)
    if has_persons:
        columns["age"] = rng.integers(20, 80, n_persons)[person].tolist()
        names = rng.permutation(n_persons)
        written = pick(("{}", "p{}", "{:03}x"), rng)
        codes = [written.format(names[i]) for i in person]
        columns[title] = [*map(int, codes)] if written == "{}" else codes
    if rng.random() < 0.2:
        columns["old"] = [years >= 50 for years in columns["years"]]
        of_row = np.array(columns["old"], int)
    target = of_person[person] if has_persons and rng.random() < 0.8 else of_row
    order = rng.permutation(len(columns)).tolist()
    titles = [*columns]
    return {
        "columns": {titles[j]: columns[titles[j]] for j in order},
        "target": target.tolist(),
        "kind": kind,
        "persons": title if has_persons else None,
        "rows": n_rows,
    }


def _is_constant(values: list, groups: list) -> bool:
    """True if rows of one group have one value."""
    value_of: dict[object, object] = {}
    return all(value_of.setdefault(group, value) == value for group, value in zip(groups, values, strict=True))


def prepare(case: Case) -> Action:
    """Make a frame; the action describes it, and compares the column of persons with loops over the rows."""
    import pandas as pd

    from orangecontrib.reliefe.core import describe

    columns = case["columns"]
    frame = pd.DataFrame(columns)
    y = np.array(case["target"])

    def action() -> dict[str, float]:
        with refusing():  # a target with one class
            description = describe(frame, y, task={"classes": "classification", "number": "regression"}[case["kind"]])
        advised_groups = [finding.columns[0] for finding in description.findings if finding.action == "group"]
        for title in advised_groups:
            groups = columns[title]
            constant = [other for other in columns if other != title and _is_constant(columns[other], groups)]
            if not (5 <= len({*groups}) <= len(groups) / 2 and _is_constant(case["target"], groups) and constant):
                raise Wrong(f"{title} with {len({*groups})} values in {len(groups)} rows is called persons", "alarm")
            if title != case["persons"]:
                raise Wrong(f"{title} is called persons, and they are {case['persons']}", "another column")
        shares = np.unique(case["target"], return_counts=True)[1] / len(y)
        is_certain = (
            case["persons"] is not None
            and case["rows"] >= CERTAIN_ROWS
            and len({*columns[case["persons"]]}) >= CERTAIN_PERSONS
            and shares.max() < 0.8
            and _is_constant(case["target"], columns[case["persons"]])
            and not _is_constant(
                columns[case["persons"]], columns["age"]
            )  # a name of the person, if none has another's
        )
        if is_certain and not advised_groups:
            raise Wrong(f"{case['persons']} is not found", "not found")
        return {"found": float(bool(advised_groups))}

    return action
