"""Tables 8 to 10 of Petkovic et al. (2023), Feature ranking for semi-supervised learning: column Relief."""

from functools import partial
from types import ModuleType

import numpy as np
from semisupervised import by_relief, voted

from .record import Experiment, Lines, Section, number

LABELLED = (50, 100, 200, 350, 500)
# set: name there, the printed difference of areas, table.
PRINTED = {
    "edm": ("Edm1", 0.006, 10),
    "emotions": ("Emotions", 0.044, 9),
    "tic-tac-toe": ("Tic-tac-toe", 0.141, 8),
    "atp1d": ("Atp1d", 0.093, 10),
    "mortgage": ("Mortgage", 0.078, 10),
    "birds": ("Birds", 0.029, 9),
    "arrhythmia": ("Arrhythmia", 0.006, 8),
    "genbase": ("Genbase", 0.189, 9),
    "digits": ("Digits", 0.245, 8),
    "kr-vs-kp": ("Chess", 0.022, 8),
}
CHOSEN = ("edm", "emotions")  # by inner cross-validation, too, which takes minutes
SETTINGS = {"n_neighbors": 15, "w0": 0, "w1": 1}


def compared(name: str, data: ModuleType) -> Lines:
    """Mean quality over the numbers of labelled rows, all rows less labelled rows alone, as chosen by inner
    cross-validation and with one setting for both."""
    title, printed, table = PRINTED[name]
    fixed = [partial(by_relief, labelled_only=True, n_neighbors=15), partial(by_relief, **SETTINGS)]
    chosen = [partial(by_relief, n_neighbors="paper", labelled_only=only) for only in (True, False)]
    chosen *= name in CHOSEN
    found = voted(data, name, [*fixed, *chosen], counts=LABELLED).mean(axis=2)
    areas = np.trapezoid(found, LABELLED, axis=0) / (LABELLED[-1] - LABELLED[0])
    gains = areas[1::2] - areas[::2]
    last = round(gains[-1], 3)
    sign = "no difference" if last == 0 else "same sign" if last * printed > 0 else "other sign"
    ours = [f"{gains[1]:+.3f}" if chosen else "-", f"{gains[0]:+.3f}"]
    return [[title, f"Table {table}", f"{printed:+.3f}", *ours, number(areas[0], 3), number(areas[1], 3), sign]]


SECTION = Section(
    "few-labels",
    "SSL-Relief: what rows without labels add",
    ("set", "where", "printed", "chosen", "fixed", "labelled only", "all rows", "claim"),
    tuple(Experiment(name, partial(compared, name), True, name == "edm") for name in PRINTED),
    "python benchmarks/semisupervised.py --data FOLDER",
    lambda lines: _signs(lines),
)


def _signs(lines: Lines) -> str:
    """Sentence about the claim."""
    if not lines:
        return ""
    same = sum(line[-1] == "same sign" for line in lines)
    helped = sum(float(line[4]) > 0 for line in lines)
    text = f"Rows without labels helped in {helped} of {len(lines)} sets (fixed setting)"
    return f"{text}; the sign is the printed one in {same}."
