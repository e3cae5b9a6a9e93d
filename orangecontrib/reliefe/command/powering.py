"""The command `orange-reliefe power DATA -n 100 200 400`: sample size from a pilot study.

`cli.py` calls `estimate_power` with the arguments.
"""

import argparse
from typing import Any

from ..core import METHODS, Power, power
from ..core.checks import inside
from ..core.words import cell, counted, percent, shortened
from .listing import as_json, write_features
from .table_data import OUTPUTS, TableData, read_data
from .terminal import check_path, shown_progress, write

WIDTH = 9  # characters of a column of shares


def estimate_power(arguments: argparse.Namespace, parameters: dict[str, Any]) -> None:
    """Read the pilot study, and print how many of its discoveries are found again with each number of rows."""
    check_path(arguments.output, OUTPUTS)
    level = inside("level", arguments.level)
    data = read_data(arguments, arguments.method, parameters)
    about = {name: data.options[name] for name in ("names", "nominal", "task")}
    with shown_progress(arguments.quiet) as progress:
        result = power(
            data.X,
            data.y,
            arguments.method,
            n=arguments.n,
            level=level,
            n_sets=arguments.sets,
            n_shuffles=arguments.shuffles,
            random_state=arguments.seed,
            n_jobs=arguments.jobs,
            progress=progress,
            **about,
            **parameters,
        )
    document = _document(result, data, arguments.method, level)
    if arguments.output:
        write_features(document, arguments.output, ["feature", *_titles(document)], _row)
    write(as_json(document) if arguments.json else _text(document, data, arguments.quiet))


def _document(result: Power, data: TableData, method: str, level: float) -> dict[str, Any]:
    """Return the result as plain literals, the smallest p of the pilot study first."""
    return {
        "data": data.digest,
        "method": method,
        "level": level,
        "n": result.n.tolist(),
        "sets": result.n_sets,
        "expected": result.expected.tolist(),
        "features": [
            {"feature": name, "found_again": shares}
            for name, shares in zip(result.names, result.shares.T.tolist(), strict=True)
        ],
    }


def _titles(document: dict[str, Any]) -> list[str]:
    """Titles of the columns of shares."""
    return [f"n = {n}" for n in document["n"]]


def _row(feature: dict[str, Any]) -> list[Any]:
    """Cells of a feature in a file."""
    return [cell(feature["feature"]), *feature["found_again"]]


def _text(document: dict[str, Any], data: TableData, quiet: bool) -> str:
    """Write sentences on the pilot study, and a line of shares for each of its discoveries."""
    features = document["features"]
    head = [
        data.digest,
        *data.notes,
        f"{counted(len(features), 'discovery', 'discoveries')} at a false discovery rate of "
        f"{percent(document['level'])} by {METHODS[document['method']].title}",
    ]
    if not features:
        return "\n".join([*([] if quiet else head), "Without discoveries there is nothing to find again"]) + "\n"
    names = [shortened(feature["feature"]) for feature in features]
    width = max(map(len, [*names, "expected number"]))
    lines = [f"{'found again':<{width}}" + "".join(f"{title:>{WIDTH + 2}}" for title in _titles(document))]
    for name, feature in zip(names, features, strict=True):
        shares = "".join(f"{percent(share):>{WIDTH + 2}}" for share in feature["found_again"])
        lines.append(f"{name:<{width}}{shares}")
    lines.append(f"{'expected number':<{width}}" + "".join(f"{n:>{WIDTH + 2}.1f}" for n in document["expected"]))
    foot = f"Shares of {counted(document['sets'], 'simulated study', 'simulated studies')} for each number of rows"
    return "\n".join(lines if quiet else [*head, "", *lines, "", foot]) + "\n"
