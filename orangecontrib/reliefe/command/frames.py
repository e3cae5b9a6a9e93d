"""Text tables and workbooks on the command line where Orange is not installed: ``orange-reliefe rank people.csv``.

Columns are read as Orange reads them (tabular.columns), so that scores are equal to those with Orange.  Headers of
Orange, other formats and data sets by name are refused, with the command that installs Orange.
"""

# Nothing heavy is imported up here: --help should answer at once.
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import NEEDS_ORANGE
from ..formats import ARRAYS, CELLS, GENOTYPES, advice_on, is_of, readable_sentence, with_ending
from .data import OUTPUTS, CommandData, TableArrays
from .endings import STDIN, NoTarget
from .feature_groups import IMPORT, read_feature_groups
from .reading_options import given_reading
from .terminal import with_options

if TYPE_CHECKING:
    from ..core import Description, Ranking
    from ..core.targets.accepts import Accepts
    from ..tabular import ReadingOptions, TextTable
    from ..tabular.columns import TextColumn
    from .listing import Listing

READ_WITHOUT_ORANGE = (*CELLS, *ARRAYS, *GENOTYPES)
CHOICES = ("target", "covariate", "group", "event_value", "task")  # options of the command that `read_frame` takes


class ParsedTable(NamedTuple):
    """A table whose cells are read, and whose columns have no roles yet.

    Attributes
    ----------
    path : str
        Name of the file, "stdin" for the standard input.
    table : TextTable
        The cells as texts.
    columns : list of TextColumn
        Numbers, categories and texts.
    infinite : list of str
        Sentences on infinite numbers, which are read as missing.
    """

    path: str
    table: "TextTable"
    columns: Sequence["TextColumn"]
    infinite: Sequence[str]


class FrameData(CommandData):
    """A text table or workbook that is read without Orange.

    Attributes
    ----------
    parsed : ParsedTable
        From `read_source`.
    reading : dict
        Options of `read_frame` that repeat the reading in a script, from `assign_roles`.
    table : TableArrays
        From `assign_roles`.
    groups : dict
        The argument feature_groups of `core.rank` if there are any, from `rank`.
    """

    parsed: ParsedTable
    reading: dict[str, Any]
    table: TableArrays
    groups: dict[str, Any]

    def output_endings(self) -> Sequence[str]:
        """Override CommandData.output_endings; raises ValueError for a file that only Orange writes."""
        output = self.arguments.output
        if output and os.path.splitext(output)[1].lower() not in OUTPUTS:
            raise ValueError(f"{NEEDS_ORANGE.format(f'to write {output!r}')}; without: {', '.join(OUTPUTS)}")
        return OUTPUTS

    def read_source(self) -> None:
        """Override CommandData.read_source."""
        from ..tabular import ReadingOptions

        self.parsed = parse_table(self.arguments.data, ReadingOptions(**given_reading(self.arguments)))

    def assign_roles(self) -> None:
        """Override CommandData.assign_roles."""
        roles = {name: value for name in CHOICES if (value := getattr(self.arguments, name, None))}
        if self.method != "auto":
            roles["method"] = self.method
        if self.parameters:
            roles["parameters"] = self.parameters  # it may depend on them whether a target is needed
        self.reading = roles | given_reading(self.arguments)
        self.notes = []
        self.table = _table_in_roles(self.parsed, notes=self.notes, **roles)

    def options(self) -> dict[str, Any]:
        """Override CommandData.options: the table has the task."""
        options = super().options()
        del options["task"]
        return options

    def rank(self, run_options: Mapping[str, Any]) -> "Ranking":
        """Override CommandData.rank."""
        from ..core import rank

        self.groups = {}
        if self.arguments.feature_groups:
            names = self.table.options["names"]
            groups = read_feature_groups(self.arguments.feature_groups, names, notes=self.notes)
            self.groups["feature_groups"] = groups
        options = {**run_options, **self.table.options, **self.options(), **self.groups, **self.parameters}
        ranking = rank(self.table.X, self.table.y, self.method, **options)
        return ranking.with_target(self.table.targets, self.table.classes)

    def rank_unadjusted(self, ranking: "Ranking", run_options: Mapping[str, Any]) -> "Ranking":
        """Override CommandData.rank_unadjusted."""
        from ..core import rank

        without = self.options() | {"significance": False, "conditional": False} | self.table.options
        without |= {"covariates": None, **self.groups, **run_options, **self.parameters}
        return rank(self.table.X, self.table.y, ranking.method, **without)

    def listing(self, ranking: "Ranking", further_columns: dict[str, list[int]]) -> "Listing":
        """Override CommandData.listing."""
        from ..core.report.page import report_values
        from ..core.targets.description import describe_target
        from ..core.words import counted
        from .listing import Listing

        name, X, y, options, targets, classes, _ = self.table
        target = describe_target(targets, ranking.info["task"], classes)
        digest = f"{name}: {counted(len(X), 'row')}, {counted(X.shape[1], 'feature')}, {target}"
        return Listing(
            ranking,
            name,
            digest,
            targets,
            [*self.notes, *map(with_options, ranking.info["information"])],
            further_columns,
            target=target,
            values=lambda: report_values(ranking, X, y, **options),
            features=options["names"],
        )

    def script(self, ranking: "Ranking") -> str:
        """Override CommandData.script."""
        from .listing import script

        imports = (
            "from orangecontrib.reliefe.command.frames import read_frame\nfrom orangecontrib.reliefe.core import rank"
        )
        reads = "".join(f", {key}={value!r}" for key, value in self.reading.items())
        line = f"data = read_frame({self.arguments.data!r}{reads})"
        more = ", **data.options"
        if self.groups:
            imports += f"\n{IMPORT}"
            more += f", feature_groups=read_feature_groups({self.arguments.feature_groups!r}, data.options['names'])"
        call = "rank(data.X, data.y"
        return script(ranking, line, self.best_expression, imports=imports, call=call, more=more, **self.options())

    def arrays(self) -> TableArrays:
        """Return the table as arguments of the core."""
        return self.table

    def describe(self) -> "Description":
        """Override CommandData.describe: take a first look at the table."""
        from pandas import Series

        from ..core import describe
        from ..core.description import with_codes
        from ..core.targets.tasks import CLASSIFICATION
        from .named_columns import note_on_codes

        _, X, y, options, targets, classes, codes = self.table
        if options["task"] == CLASSIFICATION and len(targets) == 1:
            distinct_values = {value for value in y if value is not None and value == value}
            names_of_codes = dict(zip(sorted(distinct_values), classes, strict=True))
            y = Series([names_of_codes.get(value) for value in y], name=targets[0])
        if codes:
            self.notes.remove(note_on_codes(codes))  # which is a finding
        return with_codes(describe(X, y, **options), codes)


def read_frame(
    path: str,
    target: Sequence[str] = (),
    covariate: Sequence[str] = (),
    group: str | None = None,
    event_value: str | None = None,
    task: str | None = None,
    method: str = "auto",
    parameters: Mapping[str, Any] | None = None,
    notes: list[str] | None = None,
    **reading: Any,
) -> TableArrays:
    """Read a text table or workbook.

    Parameters
    ----------
    path : str
        The file: .csv, .tsv, .tab, .txt, .xlsx or .xls, which may be compressed; "-" is the standard input.
    target, covariate, group, event_value, task, method
        The options of the command of these names. For the task "survival", target has the time and the event.
    parameters : mapping, optional
        Parameters of the method, which may decide whether a target is needed.
    notes : list of str, optional
        Gets sentences on what was assumed and left out.
    **reading
        Fields of `tabular.ReadingOptions`.

    Returns
    -------
    TableArrays

    Raises
    ------
    ValueError
        If the file cannot be read, needs Orange, or has no such columns, no target or no features.
    """
    from ..tabular import ReadingOptions

    parsed = parse_table(path, ReadingOptions(**reading))
    notes = [] if notes is None else notes
    return _table_in_roles(parsed, target, covariate, group, event_value, task, method, parameters, notes)


def parse_table(path: str, options: "ReadingOptions") -> ParsedTable:
    """Read and parse the cells of a file, or of the standard input; raises ValueError as `read_frame`."""
    from ..tabular.columns import read_columns
    from .standard_input import saved_input

    if path == STDIN:
        with saved_input(options) as saved:
            _check_plain(str(saved))
            table = _read(str(saved), options)
        path = saved.stem
    else:
        _check_plain(path)
        table = _read(path, options)
    columns, infinite = read_columns(table)
    return ParsedTable(path, table, columns, infinite)


def _table_in_roles(
    parsed: ParsedTable,
    target: Sequence[str] = (),
    covariate: Sequence[str] = (),
    group: str | None = None,
    event_value: str | None = None,
    task: str | None = None,
    method: str = "auto",
    parameters: Mapping[str, Any] | None = None,
    notes: list[str] | None = None,
) -> TableArrays:
    """Assign the columns of a table their roles; parameters and errors are those of `read_frame`."""
    from ..core.data.facts import refuse_unknown, two_roles
    from ..core.methods.registry import accepts_with, tasks_with
    from ..core.targets.tasks import UNSUPERVISED

    path, table, columns, infinite = parsed
    notes = [] if notes is None else notes
    notes += [*table.notes, *table.doubts, *infinite]
    by_name = {column.name: column for column in columns}
    for role, names in (("target", target), ("covariate", covariate), ("group", [group] if group else [])):
        refuse_unknown(names, role, [*by_name])
    role_names = [*target, *covariate, *([group] if group else [])]
    is_aside = task == UNSUPERVISED or tasks_with(method, parameters or {}) == (UNSUPERVISED,)
    numbers = _row_numbers(table, columns, role_names, notes)
    last_target = [] if target else _last_target(table, columns, is_aside, path, notes)
    role_names += last_target
    if twice := [name for name in role_names if role_names.count(name) > 1]:
        raise ValueError(two_roles(twice[0]))
    unranked = {*role_names, *numbers}
    other_columns = [column for column in columns if column.name not in unranked]
    features = [column for column in other_columns if not column.is_text]
    _note_texts([column.name for column in other_columns if column.is_text], features, path, table.doubts, notes)
    study: dict[str, Any] = {}
    if covariate:
        from pandas import DataFrame

        study["covariates"] = DataFrame({name: _values(by_name[name]) for name in covariate})
    if group:
        study["groups"] = _values(by_name[group])
    targets = [] if is_aside else [by_name[name] for name in (*target, *last_target)]
    if not group:
        _note_persons([column for column in other_columns if column.is_text], features, targets, notes)
    _note_feature_rows(table, columns, bool(targets), notes)
    accepts = accepts_with(method, parameters or {})
    arrays = _table_arrays(features, targets, task, event_value, study, accepts, notes)
    name = os.path.splitext(os.path.basename(path))[0]
    return arrays._replace(name=name, codes=_codes(table, features, notes))


def _codes(table: "TextTable", features: Sequence["TextColumn"], notes: list[str]) -> tuple[str, ...]:
    """Return the names of numbers that may be codes, as postal codes, and add a note on them."""
    from .named_columns import note_on_codes

    codes = tuple(column.name for column in features if column.name in table.possible_categories)
    if codes:
        notes.append(note_on_codes(codes))
    return codes


def _note_feature_rows(table: "TextTable", columns: Sequence["TextColumn"], has_target: bool, notes: list[str]) -> None:
    """Add a note if rows look like features, and columns like samples."""
    from ..core.data.transposed import are_features, sentence_on_rows
    from ..core.words import sentence

    texts = [column for column in columns if column.is_text]
    numbers = [column.name for column in columns if column.categories is None and not column.is_text]
    if len(numbers) + len(texts) < len(columns):
        return
    rows = [str(text or "") for text in texts[0].values] if texts else table.row_names
    if are_features(rows, numbers, has_target):
        notes.append(f"{sentence(sentence_on_rows(rows))}: add --transpose")


def _check_plain(path: str) -> None:
    """Raise ValueError where there is no such file, or only Orange reads it."""
    from ..core.data.table_files import check_file

    if not is_of(path, CELLS):
        if advice := advice_on(path) if os.path.exists(path) else None:
            raise ValueError(advice)
        if files := with_ending(path):
            raise ValueError(f"there is no file {path!r}, and there is {' and '.join(map(repr, files))}")
        what = f"to read {path!r}" if os.path.exists(path) else f"there is no file {path!r}, and a data set by its name"
        raise ValueError(f"{NEEDS_ORANGE.format(what)}. Without: {readable_sentence(READ_WITHOUT_ORANGE)}")
    check_file(path)


def _read(path: str, options: Any) -> "TextTable":
    """Read cells; raises ValueError with the name of the file, also for a header that only Orange knows."""
    from ..core.words import shown
    from ..tabular import BesideError, read_text_table
    from ..tabular.layout import ORANGE_ROWS
    from .named_columns import PREFIX

    try:
        table = read_text_table(path, options)
    except BesideError:
        raise
    except (ValueError, OSError) as error:
        raise ValueError(f"cannot read {path!r}: {error}") from error
    prefixed = [name for name in (table.header[0] if table.header else ()) if _has_prefix(PREFIX.match(name))]
    if len(table.header) == ORANGE_ROWS or prefixed:
        what = f"the prefix in {shown(prefixed[0])}" if prefixed else "a header of three rows, names, types and roles,"
        raise ValueError(f"cannot read {path!r}: {NEEDS_ORANGE.format(what)}")
    return table


def _has_prefix(match: Any) -> bool:
    return match is not None and match.end() > len("#")


def _last_target(
    table: "TextTable", columns: Sequence["TextColumn"], is_aside: bool, path: str, notes: list[str]
) -> list[str]:
    """Return the name of the last column if it is that of a target, and add a note; none where nothing is asked for."""
    from .named_columns import is_target, no_target_in, note_on_last_column

    name = columns[-1].name
    if table.header and is_target(table.names[-1]):
        notes.append(note_on_last_column(name, is_aside))
        return [name]
    if not is_aside:
        raise NoTarget(no_target_in(Path(path).name, [column.name for column in columns]))
    return []


def _row_numbers(
    table: "TextTable", columns: Sequence["TextColumn"], role_names: Collection[str], notes: list[str]
) -> dict[str, str]:
    """Return columns of row numbers that were saved with the table, by name what a note calls them, and add it."""
    from ..core.data.facts import row_numbers_left_out
    from ..core.words import shown
    from .named_columns import INDEX, NO_NAME, is_index

    called = {column.name: shown(column.name) for column in columns if column.name.startswith(INDEX)}
    if table.header and not table.header[0][0].strip():
        called[NO_NAME] = "the first column, which has no name"
    row_numbers = {
        column.name: called[column.name]
        for column in columns
        if column.name in called and column.name not in role_names
        and column.categories is None and not column.is_text and is_index(column.name, column.values)
    }  # fmt: skip
    if row_numbers:
        notes.append(row_numbers_left_out([*row_numbers.values()]))
    return row_numbers


def _note_texts(
    texts: Sequence[str], features: Sequence["TextColumn"], path: str, doubts: Sequence[str], notes: list[str]
) -> None:
    """Add a note on texts that are left out; raises ValueError if nothing else is there."""
    from ..core.data.facts import texts_left_out
    from .named_columns import no_features

    if not features:
        raise ValueError(no_features(Path(path).name, texts, doubts))
    if texts:
        notes.append(texts_left_out(texts))


def _note_persons(
    texts: Sequence["TextColumn"], features: Sequence["TextColumn"], targets: Sequence["TextColumn"], notes: list[str]
) -> None:
    """Add a note on the first column of texts in which a person occurs in several rows."""
    import numpy as np

    from ..core.data.persons import RowNames, codes_of_texts, repeated_rows

    columns = [RowNames(column.name, codes_of_texts(column.values)) for column in texts]
    of_targets = [codes_of_texts(column.values) if column.is_text else column.values for column in targets]
    target = np.column_stack(of_targets) if of_targets else None
    X = np.column_stack([column.values for column in features])
    is_number = len(targets) == 1 and targets[0].categories is None and not targets[0].is_text
    repeated = repeated_rows(columns, X, [column.name for column in features], target, is_number)
    if repeated:
        notes.append(repeated.note)


def _values(column: "TextColumn") -> Any:
    """Return values of a covariate, a group, or an event: numbers, categories by their names, or texts."""
    if column.categories is None:
        return column.values
    import numpy as np
    from pandas import Categorical

    codes = np.where(np.isnan(column.values), -1, column.values).astype(int)
    return Categorical.from_codes(codes.tolist(), list(column.categories))


def _table_arrays(
    features: Sequence["TextColumn"],
    targets: Sequence["TextColumn"],
    task: str | None,
    event_value: str | None,
    study: dict[str, Any],
    accepts: "Accepts",
    notes: list[str],
) -> TableArrays:
    """Return columns in their roles, without the table's name, and add notes on how the target is read.

    accepts : targets that the method takes
    """
    import numpy as np

    from ..core.targets.description import class_names
    from ..core.targets.tasks import CLASSIFICATION, UNSUPERVISED
    from ..core.targets.unmarked import advice_on_status

    X = np.ascontiguousarray(np.column_stack([column.values for column in features]), float)
    nominal = np.array([column.categories is not None for column in features])
    names = tuple(column.name for column in features)
    y, natural = _target(targets, task, event_value, accepts, notes)
    classes: list[str] = []
    if len(targets) == 1 and (task or natural) == CLASSIFICATION:
        known_values = {value for value in _values(targets[0]) if value is not None and value == value}
        order = targets[0].categories or sorted(known_values)
        classes = class_names(value for value in order if value in known_values)
        times = advice_on_status(targets[0].name, classes, names, X, nominal)
        if times:
            notes.append(times.advice)
    options = {"names": names, "nominal": nominal, "task": task or (natural if targets else UNSUPERVISED), **study}
    return TableArrays("", X, y, options, [column.name for column in targets], classes)


def _target(
    targets: Sequence["TextColumn"], task: str | None, event_value: str | None, accepts: "Accepts", notes: list[str]
) -> tuple[Any, str | None]:
    """Return y as `core.rank` takes it, and the task that it is for unless somebody says otherwise."""
    from ..core import Survival
    from ..core.targets.column_task import task_of_column
    from ..core.targets.columns import read_column
    from ..core.targets.facts import refuse_one_class, text_among_targets, times_are_two, titled
    from ..core.targets.tasks import HIERARCHICAL, MULTITARGET, REGRESSION, natural_task

    if task == HIERARCHICAL:
        raise ValueError(NEEDS_ORANGE.format(f"--task {HIERARCHICAL}"))
    if not targets:
        return None, None
    if task == "survival":
        time, event = targets
        if time.is_text or time.categories is not None:
            is_swapped = not event.is_text and event.categories is None
            raise ValueError(times_are_two(time.name, event.name) if is_swapped else times_are_two())
        return Survival(time.values, _values(event), event_value), task
    natural = natural_task([_kind(column) for column in targets])
    if len(targets) == 1:
        (target,) = targets
        if target.categories is None:
            if task is None:
                column_task = task_of_column(read_column(target.values, len(target.values)), accepts)
                natural = column_task.task
                notes += filter(None, [column_task.note])
            return target.values, natural
        if task == REGRESSION:
            return _numbers(target), natural
        refuse_one_class(target.categories, titled(target.name))  # all of them occur
        return target.values, natural
    if natural == MULTITARGET:
        from pandas import DataFrame

        if any(column.is_text for column in targets):
            raise ValueError(text_among_targets([column.name for column in targets]))
        return DataFrame({column.name: _values(column) for column in targets}), natural
    return _labels(targets, notes), natural


def _kind(column: "TextColumn") -> str:
    from ..core.targets.tasks import CLASSES, LABELS, NUMBERS

    if column.categories is not None:
        return LABELS if len(column.categories) <= len((0, 1)) else CLASSES
    return CLASSES if column.is_text else NUMBERS


def _labels(targets: Sequence["TextColumn"], notes: list[str]) -> Any:
    """Return (n, t) labels of 0 and 1; the only value of a constant one is present unless it is 0, no or the like."""
    import numpy as np

    from ..core.targets.events import says_absent
    from ..core.targets.facts import constant_label

    labels = []
    for column in targets:
        categories = column.categories or ()
        is_present = len(categories) == 1 and not says_absent(categories[0])
        if len(categories) == 1:
            notes.append(constant_label(column.name, categories[0]))
        labels.append(column.values + is_present)
    return np.column_stack(labels)


def _numbers(target: "TextColumn") -> Any:
    """Return the numbers that the names of categories stand for."""
    import numpy as np

    from ..core.targets.facts import not_numbers

    categories = target.categories or ()
    try:
        numbers = np.array([*map(float, categories), np.nan])
    except ValueError:
        raise ValueError(not_numbers(target.name, categories)) from None
    return numbers[np.where(np.isnan(target.values), -1, target.values).astype(int)]
