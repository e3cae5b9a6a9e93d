"""Changes that make X, y and hierarchies odd: types, shapes, masks, values, containers."""

import numpy as np

from .kinds import Case
from .mutations import pick
from .values import INF, NAN, ODD

TYPES = (
    "float16", "float32", "longdouble", "int8", "int64", "uint8", "uint64", "bool", "complex64", "complex128", "object",
    "str", "S", "datetime64[s]", "timedelta64[s]", ">f8",
)  # fmt: skip
FRAMES = (
    None, "object", "Int64", "Float64", "boolean", "string", "category", "float32", "complex128", "uint8", "bool",
    "datetime64[ns]", "datetime64[ns, UTC]", "timedelta64[ns]", "Sparse[float]",
)  # fmt: skip
VIEWS = ("strided", "reversed", "read-only", "matrix")
LIES = ("rows", "columns", "dimensions", "type", "fractions", "masked", "list", "failing")
FORMATS = ("csr", "csc", "coo", "bsr", "lil", "dok", "dia")
VALUES = (
    NAN, INF, -INF, 1e308, -1e308, 1e300, 1.7e308, 5e-324, 1e-312, -0.0, 2.0**53 + 2, 2.0**63, 1e16, None, "", "1", "x",
    True, 10**400, [1, 2], {"!": "number", "type": "Decimal", "text": "1.5"}, {"!": "bytes", "text": "1"},
    {"!": "number", "type": "Fraction", "text": "1/3"}, {"!": "number", "type": "complex", "text": "1j"},
    {"!": "missing"}, {"!": "not a time"}, {"!": "masked constant"}, {"!": "object"}, {"!": "strange"},
)  # fmt: skip


def odd_X(X: object, rng: np.random.Generator) -> object:
    """X as something else, or with odd values in it."""
    values = _values(X)
    if values is None or rng.random() < 0.07:
        return pick(ODD, rng)
    return pick((_typed, _viewed, _shaped, _masked, _framed, _sparse, _salted, _salted, _listed), rng)(values, rng)


def in_pieces(X: object, rng: np.random.Generator) -> object:
    """X as a table that comes in pieces, which may not be what the whole says."""
    values = _values(X)
    if values is None:
        return X
    dtype = pick((None, "float32", "uint8", "int64", "bool", "complex128", "str", "object", "datetime64[s]"), rng)
    out = {"!": "pieces", "values": values, "dtype": dtype, "form": pick(("dask", "dask", "arrow", "zarr"), rng)}
    return {**out, "rows": int(rng.integers(1, 6)), "lie": pick((None, None, *LIES), rng)}


def odd_y(y: object, rng: np.random.Generator) -> object:
    """y as something else, or with odd values in it."""
    values = _values(y)
    if values is None or rng.random() < 0.1:
        return pick(ODD, rng)
    made = pick((_typed, _shaped, _masked, _framed, _salted, _salted, _listed, _repeated, _sparse), rng)
    return made(values, rng)


def odd_hierarchy(rng: np.random.Generator) -> object:
    """Parents that are no hierarchy, or one of another size."""
    return pick(
        (
            [[1], [0], [], []], [[0], [], [], []], [[], [7], [], []], [[], [-1], [], []], [[], [0.5], [], []],
            [[], ["a"], [], []], [[], 0, 0, 1], [[], [0]], [[], [0, 0], [], []], [[]] * 4, [None] * 4, [[k - 1] for k in
            range(1, 3000)], {"!": "array", "values": [[0, 0], [1, 1]]}, [[], [10**400], [], []], "0;1;2", [[]] * 400,
            [[], [True], [], []], {"0": []},
        ),
        rng,
    )  # fmt: skip


def _values(given: object) -> list | None:
    """The values of an array, if there are any, and as many in every row."""
    values = given.get("values") if isinstance(given, dict) else None
    if not isinstance(values, list) or not values:
        return None
    rows = values if isinstance(values[0], list) else [values]
    regular = all(isinstance(row, list) and len(row) == len(rows[0]) for row in rows)
    return values if regular and not any(isinstance(value, list) for row in rows for value in row) else None


def _typed(values: list, rng: np.random.Generator) -> Case:
    return {"!": "array", "values": values, "dtype": pick(TYPES, rng), "order": pick("CF", rng)}


def _viewed(values: list, rng: np.random.Generator) -> Case:
    return {"!": "array", "values": values, "view": pick(VIEWS, rng), "order": pick("CF", rng)}


def _shaped(values: list, rng: np.random.Generator) -> Case:
    """Fewer or more rows, columns, or dimensions."""
    n = len(values)
    cut = [values[: n // 2], values[:1], values[:2], [], [[]] * n, [values], values + values, values[:-1], values[0]]
    return {"!": "array", "values": pick([*cut, [[row] for row in values], [[row, row] for row in values]], rng)}


def _masked(values: list, rng: np.random.Generator) -> Case:
    mask = (rng.random(np.shape(values)) < pick((0.0, 0.2, 1.0), rng)).tolist()
    out = {"!": "masked", "values": values, "mask": pick((mask, mask, mask, False, True), rng)}
    return {**out, "dtype": pick((None, None, "int64", "object"), rng)}


def _framed(values: list, rng: np.random.Generator) -> Case:
    """A DataFrame with a type for each column, or a Series."""
    table = np.array(values, dtype=object)
    if table.ndim == 1:
        if rng.random() < 0.6:
            return {"!": "series", "values": values, "dtype": pick(FRAMES, rng)}
        table = table[:, np.newaxis]
    name = pick(("x{}", "x", "{}"), rng)
    return {
        "!": "frame",
        "columns": [[name.format(j), pick(FRAMES, rng), column.tolist()] for j, column in enumerate(table.T)],
        "library": pick(("pandas", "pandas", "polars", "arrow"), rng),
    }


def _sparse(values: list, rng: np.random.Generator) -> Case:
    dtype = pick((None, None, "float32", "int64", "bool", "complex128"), rng)
    return {
        "!": "sparse",
        "values": values,
        "format": pick(FORMATS, rng),
        "dtype": dtype,
        "matrix": bool(rng.random() < 0.5),
    }


def _salted(values: list, rng: np.random.Generator) -> object:
    """Odd values here and there."""
    salt = pick(VALUES, rng)
    share = pick((0.05, 0.3, 1.0), rng)

    def strewn(one: object) -> object:
        if isinstance(one, list):
            return [strewn(value) for value in one]
        return salt if rng.random() < share else one

    plain = isinstance(salt, float)
    return {"!": "array", "values": strewn(values), "dtype": None if plain else pick((None, "object", "object"), rng)}


def _listed(values: list, rng: np.random.Generator) -> object:
    """Lists and texts instead of arrays."""
    return pick(
        (
            values,
            [*values[:-1], values[-1:]],
            {"!": "tuple", "values": values},
            {"!": "iterator", "values": values},
            [str(value) for value in values],
            {"!": "array", "values": [str(value) for value in values], "dtype": "object"},
        ),
        rng,
    )


def _repeated(values: list, rng: np.random.Generator) -> Case:
    """The same target in all rows, or in all but one."""
    value = pick((values[0], NAN, None, "", 0), rng)
    return {"!": "array", "values": [value] * (len(values) - 1) + [pick((value, values[-1]), rng)]}
