"""Direction in which a feature goes with the target, and how far: a sentence beside the picture of its values.

`page.py` puts it into reports, and `orange/values/of_table.py` into the panel of values of the rankers. It describes
the values as they are: they are not adjusted for covariates, and other features are left out of account.
"""

import numpy as np

from ..words import is_decimal, percent, shortened, written_number
from .columns import RowGroups, ValueColumn

THE_TARGET = "the target"
CLASS = "class"  # before names that are numbers
VALUE = "value"
# Below these there is hardly any direction: half of what Cohen (1988, sections 2.2, 3.2 and 6.2) calls a small effect.
MIN_DIFFERENCE = 0.1  # of means, in standard deviations (d)
MIN_CORRELATION = 0.05  # of ranks
MIN_ANGLE = 0.1  # between shares (h), in radians: 10 % and 13 % are as far apart as 50 % and 55 %


def direction(column: ValueColumn, groups: RowGroups, target: str = THE_TARGET) -> str:
    """Say in which group of rows a feature is higher, or a category more frequent, or how it goes with a number.

    Numbers of two or more groups: the group with the largest mean against all other rows, by the standardised
    difference d = (mean - mean of the others) / s, with s^2 the mean of both variances, weighted by the numbers of rows
    less one (Cohen 1988, p. 66). Categories: the category and the group whose share exceeds that among the other rows
    most. Two shares hardly differ by h = 2 asin(sqrt(share)) - 2 asin(sqrt(share of the others)) (p. 181). A target of
    numbers: Spearman's rank correlation of a number, or the category with the largest difference of its mean from that
    of the other rows.

    Parameters
    ----------
    column : ValueColumn
        Values of n rows.
    groups : RowGroups
        The same rows by the target.
    target : str
        Name of the target, for numbers.

    Returns
    -------
    str
        The sentence, without its full stop. Empty where fewer than two values occur, or fewer than two groups or
        numbers of the target.
    """
    is_used = ~np.isnan(column.values) & (groups.codes >= 0)
    values = column.values[is_used]
    codes = groups.codes[is_used]
    if len(np.unique(values)) < 2:
        return ""
    if groups.numbers is not None:
        numbers = groups.numbers[is_used]
        if len(np.unique(numbers)) < 2:
            return ""
        if column.categories is None:
            return _with_number(values, numbers, target)
        return _number_by_category(values.astype(int), column.categories, numbers, target)
    if len(np.unique(codes)) < 2:
        return ""
    if column.categories is None:
        return _number_by_group(values, codes, groups.names)
    return _category_by_group(values.astype(int), column.categories, codes, groups.names)


def _number_by_group(values: np.ndarray, codes: np.ndarray, names: tuple[str, ...]) -> str:
    """Name the group with the largest mean."""
    occurring = np.unique(codes)
    means = [values[codes == group].mean() for group in occurring]
    group = int(occurring[int(np.argmax(means))])
    inside = values[codes == group]
    outside = values[codes != group]
    d = standardised_difference(inside, outside)
    other_groups = _name_of_others(occurring, group, names)
    means_in_words = f"mean {written_number(inside.mean())}, against {written_number(outside.mean())} in {other_groups}"
    compared = f"{means_in_words}; {_written(d)}"
    if d < MIN_DIFFERENCE:
        return f"Its means hardly differ ({_category_name(names[group], CLASS)}: {compared})"
    return f"Higher in {_category_name(names[group], CLASS)} ({compared})"


def standardised_difference(first: np.ndarray, second: np.ndarray) -> float:
    """Difference of the means of two samples in pooled standard deviations; inf where each of them has one value."""
    difference = float(first.mean() - second.mean())
    squares = float(((first - first.mean()) ** 2).sum() + ((second - second.mean()) ** 2).sum())
    deviation = np.sqrt(squares / max(len(first) + len(second) - 2, 1))
    if np.ptp(first) == 0 and np.ptp(second) == 0:  # then the deviation is 0, or rounding
        return float(np.copysign(np.inf, difference)) if difference else 0.0
    return float(difference / deviation)


def _written(d: float) -> str:
    """Write how far two means are apart."""
    return f"{abs(d):.2f} standard deviations apart" if np.isfinite(d) else "each has one value only"


def _category_by_group(
    values: np.ndarray, categories: tuple[str, ...], codes: np.ndarray, names: tuple[str, ...]
) -> str:
    """Name the category and the group that go together most."""
    counts = np.zeros((len(categories), len(names)))
    np.add.at(counts, (values, codes), 1)
    sizes = counts.sum(axis=0)
    is_group = (sizes > 0) & (sizes < sizes.sum())
    share = counts[:, is_group] / sizes[is_group]
    share_of_others = (counts.sum(axis=1, keepdims=True) - counts[:, is_group]) / (sizes.sum() - sizes[is_group])
    excess = share - share_of_others
    category, column = np.unravel_index(int(np.argmax(excess)), excess.shape)
    group = int(np.flatnonzero(is_group)[column])
    other_groups = _name_of_others(np.flatnonzero(sizes), group, names)
    inside = percent(share[category, column])
    outside = percent(share_of_others[category, column])
    name = _category_name(categories[category], VALUE)
    group_name = _category_name(names[group], CLASS)
    angles = 2 * np.arcsin(np.sqrt([share[category, column], share_of_others[category, column]]))
    if angles[0] - angles[1] < MIN_ANGLE:
        return f"Shares hardly differ ({name}: {inside} in {group_name}, against {outside} in {other_groups})"
    return f"{name} is more frequent in {group_name} ({inside}, against {outside} in {other_groups})"


def _with_number(values: np.ndarray, numbers: np.ndarray, target: str) -> str:
    """Say whether a feature rises or falls with the target."""
    correlation = rank_correlation(values, numbers)
    if abs(correlation) < MIN_CORRELATION:
        return f"Neither rises nor falls with {shortened(target)} (rank correlation {correlation:.2f})"
    verb = "Rises" if correlation > 0 else "Falls"
    return f"{verb} with {shortened(target)} (rank correlation {correlation:.2f})"


def rank_correlation(first: np.ndarray, second: np.ndarray) -> float:
    """Compute Spearman's correlation of two columns that are not constant; equal values share their mean rank."""
    from scipy.stats import rankdata  # which takes long to import, and most commands write no report

    return float(np.corrcoef(rankdata(first), rankdata(second))[0, 1])


def _number_by_category(values: np.ndarray, categories: tuple[str, ...], numbers: np.ndarray, target: str) -> str:
    """Name the category in whose rows the target differs most from its mean in all other rows."""
    differences = {
        int(category): standardised_difference(numbers[values == category], numbers[values != category])
        for category in np.unique(values)
    }
    category = max(differences, key=lambda code: abs(differences[code]))
    d = differences[category]
    inside = numbers[values == category].mean()
    outside = numbers[values != category].mean()
    name = _category_name(categories[category], VALUE)
    means = f"mean {written_number(inside)}, against {written_number(outside)} in all others"
    compared = f"{means}; {_written(d)}"
    if abs(d) < MIN_DIFFERENCE:
        return f"Means of {shortened(target)} hardly differ ({name}: {compared})"
    return f"{'Higher' if d > 0 else 'Lower'} {shortened(target)} where it is {name} ({compared})"


def _name_of_others(occurring: np.ndarray, group: int, names: tuple[str, ...]) -> str:
    """Name the rows of the other groups: the other one of two, or "others"."""
    rest = [int(code) for code in occurring if code != group]
    return _category_name(names[rest[0]], CLASS) if len(rest) == 1 else "all others"


def _category_name(name: str, noun: str) -> str:
    """Write the name of a class or category, behind the noun if it is a number."""
    return f"{noun} {name}" if is_decimal(name) else shortened(name)
