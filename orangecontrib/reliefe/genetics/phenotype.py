"""Phenotypes of people: from the .fam, a table that is joined by name, or an array."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .genotypes import Genotypes, refuse_twice

NAMES = ("iid", "id", "person", "sample", "name")  # of the column that people are joined by, in this order
FAMILY = ("fid", "family", "#fid")
UNKNOWN = ("-9", "NA", "nan", "NaN", "", ".", "?")
SHOWN = 5  # names that a message repeats


def read_phenotype(data: Genotypes, given: object = None, column: str | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Phenotype of the people.

    Parameters
    ----------
    data : Genotypes
        n people.
    given : path, mapping, array-like (n,) or None
        A CSV or a table with tabs or blanks, whose column iid (or id, person, sample, name; else the first one) has the
        names of the people; values by name; values in the order of the people; None: those of the .fam.
    column : str, optional
        Of the table, where it has several.

    Returns
    -------
    known : ndarray of bool, shape (n,)
        People with a phenotype; -9, NA and empty cells are unknown.
    values : ndarray, shape (n,)
        Numbers (float), or classes (str); "" or NaN where they are unknown.

    Raises
    ------
    ValueError
        Where nobody has a phenotype, names are there twice or nobody's name is in the table, a column is to be chosen,
        and where there is one value only.
    """
    if given is None:
        if data.phenotype is None:
            raise ValueError("there is no phenotype in the file: give one, as a table with the names of the people")
        texts = data.phenotype
    elif isinstance(given, str | os.PathLike):
        texts = _joined(data.people, _table(Path(given), column), os.path.basename(os.fspath(given)))
    elif isinstance(given, Mapping):
        texts = _joined(data.people, {str(name): str(value) for name, value in given.items()}, "the phenotype")
    else:
        values = np.asarray(given)
        if values.shape != (len(data.people),):
            raise ValueError(f"the phenotype must have one value for each of {len(data.people):,} people")
        texts = values.astype(str)
    return _parsed(np.array([text.strip() for text in texts]))


def columns(path: str | Path) -> list[str]:
    """Names of the columns of a table that may be the phenotype: all but the names of people and families.

    Raises ValueError where there is no such file, or none that can be read.
    """
    return _others(_parse(Path(path), 0))


def _parse(path: Path, n_rows: int | None = None) -> Any:
    """The table as texts; some rows of it, or all."""
    import pandas as pd

    if not path.exists():
        raise ValueError(f"there is no file {os.fspath(path)!r}")
    separator = "," if path.suffix.lower() == ".csv" else r"\s+"
    return pd.read_csv(path, sep=separator, dtype=str, keep_default_na=False, nrows=n_rows)


def _key(table: Any) -> str:
    """Name of the column with the names of people."""
    lower = {str(name).lower(): str(name) for name in table.columns}
    return next((lower[name] for name in NAMES if name in lower), str(table.columns[0]))


def _others(table: Any) -> list[str]:
    """Names of the columns without those of people and families."""
    key = _key(table)
    return [str(name) for name in table.columns if name != key and str(name).lower() not in FAMILY]


def _table(path: Path, column: str | None) -> dict[str, str]:
    """Values by the names of people."""
    table = _parse(path)
    key, others = _key(table), _others(table)
    if column is None:
        if len(others) != 1:
            raise ValueError(
                f"{path.name} has the columns {', '.join(others[:SHOWN]) or 'of names only'}: name the phenotype; "
                "covariates are not taken, so rank residuals of a regression on them instead"
            )
        column = others[0]
    if column not in others:
        raise ValueError(f"{path.name} has no column {column!r}; its columns are {', '.join(others[:SHOWN])}")
    refuse_twice(table[key].to_numpy(str), "person", path.name)
    return dict(zip(table[key], table[column], strict=True))


def _joined(people: np.ndarray, values: Mapping[str, str], source: str) -> np.ndarray:
    """Values (n,) of the people, "" of those who have none."""
    found = np.array([values.get(str(person), "") for person in people])
    if not any(str(person) in values for person in people):
        theirs, ours = ", ".join([*values][:SHOWN]), ", ".join(map(str, people[:SHOWN]))
        raise ValueError(f"none of the people is in {source}: it has {theirs} ..., the genotypes have {ours} ...")
    return found


def _parsed(texts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Known people, and their values as numbers or classes."""
    known = ~np.isin(texts, UNKNOWN)
    values: Any = None
    try:
        values = np.where(known, texts, "nan").astype(float)
    except ValueError:
        values = np.where(known, texts, "")
    if values.dtype.kind == "f":
        whole = values[known]
        if set(whole.tolist()) <= {0.0, 1.0, 2.0}:  # of PLINK: 1 controls, 2 cases, 0 unknown
            known &= (values != 0) | ~(values == 2).any()
            values = np.where(known, texts, "")
    if len(np.unique(values[known])) < 2:
        some = f"only the value {values[known][0]}" if known.any() else "no value at all"
        raise ValueError(f"the phenotype has {some}: two are needed (-9, NA and empty cells are unknown)")
    return known, values
