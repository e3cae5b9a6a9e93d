"""Python values of every sort as JSON: a dict with the key "!" names what it stands for, everything else is itself."""

import datetime
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from importlib import import_module

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse as sp

TAG = "!"
NUMBERS = {
    "Decimal": Decimal,
    "Fraction": Fraction,
    "complex": complex,
    **{name: getattr(np, name) for name in ("float16", "float32", "longdouble", "int8", "uint64", "bool_", "str_")},
}


def decoded(value: object) -> object:
    """The value that `value` stands for; what it cannot be made of raises whatever the libraries raise."""
    if isinstance(value, list):
        return [decoded(one) for one in value]
    if not isinstance(value, dict):
        return value
    if TAG in value:
        fields = {name: field for name, field in value.items() if name != TAG}
        return _MAKERS[value[TAG]](**fields)
    return {name: decoded(one) for name, one in value.items()}


def _array(
    values: object, dtype: str | None = None, order: str = "C", view: str = "", shape: list[int] | None = None
) -> np.ndarray:
    out = np.array(decoded(values), dtype=dtype, order=order)
    out = out if shape is None else out.reshape(shape)
    if view == "strided":
        out = np.repeat(out, 2, axis=0)[::2]
    elif view == "reversed":
        out = out[::-1].copy()[::-1]
    elif view == "read-only":
        out.setflags(write=False)
    elif view == "matrix":
        out = np.matrix(out)
    return out


def _masked(values: object, mask: object, dtype: str | None = None, fill: object = None) -> np.ma.MaskedArray:
    return np.ma.MaskedArray(np.array(decoded(values), dtype=dtype), mask=mask, fill_value=fill)


def _sparse(
    values: object,
    format: str = "csr",
    dtype: str | None = None,
    matrix: bool = False,
    parts: dict[str, object] | None = None,
    edits: list[list[object]] | None = None,
) -> object:
    """A sparse matrix; parts: attributes that are replaced as a whole; edits: [attribute, place, value] in them."""
    dense = np.array(decoded(values), dtype=dtype)
    out = getattr(sp, f"{format}_{'matrix' if matrix else 'array'}")(dense)
    for name, part in (parts or {}).items():
        setattr(out, name, decoded(part))
    for name, place, value in edits or ():
        part = getattr(out, name)
        place = tuple(place) if isinstance(place, list) else place
        if format == "lil":
            part[place[0]][place[1]] = value
        elif format == "dok":
            out._dict[place] = value
        else:
            part = tuple(np.array(one) for one in part) if isinstance(part, tuple) else np.array(part)
            if isinstance(part, tuple):
                part[place[0]][place[1]] = value
            else:
                part[place] = value
            setattr(out, name, part)
    return out


def _pieces(values: object, form: str, dtype: str | None = None, rows: int = 3, lie: str | None = None) -> object:
    """A table that comes in pieces of some rows; lie: how the pieces of dask are not what the whole says."""
    out = np.array(decoded(values), dtype=dtype)
    if form == "arrow":
        pyarrow = import_module("pyarrow")
        parts = [pyarrow.table({f"x{j}": part[:, j] for j in range(out.shape[1])}) for part in np.split(out, [rows])]
        return pyarrow.concat_tables(parts)
    if form == "zarr":
        return import_module("zarr").array(out, chunks=(rows, 2))
    whole = import_module("dask.array").from_array(out, chunks=(rows, 2))
    return whole if lie is None else whole.map_blocks(_LIES[lie], dtype=whole.dtype, chunks=whole.chunks)


def _fail(block: np.ndarray) -> np.ndarray:
    raise OSError("the disk is gone")


_LIES: dict[str, Callable] = {
    "rows": lambda block: block[:1],
    "columns": lambda block: block[:, :1],
    "dimensions": lambda block: block[0],
    "type": lambda block: block.astype(str),
    "fractions": lambda block: block.astype(float) + 0.5,
    "masked": lambda block: np.ma.masked_equal(block, block.flat[0]),
    "list": lambda block: block.tolist(),
    "failing": _fail,
}


def _frame(columns: list[list[object]], index: object = None, library: str = "pandas") -> object:
    """columns: [name, dtype or None, values] each; names may repeat, but not in polars."""
    made = [pd.Series(decoded(values), dtype=dtype, index=index) for _, dtype, values in columns]
    out = pd.concat(made, axis=1) if made else pd.DataFrame(index=index)
    out.columns = [tuple(name) if isinstance(name, list) else name for name, *_ in columns]
    if library == "arrow":
        return pa.Table.from_pandas(out)
    return pl.from_pandas(out) if library == "polars" else out


def _table(
    X: object, Y: object = None, categories: dict[str, int] | None = None, classes: int = 0, metas: int = 0
) -> object:
    """Orange's Table.

    categories: number of values of nominal columns, by index; classes: number of classes, 0 for numeric targets.
    """
    from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table

    def variable(name: str, n_values: int) -> object:
        return DiscreteVariable(name, list(map(str, range(n_values)))) if n_values else ContinuousVariable(name)

    X, Y, counts = decoded(X), decoded(Y), {int(j): n for j, n in (categories or {}).items()}
    attributes = [variable(f"x{j}", counts.get(j, 0)) for j in range(X.shape[1])]
    width = 0 if Y is None else Y.shape[1] if Y.ndim == 2 else 1
    targets = [variable(f"y{j}", classes) for j in range(width)]
    texts = np.full((X.shape[0], metas), "text", dtype=object) if metas else None
    domain = Domain(attributes, targets, [StringVariable(f"m{j}") for j in range(metas)])
    return Table.from_numpy(domain, X, Y, texts)


def _nested(depth: int) -> list:
    out: list = []
    for _ in range(depth):
        out = [out]
    return out


class _Strange:
    """An object whose text is long."""

    def __repr__(self) -> str:
        return "strange " * 1000


_MAKERS: dict[str, Callable] = {
    "array": _array,
    "masked": _masked,
    "sparse": _sparse,
    "pieces": _pieces,
    "frame": _frame,
    "table": _table,
    "nested": _nested,
    "random": lambda shape, seed=0: np.random.default_rng(seed).random(shape),
    "integers": lambda shape, high, seed=0: np.random.default_rng(seed).integers(0, high, shape),
    "permutation": lambda n, seed=0: np.random.default_rng(seed).permutation(n).tolist(),
    "filled": lambda shape, value: np.full(shape, value),
    "series": lambda values, dtype=None: pd.Series(decoded(values), dtype=dtype),
    "categorical": lambda codes, names: pd.Categorical.from_codes(codes, names),
    "tuple": lambda values: tuple(decoded(values)),
    "set": lambda values: set(decoded(values)),
    "iterator": lambda values: iter(decoded(values)),
    "range": lambda n: range(n),
    "bytes": lambda text: text.encode("latin-1"),
    "text": lambda text, times: text * times,
    "number": lambda type, text: NUMBERS[type](text),
    "huge": lambda power, sign=1: sign * 10**power,
    "date": lambda: datetime.date(2020, 1, 1),
    "object": lambda: object(),
    "strange": _Strange,
    "function": lambda: callable,
    "class": lambda: int,
    "masked constant": lambda: np.ma.masked,
    "missing": lambda: pd.NA,
    "not a time": lambda: pd.NaT,
    "generator": lambda seed=0: np.random.default_rng(seed),
    "ranker": lambda: lambda X, y: np.arange(X.shape[1], dtype=float),
    "order": lambda: lambda X: np.arange(X.shape[1]),
    "state": lambda seed=0: np.random.RandomState(seed),
}

NAN, INF = float("nan"), float("inf")
# What no parameter is meant to be, and what some are.
ODD: tuple[object, ...] = (
    None, True, False, 0, -1, 1, 2, 3, 10, 0.0, 0.5, 1.0, 2.5, -0.5, NAN, INF, -INF, 1e308, 5e-324, 2**31, 2**63, 2**64,
    "", "x", "auto", "1", "none", "\x00", {"!": "text", "text": "a", "times": 5000}, [], [1], [1, 2], ["a"],
    [[1], [2, 3]], [None], {}, {"a": 1}, {"!": "tuple", "values": []}, {"!": "tuple", "values": [0.1, 0.2]},
    {"!": "tuple", "values": ["f1", [[1]]]}, {"!": "set", "values": [1, 2]}, {"!": "range", "n": 3},
    {"!": "iterator", "values": [1, 2]}, {"!": "bytes", "text": "auto"}, {"!": "date"}, {"!": "object"},
    {"!": "number", "type": "Decimal", "text": "2"}, {"!": "number", "type": "Decimal", "text": "sNaN"},
    {"!": "number", "type": "Fraction", "text": "1/2"}, {"!": "number", "type": "complex", "text": "1+2j"},
    {"!": "number", "type": "float32", "text": "0.5"}, {"!": "number", "type": "float16", "text": "nan"},
    {"!": "number", "type": "int8", "text": "3"}, {"!": "number", "type": "uint64", "text": str(2**64 - 1)},
    {"!": "number", "type": "str_", "text": "auto"}, {"!": "number", "type": "bool_", "text": "x"},
    {"!": "huge", "power": 400}, {"!": "huge", "power": 5000}, {"!": "huge", "power": 400, "sign": -1},
    {"!": "strange"}, {"!": "function"}, {"!": "class"}, {"!": "masked constant"}, {"!": "missing"},
    {"!": "not a time"}, {"!": "nested", "depth": 2000}, {"!": "generator"}, {"!": "state"},
    {"!": "array", "values": []}, {"!": "array", "values": 3}, {"!": "array", "values": 0.5},
    {"!": "array", "values": [1, 2]}, {"!": "array", "values": [0.1, 0.2]}, {"!": "array", "values": [[1.0, 2.0]]},
    {"!": "array", "values": ["auto", "x"]}, {"!": "array", "values": [None, 1], "dtype": "object"},
    {"!": "array", "values": [True, False]}, {"!": "series", "values": [1, 2]},
    {"!": "frame", "columns": [["a", None, [1]]]}, {"!": "sparse", "values": [[0, 1]]},
)  # fmt: skip
