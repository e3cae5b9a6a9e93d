"""The command `orange-reliefe best-of DATA --methods A,B`: p-values of the best of several methods that were tried.

`cli.py` calls `report_best_of` with the arguments.
"""

import argparse
from typing import Any, cast

import numpy as np

from ..core import METHODS, BestOfMethods, Significance, best_of_methods
from ..core.checks import inside
from ..core.words import cell, counted, percent, shortened
from .listing import as_json, write_features
from .table_data import OUTPUTS, TableData, read_data
from .terminal import check_path, shown_progress, write

NUMBERS = ("p", "q", "family_wise")
TITLES = {"p": "p", "q": "q", "family_wise": "family-wise"}


def report_best_of(arguments: argparse.Namespace) -> None:
    """Read a table, test its features by the best of the methods, and print those with the smallest p."""
    check_path(arguments.output, OUTPUTS)
    level = inside("level", arguments.level)
    methods = [name.strip() for name in arguments.methods.split(",") if name.strip()]
    data = read_data(arguments, methods[0] if methods else "auto", {})
    with shown_progress(arguments.quiet) as progress:
        result = best_of_methods(
            data.X,
            data.y,
            methods,
            n_shuffles=arguments.shuffles,
            random_state=arguments.seed,
            n_jobs=arguments.jobs,
            progress=progress,
            **data.options,
        )
    document = _document(result, data, level)
    if arguments.output:
        title_row = ["feature", "method", *NUMBERS, *(f"p by {name}" for name in document["methods"])]
        write_features(document, arguments.output, title_row, _row)
    write(as_json(document) if arguments.json else _text(document, data, arguments))


def _document(result: BestOfMethods, data: TableData, level: float) -> dict[str, Any]:
    """Return the result as plain literals, the smallest p first."""
    methods = [ranking.method for ranking in result.rankings]
    p_of_methods = [cast("Significance", ranking.significance).p for ranking in result.rankings]
    names = data.options["names"]
    entries = []
    for j in np.argsort(result.p, kind="stable").tolist():
        by_method = {method: float(p[j]) for method, p in zip(methods, p_of_methods, strict=True)}
        numbers = {name: float(getattr(result, name)[j]) for name in NUMBERS}
        entries.append({"feature": names[j], "method": methods[result.best[j]], **numbers, "p by method": by_method})
    return {
        "data": data.digest,
        "methods": methods,
        "level": level,
        "shuffles": result.n_shuffles,
        "discoveries": [names[j] for j in result.discoveries(level).tolist()],
        "features": entries,
    }


def _row(entry: dict[str, Any]) -> list[Any]:
    """Cells of a feature in a file, with its uncorrected p by each method."""
    numbers = [entry[name] for name in NUMBERS]
    return [cell(entry["feature"]), entry["method"], *numbers, *entry["p by method"].values()]


def _text(document: dict[str, Any], data: TableData, arguments: argparse.Namespace) -> str:
    """Write sentences on the methods, and lines of the features with the smallest p."""
    features = document["features"]
    titles = [METHODS[name].title for name in document["methods"]]
    discoveries = f"{len(document['discoveries']):,} of {counted(len(features), 'feature')}"
    smallest = min(entry["family_wise"] for entry in features)
    head = [
        data.digest,
        *data.notes,
        f"Best of {', '.join(titles)}: {discoveries} at a false discovery rate of {percent(document['level'])} "
        f"({document['shuffles']:,} shuffled targets)",
        f"At least one feature is relevant: family-wise p = {smallest:.2g}, corrected for all {len(titles)} methods",
        "",
    ]
    best = features[: arguments.top]
    names = [shortened(entry["feature"]) for entry in best]
    width = max(map(len, names))
    method_width = max(map(len, titles))
    lines = []
    for name, entry in zip(names, best, strict=True):
        numbers = "".join(f"  {title} {entry[key]:<8.2g}" for key, title in TITLES.items())
        lines.append(f"{name:<{width}}  {METHODS[entry['method']].title:<{method_width}}{numbers}".rstrip())
    rest = [f"... and {len(features) - len(best):,} more"] if len(features) > len(best) else []
    return "\n".join(lines if arguments.quiet else [*head, *lines, *rest]) + "\n"
