"""Files of scores: a line for each item of a ranking, the best first, as `Ranking.save` writes them."""

import csv
from collections.abc import Mapping, Sequence

import numpy as np

from .files import replacing
from .words import cell

SEPARATORS = {".csv": ",", ".tsv": "\t"}  # by the ending of the file


def write_scores(
    path: str, separator: str, columns: Mapping[str, Sequence[object] | np.ndarray], ranks: Mapping[int, int]
) -> None:
    """Write a file of scores.

    Parameters
    ----------
    path : str
        File to write; an existing one is replaced.
    separator : str
        Text between the cells of a line.
    columns : mapping of str to sequence (p,)
        Values of the p items by the titles of the columns.
    ranks : mapping of int to int
        Rank, from 1, by the index of each item that is written, in the order of the lines.
    """
    with replacing(path) as new_path, open(new_path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=separator, lineterminator="\n")
        writer.writerow(["rank", *columns])
        for item, rank in ranks.items():
            values = [column[item] for column in columns.values()]
            texts = [f"{value:.6g}" if isinstance(value, float) else cell(str(value)) for value in values]
            writer.writerow([rank, *texts])
