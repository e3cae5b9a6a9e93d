"""The command `orange-reliefe replicate A B`: which features of two files of scores with p-values hold in both cohorts.

`cli.py` calls `replicate_files` with the arguments.  Neither Orange nor Qt is needed.
"""

import argparse
import csv
import os
from typing import Any

from ..core import Replication, replicate
from ..core.checks import inside
from ..core.files import refuse_inputs
from ..core.inference.replication import ADAFILTER
from ..core.words import ITEM_NOUNS, cell, counted, of_cell, percent, shortened, shown, some
from .listing import as_json, delimiter_of, write_features
from .terminal import check_path, write

OUTPUTS = (".csv", ".tsv", ".json")
COLUMNS = ("feature", "r", "p_a", "p_b")  # of a file
P = "p"  # title of p-values in a file of scores
NOUNS = f"{', '.join(ITEM_NOUNS[:-1])} or {ITEM_NOUNS[-1]}"
TITLES = {"r": "r", "p_a": "p in A", "p_b": "p in B"}
N_NAMED = 5  # features of one cohort only that are named
HOW = "write it by orange-reliefe rank DATA --significance --output FILE.csv"


def replicate_files(arguments: argparse.Namespace) -> None:
    """Read both files, print the features with the smallest r, and write all of them where that is asked for."""
    check_path(arguments.output, OUTPUTS)
    refuse_inputs([arguments.output], [arguments.a, arguments.b])
    level = inside("level", arguments.level)
    p_of_a = read_p_values(arguments.a)
    p_of_b = read_p_values(arguments.b)
    result = replicate(p_of_a, p_of_b, design=arguments.design, method=arguments.method, select=arguments.select)
    document = _document(result, level)
    if arguments.output:
        write_features(document, arguments.output, COLUMNS, _row)
    write(as_json(document) if arguments.json else _text(document, arguments.top))


def read_p_values(path: str) -> dict[str, float]:
    """Read the p-value of each feature.

    Parameters
    ----------
    path : str
        Text with a line of titles, between commas, or between tabs in a .tsv. The names are below feature, variant or
        group, as rankings of features, of genotypes and of groups write them, and the p-values below p.

    Returns
    -------
    dict of str to float
        p-values by the names of the features.

    Raises
    ------
    ValueError
        If there is no such file, a column is missing, a p is no number, or a feature occurs twice.
    """
    if not os.path.isfile(path):
        raise ValueError(f"there is no file {path!r}")
    with open(path, encoding="utf-8-sig", newline="") as file:
        try:
            lines = csv.DictReader(file, delimiter=delimiter_of(path))
            titles = lines.fieldnames or []
            title_of_names = next((noun for noun in ITEM_NOUNS if noun in titles), None)
            if title_of_names is None or P not in titles:
                raise ValueError(f"{path!r} needs a column {NOUNS}, and a column {P}: {HOW}")
            rows = [(of_cell(line[title_of_names] or ""), line[P]) for line in lines]
        except (UnicodeDecodeError, csv.Error) as error:
            raise ValueError(f"cannot read {path!r} as text: {error}") from error
    p_of_feature: dict[str, float] = {}
    for feature, text in rows:
        if feature in p_of_feature:
            raise ValueError(f"{path!r} has the feature {shown(feature)} twice")
        try:
            p_of_feature[feature] = float(text or "")
        except ValueError:
            raise ValueError(f"{path!r} has no number as p of {shown(feature)}, but {shown(text)}") from None
    return p_of_feature


def _document(result: Replication, level: float) -> dict[str, Any]:
    """Return the result as plain literals, the smallest r first."""
    columns = {"r": result.r.tolist(), "p_a": result.p_a.tolist(), "p_b": result.p_b.tolist()}
    return {
        "design": result.design,
        "method": result.method,
        "level": level,
        "replicated": list(result.replicated(level)),
        "candidates": int(result.is_candidate.sum()),
        "only_a": list(result.only_a),
        "only_b": list(result.only_b),
        "features": [
            {"feature": result.features[j], **{name: values[j] for name, values in columns.items()}}
            for j in result.order.tolist()
        ],
    }


def _row(feature: dict[str, Any]) -> list[Any]:
    """Cells of a feature in a file."""
    return [cell(feature["feature"]), *(feature[name] for name in COLUMNS[1:])]


def _text(document: dict[str, Any], top: int) -> str:
    """Write sentences on both cohorts, and lines of the features with the smallest r."""
    features = document["features"]
    procedure = f"{counted(document['candidates'], 'candidate')}, design {document['design']}"
    if document["method"] == ADAFILTER:
        procedure = "AdaFilter"
    lines = [
        f"{counted(len(features), 'feature')} in both cohorts, {procedure}",
        f"Replicated at a false discovery rate of {percent(document['level'])}: {len(document['replicated'])}",
    ]
    for cohort, names in (("A", document["only_a"]), ("B", document["only_b"])):
        if names:
            lines.append(f"In {cohort} only, and so not tested: {some([*map(shortened, names)], N_NAMED)}")
    shown = features[:top]
    width = max(len(shortened(feature["feature"])) for feature in shown)
    lines.append("")
    for feature in shown:
        numbers = "".join(f"  {title} {feature[name]:<8.2g}" for name, title in TITLES.items())
        lines.append(f"{shortened(feature['feature']):<{width}}{numbers}".rstrip())
    if len(features) > len(shown):
        lines.append(f"... and {len(features) - len(shown):,} more")
    return "\n".join(lines) + "\n"
