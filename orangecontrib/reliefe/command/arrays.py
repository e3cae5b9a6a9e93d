"""Files of arrays on the command line: ``orange-reliefe rank genotypes.npy --target y.csv``."""

# Nothing heavy is imported up here: --help should answer at once.
import argparse
import csv
import json
import os
from typing import Any

from .terminal import check_path, shown_progress, with_options, write

OUTPUTS = (".csv", ".tsv", ".json")
TEXTS = (".csv", ".tsv", ".txt")
N_SHOWN = 20


def is_array(arguments: argparse.Namespace) -> bool:
    """True where DATA is a file of arrays; without --target .npy holds genotypes of people."""
    from ..core.data.sources import is_file_of_tables

    name = str(arguments.data)
    genotypes = name.lower().endswith(".npy") and (arguments.phenotype or not (arguments.target or arguments.task))
    return not genotypes and is_file_of_tables(name)


def rank_array(arguments: argparse.Namespace, parameters: dict[str, object]) -> None:
    """Rank the columns of a file, write what is asked for, and print the best; raises what `core.rank` does."""
    if arguments.output:
        check_path(arguments.output, OUTPUTS)
    if arguments.plot:
        raise ValueError("a file of arrays has no plot: leave --plot out")
    from pandas import DataFrame

    from ..core import rank

    X, y = _read(arguments)
    study = {name: _values(arguments, name, "covariate", X) for name in arguments.covariate}
    with shown_progress(arguments.quiet) as progress:
        found = rank(
            X,
            y,
            arguments.method,
            task=arguments.task,
            random_state=arguments.seed,
            n_jobs=arguments.jobs,
            progress=progress,
            significance=arguments.significance,
            covariates=DataFrame(study) if study else None,
            groups=_values(arguments, arguments.group, "group", X) if arguments.group else None,
            **parameters,
        )
    names = found.names or [str(f) for f in range(len(found.scores))]
    columns = {"score": found.scores.tolist()}
    if "standard_errors" in found.info:
        columns["error"] = found.info["standard_errors"]
    columns |= {
        name: test.tolist() for name, test in (found.significance.columns if found.significance else {}).items()
    }
    order = found.ranking.tolist()
    if arguments.output:
        _save(arguments.output, found, names, columns, order)
    if arguments.json:
        write(json.dumps(_document(found, names, columns, order[: arguments.top]), indent=2) + "\n")
        return
    head = [f"{found.method}: {found.info['summary']}", *found.info["warnings"], *found.info["information"], ""]
    head[1:1] = [with_options(f"Chosen: {found.info['auto']}")] if "auto" in found.info else []
    lines = [] if arguments.quiet else head
    lines.append("\t".join(["rank", "feature", *columns]))
    for place, f in enumerate(order[: arguments.top or N_SHOWN], start=1):
        lines.append("\t".join([str(place), str(names[f]), *(f"{values[f]:.4g}" for values in columns.values())]))
    write("\n".join(lines) + "\n")


def _document(found: Any, names: Any, columns: dict[str, list[float]], order: list[int]) -> dict[str, object]:
    rows = [
        {"rank": place, "feature": names[f], **{name: values[f] for name, values in columns.items()}}
        for place, f in enumerate(order, start=1)
    ]
    info = {name: value for name, value in found.info.items() if name != "standard_errors"}
    return {"method": found.method, "parameters": found.parameters, "info": info, "features": rows}


def _save(name: str, found: Any, names: Any, columns: dict[str, list[float]], order: list[int]) -> None:
    from ..core.words import cell

    with open(name, "w", encoding="utf-8", newline="") as file:
        if name.lower().endswith(".json"):
            json.dump(_document(found, names, columns, order), file, indent=2)
            return
        writer = csv.writer(file, delimiter="\t" if name.lower().endswith(".tsv") else ",", lineterminator="\n")
        writer.writerow(["rank", "feature", *columns])
        for place, f in enumerate(order, start=1):
            writer.writerow([place, cell(str(names[f])), *(values[f] for values in columns.values())])


def _read(arguments: argparse.Namespace) -> tuple[Any, Any]:
    """The table and its target."""
    from ..core.data.sources import open_table

    if arguments.data.lower().endswith(".npz") and os.path.isfile(arguments.data):
        from ..io.source import check_unpacked

        check_unpacked(arguments.data)
    targets = arguments.target or []
    if arguments.time:
        from ..core import Survival
        from ..core.targets.times import read_events

        X = open_table(arguments.data)[0]
        time, event = (_values(arguments, getattr(arguments, role), role, X) for role in ("time", "event"))
        return X, Survival(time, read_events(event, f"--event {arguments.event}"))
    if arguments.task == "unsupervised":
        targets = []
    elif len(targets) != 1:
        raise ValueError("one target is needed: --target FILE (.csv, .npy) or a column of DATA; or --task unsupervised")
    if not targets:
        return open_table(arguments.data)[0], None
    (target,) = targets
    if not _is_file(target):
        return open_table(arguments.data, target)
    X = open_table(arguments.data)[0]
    return X, _of_file(target, X, "target")


def _values(arguments: argparse.Namespace, name: str, role: str, X: Any) -> Any:
    """Values (n,) of a FILE, of FILE:COLUMN, or of a column of the target's file."""
    import numpy as np

    if not _is_file(name):
        files = [path for path in map(_path, arguments.target or ()) if path.lower().endswith(TEXTS)]
        if not files:
            raise ValueError(
                f"--{role} {name!r} is no file, such as people.csv:age, and no column: --target is no text"
            )
        name = f"{files[0]}:{name}"
    values = np.asarray(_of_file(name, X, role))
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1 or (hasattr(X, "shape") and len(values) != X.shape[0]):
        rows = f"{X.shape[0]:,} rows" if hasattr(X, "shape") else "rows"
        raise ValueError(f"--{role} {name!r} must hold one value for each of the {rows}, not the shape {values.shape}")
    return values


def _is_file(name: str) -> bool:
    return _path(name).lower().endswith((*TEXTS, ".npy"))


def _path(name: str) -> str:
    """The file of FILE or FILE:COLUMN."""
    return name.rpartition(":")[0] if ":" in name and not os.path.exists(name) else name


def _of_file(name: str, X: Any, role: str) -> Any:
    """Values that FILE or FILE:COLUMN holds for the rows of X."""
    from ..core.data.sources import open_table

    path = _path(name)
    if not os.path.isfile(path):
        raise ValueError(f"there is no file {path!r} with a {role}")
    if path.lower().endswith(".npy"):
        return open_table(path)[0]
    return _column(path, name[len(path) + 1 :] or None, X.shape[0] if hasattr(X, "shape") else None, role)


def _column(path: str, column: str | None, n: int | None, role: str) -> Any:
    """A column of a text file, with or without a line of names above."""
    import pandas as pd

    from ..core.words import choices, shown, words_among_numbers

    def read(header: int | None) -> Any:
        return pd.read_csv(path, header=header, sep="\t" if path.lower().endswith(".tsv") else ",")

    try:
        table = read(0)
        if column is None and n is not None and len(table) == n - 1:
            table = read(None)  # there are no names
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise ValueError(f"cannot read {path!r}: {error}") from error
    if column is None and table.shape[1] == 1:
        column = table.columns[0]
    if column not in table.columns:
        known = choices(column, [*map(str, table.columns)], shown)
        if column is not None:
            raise ValueError(f"{path!r} has no column {shown(column)} (--{role}); {known}")
        raise ValueError(f"{path!r} has {table.shape[1]} columns; name one behind a colon, {path}:NAME; {known}")
    if words := words_among_numbers(map(str, table[column].dropna())):
        given = " and ".join(map(shown, words))
        raise ValueError(f"the {role} in {path!r} has {given} among numbers: empty these cells if they are missing")
    return table[column]
