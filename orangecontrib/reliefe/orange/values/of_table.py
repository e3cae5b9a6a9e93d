"""Values of one or two features of a table against its targets, as charts draw them.

The panels of values in the rankers and in *Feature Interactions* make a `ValuesOfTable` for their data, and ask it for
pictures (`pictures`) of the current feature or pair.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
from Orange.data import Table, Variable

from ...core.words import counted, some
from ..problem import CLASSIFICATION
from .association import association, contingency_table
from .categories import MAX_VALUES, MAX_VALUES_OF_PAIR, CategoriesOfRows, cells_of_pair, frequent, n_values
from .pair_pictures import pair_picture
from .pictures import Bars, Boxes, Histogram, ScatterPoints, Side, Values

if TYPE_CHECKING:
    from ...core.studies.study import Study

ADJUSTED_METHOD = "multisurf"  # a method that adjusts scores for covariates, whose residuals are drawn
MAX_ROWS = 5_000  # that are drawn; of more rows a sample is taken; chosen by eye
MAX_BINS = 40  # of a histogram; chosen by eye
LABEL = ("0", "1")  # values of a label of a set


class StudiedRows(NamedTuple):
    """Study of the sampled rows.

    Attributes
    ----------
    is_ranked : (n,) bool array
        Rows that are in the study.
    study : Study
        Residuals of the target on the covariates.
    """

    is_ranked: np.ndarray
    study: "Study"


class ValuesOfTable:
    """Pictures of features of a table against its targets.

    Parameters
    ----------
    table : Table
        The data.
    most : int
        Number of rows above which a sample is drawn, always the same.

    Attributes
    ----------
    targets : tuple of Variable
        Class variables of the table.
    """

    def __init__(self, table: Table, most: int = MAX_ROWS):
        self._n = len(table)
        self._all = table
        self._sample = table
        if self._n > most:
            rows = np.random.default_rng(0).choice(self._n, most, replace=False)
            self._sample = table[np.sort(rows)]
        self.targets = table.domain.class_vars
        self._target_columns = [self._column(target) for target in self.targets]
        self._studied: dict[tuple[str, ...], StudiedRows] = {}  # by covariates; the last one only

    def of(self, feature: int) -> Values:
        """Picture of a feature, by its index, against the target that is associated with it most closely."""
        variable = self._all.domain.attributes[feature]
        x = self._column(variable)
        number = 0
        target = None
        y = None
        if self.targets:
            number = self._closest_target([x], lambda columns: (columns[0], n_values(variable)))
            if np.isfinite(self._target_columns[number]).any():
                target = self.targets[number]
                y = self._target_columns[number]
        drawing: Bars | Boxes | Histogram | ScatterPoints | None = None
        known = np.isfinite(x)
        if target is not None and y is not None:
            known &= np.isfinite(y)
            if known.any():
                drawing = self._against(variable, x[known], target, y[known])
        elif known.any():
            drawing = _distribution(variable, x[known])
        title = variable.name
        if target is not None:
            title = f"{variable.name} by {target.name}"
            if len(self.targets) > 1:
                title += f" (closest of {counted(len(self.targets), 'target')})"
        caption = f"{self._drawn(len(self._sample))}; {self._missing(variable, target)}"
        text = "" if target is None or y is None else self._direction(variable, x, target, y)
        return Values(title, caption, drawing, number, text)

    def adjusted(self, feature: int, covariates: Sequence[str]) -> Values:
        """Picture of the residuals of a feature, and of a numeric target, on covariates; categories stay as they are.

        Raises
        ------
        ValueError
            If there is no regression of the target on the covariates.
        """
        from ...core.studies.projection import Projection

        variable = self._all.domain.attributes[feature]
        studied = self._study(tuple(covariates))
        study = studied.study
        target = next((v for v in self.targets[1:] if v.is_discrete), self.targets[0])  # of times the event
        is_class = study.target.task == CLASSIFICATION
        names = [target.values[int(name)] for name in study.target.names] if is_class else []

        # Rows of the study whose value of the feature is known.
        x = self._column(variable)[studied.is_ranked]
        known = np.isfinite(x)
        x = x[known]
        codes = study.target.columns[0][known, 0]
        residuals = study.residuals[0][known]

        beyond = f" beyond {some(covariates)}"
        drawing: Boxes | ScatterPoints | None = None
        if len(x) and variable.is_discrete:
            last = f"{target.name} = {names[-1]}" if is_class else target.name
            drawing = Boxes(last + beyond, _groups(frequent(x, variable.values), residuals[:, -1]), colored=False)
        elif len(x):
            rest = Projection.on(study.Z[known]).rest(x)
            if is_class:
                drawing = Boxes(variable.name + beyond, _groups(frequent(codes, names), rest))
            else:
                sides = (Side(variable.name + beyond), Side(target.name + beyond))
                y = residuals[:, 0]
                drawing = ScatterPoints(sides, rest, y, correlation=association(rest, None, y, None))
        return Values(f"{variable.name} by {target.name}{beyond}", self._drawn(len(x)), drawing)

    def of_pair(self, first: str, second: str, target: int | None = None) -> Values:
        """Picture of two features.

        Parameters
        ----------
        first, second : str
            Names of the features.
        target : int, optional
            Index of the target. None, or no target: the one that is associated with the pair most closely.
        """
        pair = [self._sample.domain[name] for name in (first, second)]
        columns = [self._column(variable) for variable in pair]
        number = target
        if number is None or not 0 <= number < len(self.targets):
            number = self._closest_target(columns, lambda known_columns: cells_of_pair(pair, known_columns))
        variable = self.targets[number]
        t = self._target_columns[number]
        known = np.isfinite(np.column_stack([*columns, t])).all(axis=1)
        n_known = int(known.sum())
        caption = self._drawn(n_known)
        if n_known < len(known):
            caption += f"; {len(known) - n_known:,} with a missing value"
        drawing = None
        if n_known:
            t = t[known]
            classes = self._classes(variable, t, MAX_VALUES_OF_PAIR) if variable.is_discrete else None
            drawing = pair_picture(pair, [column[known] for column in columns], t, classes)
        return Values(f"{first} and {second} by {variable.name}", caption, drawing, number)

    def _study(self, covariates: tuple[str, ...]) -> StudiedRows:
        """Study of the sampled rows with these covariates."""
        if covariates not in self._studied:
            from ...core.checked_call import check_call
            from ..conversion import arrays

            data = arrays(self._sample, method=ADJUSTED_METHOD, covariates=list(covariates))
            no_features = np.zeros((len(self._sample), 1))
            request = check_call(no_features, data.y, ADJUSTED_METHOD, task=data.task, **data.study)
            self._studied = {covariates: StudiedRows(request.is_ranked, cast("Study", request.study))}
        return self._studied[covariates]

    def _column(self, variable: Variable) -> np.ndarray:
        """Values of a variable in the sampled rows."""
        column: np.ndarray = self._sample.get_column(variable).astype(float)
        return column

    def _drawn(self, n: int) -> str:
        """Words for the number of rows that are drawn."""
        is_sample = len(self._sample) < self._n
        return f"{n:,} of {counted(self._n, 'row')}, sampled" if is_sample else counted(n, "row")

    def _missing(self, *variables: Variable | None) -> str:
        """Words for the numbers of missing values in all rows."""
        texts = []
        for variable in variables:
            if variable is not None:
                count = int(np.isnan(self._all.get_column(variable).astype(float)).sum())
                if count:
                    texts.append(f"{count:,} of {variable.name}")
        return f"missing values: {', '.join(texts)}" if texts else "no missing values"

    def _classes(self, target: Variable, y: np.ndarray, most: int) -> CategoriesOfRows:
        """Classes of a target that are frequent."""
        return frequent(y, self._class_names(target), most)

    def _class_names(self, target: Variable) -> tuple[str, ...]:
        """Names of the classes of a target; those of a label contain its name."""
        is_label = len(self.targets) > 1 and tuple(target.values) == LABEL
        return (f"without {target.name}", f"with {target.name}") if is_label else tuple(target.values)

    def _direction(self, variable: Variable, x: np.ndarray, target: Variable, y: np.ndarray) -> str:
        """Say which way a feature (n,) goes with a target (n,), as the report does."""
        from ...core.report.columns import RowGroups, ValueColumn, quarters
        from ...core.report.direction import direction

        column = ValueColumn(variable.name, x, tuple(variable.values) if variable.is_discrete else None)
        if target.is_discrete:
            names = self._class_names(target)
            if names != tuple(target.values):
                names = tuple(f"rows {name}" for name in names)
            groups = RowGroups(names, np.where(np.isnan(y), -1, y).astype(int))
        else:
            groups = quarters(y)
        return direction(column, groups, target.name)

    def _against(
        self, variable: Variable, x: np.ndarray, target: Variable, y: np.ndarray
    ) -> Boxes | Bars | ScatterPoints:
        """Picture of a feature against a target, both without missing values."""
        if target.is_discrete:
            classes = self._classes(target, y, MAX_VALUES)
            if not variable.is_discrete:
                return Boxes(variable.name, _groups(classes, x))
            values = frequent(x, variable.values)
            counts = contingency_table(values.codes, len(values.names), classes.codes, len(classes.names))
            return Bars(values.names, classes.names, counts.astype(int))
        if variable.is_discrete:
            return Boxes(target.name, _groups(frequent(x, variable.values), y), colored=False)
        return ScatterPoints((Side(variable.name), Side(target.name)), x, y, correlation=association(x, None, y, None))

    def _closest_target(
        self,
        columns: Sequence[np.ndarray],
        as_one: Callable[[list[np.ndarray]], tuple[np.ndarray, int | None]],
    ) -> int:
        """Index of the target that is associated most closely with columns, the first of equal ones.

        Parameters
        ----------
        columns : sequence of (n,) float64 arrays
            One or two columns.
        as_one : callable
            Makes one column of their known values, and returns it with its number of values; None: numbers.
        """
        if len(self.targets) < 2:
            return 0
        associations = []
        for variable, t in zip(self.targets, self._target_columns, strict=True):
            known = np.isfinite(np.column_stack([*columns, t])).all(axis=1)
            x, x_values = as_one([column[known] for column in columns])
            associations.append(association(x, x_values, t[known], n_values(variable)))
        return int(np.argmax(associations))


def _distribution(variable: Variable, x: np.ndarray) -> Bars | Histogram:
    """Picture of a feature without a target."""
    if variable.is_discrete:
        values = frequent(x, variable.values)
        counts = np.bincount(values.codes, minlength=len(values.names))
        return Bars(values.names, ("rows",), counts[:, None])
    low = x.min()
    high = x.max()
    has_range = low < high and np.isfinite(high - low)
    if not has_range:
        counts, edges = np.histogram(x, 1, (low - 0.5, low + 0.5))
        return Histogram(variable.name, edges, counts)
    n_bins = max(int(2 * len(x) ** (1 / 3)), 1)  # the rule of Rice
    counts, edges = np.histogram(x, min(n_bins, MAX_BINS))
    return Histogram(variable.name, edges, counts)


def _groups(categories: CategoriesOfRows, values: np.ndarray) -> tuple[tuple[str, np.ndarray], ...]:
    """Name and values of each category."""
    return tuple((name, values[categories.codes == code]) for code, name in enumerate(categories.names))
