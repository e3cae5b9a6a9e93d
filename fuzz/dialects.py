"""Tables in the dialects of other programs: read with the same names and values, or refused, or doubted in words."""

import contextlib
import io
import json
import math
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .foreign import PLAIN, UNICODE, encoding_of, make_dialect, make_table, write
from .kinds import Action, Case
from .outcome import Refused, Wrong
from .refusals import refusing

GUESSED = "since the file does not say its encoding", "in UTF-8 cannot be read"  # notes on an encoding
DOUBTED = "No numbers, since", "may separate thousands"  # notes on columns whose cells may be something else
UNNAMED = "The first line was read as names", "The first line has values"
LEFT_OUT = "left out"
SHORT = "before the last column: these cells are read as missing"


def make(rng: np.random.Generator) -> Case:
    """A case: a known table, as `foreign.make_table` has it, and its "dialect"."""
    table = make_table(rng)
    case = {**table, "dialect": make_dialect(table, rng)}
    options = case["dialect"].get("options", {})
    if "encoding" in options:
        options["encoding"] = encoding_of(case)
    return case


def prepare(case: Case) -> Action:
    """Write the file; the action reads it and compares."""
    folder = tempfile.TemporaryDirectory(prefix="fuzz-dialects-")
    path = write(case, folder.name)
    reader = _READERS[(PLAIN | case["dialect"])["reader"]]

    def action() -> None:
        with folder:
            reader(path, case)

    return action


def _text(path: Path, case: Case) -> None:
    """By `tabular.read_text_table`."""
    from orangecontrib.reliefe.tabular import ReadingOptions, read_text_table

    with refusing():
        table = read_text_table(path, ReadingOptions(**case["dialect"].get("options", {})))
    notes = [*table.notes, *table.doubts]
    names, columns, labels = expected(case)
    if table.row_names and table.row_names != labels and not _is_guessed(case, notes):
        raise Wrong(f"names of rows {table.row_names[:3]}, not {labels[:3]}; {notes}", "text: row names")
    if not table.row_names and (PLAIN | case["dialect"])["row_names"] == "short":
        names, columns = [None, *names], [labels, *columns]
    cells = [[*map(str, column)] for column in table.cells.T.tolist()]
    found = [
        _known(table.values(name)) if table.names.count(name) == 1 else cells[j] for j, name in enumerate(table.names)
    ]
    _compare("text", case, (names, columns), (table.names, found), notes)


def _table(path: Path, case: Case) -> None:
    """By `read_table`, and the notes of its source."""
    from orangecontrib.reliefe import read_table
    from orangecontrib.reliefe.command.loading import read_source
    from orangecontrib.reliefe.command.target_column import problem
    from orangecontrib.reliefe.tabular import ReadingOptions

    options = case["dialect"].get("options", {})
    names, columns, _ = expected(case)
    target = [] if names[-1] is None else [names[-1]]
    with refusing():
        source = read_source(str(path), options=ReadingOptions(**options))
        notes = [*problem(source, target or None, "unsupervised", "auto", {}).notes]
        table = read_table(str(path), target, **options)
    variables = [*table.domain.variables, *table.domain.metas]
    found = {variable.name: _of_variable(table, variable) for variable in variables}
    left_out = [note for note in notes if note.startswith("Row numbers left out")]
    wanted = [name for name in names if name is not None]
    if left_out and len(found) == len(names) - 1:
        wanted = wanted[-len(found) :]
    order = [name for name in wanted if name in found] + [name for name in found if name not in wanted]
    if any(name is None for name in names):
        order = list(found)  # columns without names are told by their order alone, which roles change
        if len(order) != len(names) and not left_out:
            raise Wrong(f"columns {order} for {len(names)}; {notes}", "table: number of columns")
        return
    _compare("table", case, (wanted, columns[-len(wanted) :]), (order, [found[name] for name in order]), notes)


def _command(path: Path, case: Case) -> None:
    """By the command line, whose document has the names of features and of the target."""
    from orangecontrib.reliefe.command.cli import main

    names, columns, _ = expected(case)
    options = case["dialect"].get("options", {})
    arguments = ["rank", str(path), "--json", "--quiet", "--method", "relieff", "--n-instances", "2"]
    arguments += [] if names[-1] is None else ["--target", names[-1]]
    arguments += ["--no-header"] if options.get("header") is False else []
    arguments += [f"--{name}={value}" for name, value in options.items() if name != "header"]
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = main(arguments)
    if code:
        text = errors.getvalue()
        if code != 2 or "Traceback" in text:
            raise Wrong(f"status {code}: {text[-300:]}", "command: status")
        raise Refused(text[:300])
    document = json.loads(out.getvalue())
    notes = [*document["info"]["input"], *document["info"].get("information", [])]
    said = " ".join(notes)
    features = {feature["feature"] for feature in document["features"]}
    if _is_guessed(case, notes) or any(note in said for note in UNNAMED):
        return
    if strange := features - {*names, *(["Feature 1"] if names[0] is None else [])}:
        raise Wrong(f"features {sorted(strange)} among {names}; {notes}", "command: names")
    for name, values in zip(names[:-1], columns[:-1], strict=True):
        if name is not None and name not in features and repr(name) not in said and LEFT_OUT not in said:
            raise Wrong(f"feature {name!r} ({values[:3]}) is gone; {notes}", "command: gone")
    if document["targets"] != [names[-1]]:
        raise Wrong(f"targets {document['targets']}, not {names[-1]!r}", "command: target")


_READERS = {"text": _text, "table": _table, "command": _command}


def expected(case: Case) -> tuple[list[str | None], list[list], list[str]]:
    """Names (None of columns without), values of the columns, and names of rows."""
    dialect = PLAIN | case["dialect"]
    names, columns = [*case["names"]], [*case["columns"]]
    has_no_names = dialect["row_names"] == "none" or (dialect["row_names"] == "short" and dialect["reader"] == "table")
    if has_no_names and not dialect["missing"]:  # rows without any value are left out
        columns = [*map(list, zip(*(row for row in zip(*columns, strict=True) if set(row) != {None}), strict=True))]
    labels = case["labels"] if dialect["row_names"] != "none" else []
    if dialect["row_names"] == "corner" or (dialect["row_names"] == "short" and dialect["header"] == "none"):
        names, columns = [None, *names], [labels, *columns]
    if dialect["header"] == "none":
        names = [None] * len(names)
    return names, columns, labels


def _known(values: np.ndarray) -> list:
    """Values of a column as Python has them, None where one is missing."""
    return [None if isinstance(value, float) and math.isnan(value) else value for value in values.tolist()]


def _of_variable(table: object, variable: object) -> list:
    column = table.get_column(variable).tolist()
    if variable.is_discrete:
        return [None if value != value else variable.values[int(value)] for value in column]
    if variable.is_string:
        return [str(value) or None for value in column]
    return [None if value != value else value for value in column]


def _is_guessed(case: Case, notes: Sequence[str]) -> bool:
    """True where the encoding of letters was assumed, and that was said."""
    declared = encoding_of(case) in UNICODE or "encoding" in case["dialect"].get("options", {})
    return not declared and any(mark in note for note in notes for mark in GUESSED)


def _compare(
    reader: str, case: Case, wanted: tuple[list, list], found: tuple[Sequence[str], list], notes: Sequence[str]
) -> None:
    """Raise `Wrong` unless names and values are the same, or words say that they may not be."""
    names, columns = wanted
    guessed = _is_guessed(case, notes)
    said = " ".join(notes)
    doubted = [note for note in notes if any(mark in note for mark in DOUBTED)]
    unnamed = any(mark in note for note in notes for mark in UNNAMED)
    if unnamed and (PLAIN | case["dialect"])["header"] == "none":
        return
    if len(found[0]) == 1 < len(names) and reader == "text":
        raise Refused("one column, which readers of whole tables refuse")
    if any(f"{name}'" in note for name in names for note in doubted if name not in found[0]):
        return  # a line above the names is taken for names: the first one is among the cells that are doubted
    if len(found[0]) != len(names) and not guessed and SHORT not in said:
        raise Wrong(f"columns {list(found[0])}, not {names}; {said}", f"{reader}: number of columns")
    if len(found[0]) != len(names):
        return
    for name, title in zip(names, found[0], strict=False):
        if name is not None and name != title and not guessed:
            raise Wrong(f"columns {list(found[0])}, not {names}; {said}", f"{reader}: names")
    for name, title, values, actual in zip(names, found[0], columns, found[1], strict=False):
        if len(values) != len(actual):
            if doubted or SHORT in said:
                return
            raise Wrong(f"{len(actual)} rows, not {len(values)}; {said}", f"{reader}: number of rows")
        if guessed or any(title in note or " more" in note for note in doubted):
            continue
        for i, (value, other) in enumerate(zip(values, actual, strict=True)):
            if not _is_same(value, other, case):
                what = "missing" if value is None or other is None else "values"
                kind = "numbers" if any(isinstance(v, float) for v in values) else "texts"
                raise Wrong(
                    f"{name!r}, row {i + 1}: {other!r}, not {value!r}; {said}", f"{reader}: {what} among {kind}"
                )


def _is_same(value: object, found: object, case: Case) -> bool:
    """True for the same value; whole numbers with points between thousands look like three decimals."""
    missing, thousands = ((PLAIN | case["dialect"])[name] for name in ("missing", "thousands"))
    if thousands == "." and isinstance(value, float) and value.is_integer() and _number(found) == value / 1000:
        return True
    if value is None:
        return found is None or (isinstance(found, str) and found in (missing, ""))
    if isinstance(value, str):
        return found is not None and (str(found) == value or _number(found) == _number(value) is not None)
    return _number(found) == value


def _number(value: object) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
