"""Groups of features on the command line: ``orange-reliefe rank DATA --feature-groups groups.csv``.

`cli`, `frames` and `arrays` call `read_feature_groups` with the names of the features. Scripts that the command writes
call it, too.
"""

# Heavy modules are imported in functions, so that --help answers at once.
import os
from collections.abc import Collection, Sequence

PREFIX_RULE = "prefix:"
ATTRIBUTE_RULE = "attribute:"  # of variables of Orange
COLUMNS = ("feature", "group")  # of a file of groups
IMPORT = "from orangecontrib.reliefe.command.feature_groups import read_feature_groups"


def read_feature_groups(
    option: str, names: Sequence[str], left_aside: Collection[str] = (), notes: list[str] | None = None
) -> dict[str, list[str]]:
    """Read the groups of features that --feature-groups asks for.

    Parameters
    ----------
    option : str
        A table with the columns feature and group, or a rule, for example "prefix:_": the text before the last "_" of
        a name is its group.
    names : sequence of str
        Names of the columns of the data.
    left_aside : collection of str
        Names among them that are no features.
    notes : list of str, optional
        Gets a sentence on names in the file that the data do not have.

    Returns
    -------
    dict
        Names of the features of each group.

    Raises
    ------
    ValueError
        If the file cannot be read, or no two features are in a group by the rule. Attributes are read elsewhere.
    """
    if option.startswith(ATTRIBUTE_RULE):
        raise ValueError(f"--feature-groups {option} needs Orange, and a file with attributes, for example .tab")
    features = [name for name in names if name not in left_aside]
    if not option.startswith(PREFIX_RULE):
        return _groups_of_file(option, features, [] if notes is None else notes)
    from ..core import groups_by_prefix
    from ..core.words import shown, some

    separator = option.removeprefix(PREFIX_RULE)
    if not separator:
        raise ValueError(f"--feature-groups {option} has no separator: give it as in {PREFIX_RULE}_")
    groups = groups_by_prefix(features, separator)
    if not groups:
        raise ValueError(
            f"--feature-groups {option}: no two features have the same name before the last {shown(separator)}; the "
            f"features are {some([shown(name) for name in features])}"
        )
    return groups


def _groups_of_file(path: str, features: Sequence[str], notes: list[str]) -> dict[str, list[str]]:
    """Read a table with the columns feature and group; adds a note on features that the data do not have."""
    from ..core.words import MISSING_CELLS, counted, shown, some
    from ..tabular import read_text_table

    if not os.path.isfile(path):
        raise ValueError(f"there is no file {path!r} with groups of features; a rule is {PREFIX_RULE}_")
    try:
        table = read_text_table(path)
    except ValueError as error:
        raise ValueError(f"cannot read {path!r}: {error}") from error
    titles = [name.strip().lower() for name in table.names]
    for title in COLUMNS:
        if titles.count(title) != 1:
            columns = some([shown(name) for name in table.names])
            raise ValueError(f"{path!r} needs one column {title} (--feature-groups); its columns are {columns}")
    feature_names = set(features)
    unknown = []
    groups: dict[str, list[str]] = {}
    feature_cells, group_cells = (table.cells[:, titles.index(title)] for title in COLUMNS)
    for feature, group in zip(feature_cells, group_cells, strict=True):
        if feature not in feature_names:
            unknown.append(feature)
        elif group not in MISSING_CELLS:
            groups.setdefault(group, []).append(feature)
    if not groups:
        raise ValueError(
            f"{path!r} has no group for any feature of the data, for example {some([shown(name) for name in features])}"
        )
    if unknown:
        count = counted(len(unknown), "name")
        notes.append(f"{os.path.basename(path)} has {count} that no feature has: {some(unknown)}")
    return groups
