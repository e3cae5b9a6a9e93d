"""The table of methods, and which of them fits data."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from .data.table import DataTable
from .data.targets import MULTILABEL, REGRESSION, Target
from .parallel import Work
from .parameters import Parameter
from .relief.recipes import RECIPES
from .reliefe import ReliefE

MANY_ROWS = 10_000  # above this `auto` does without radius methods


class Method(Protocol):
    """What can rank features.

    name, title; about: a few words; idea: a sentence; citation; tasks: kinds of target; parameters: with defaults.
    """

    name: str
    title: str
    about: str
    idea: str
    citation: str
    tasks: tuple[str, ...]
    parameters: tuple[Parameter, ...]

    def values(self, given: Mapping[str, object], known: np.ndarray | None = None) -> dict[str, object]:
        """All parameters, those given checked; known: which of the caller's rows are used."""

    def preparation(self, values: dict[str, object]) -> float:
        """Share of the work that `prepare` is, in [0, 1); 0: there is nothing to prepare."""

    def prepare(
        self, table: DataTable, target: Target, values: dict[str, object], random_state: int, work: Work
    ) -> object:
        """What is made of the rows once, whatever the target rows are."""

    def scores(
        self,
        table: DataTable,
        target: Target,
        values: dict[str, object],
        chosen: np.ndarray,
        work: Work,
        prepared: object,
    ) -> tuple[np.ndarray, np.ndarray | None, dict[str, object]]:
        """Scores (p,), scores (t, p) of several targets or None, and what was done."""

    def summary(self, values: dict[str, object], info: dict[str, object]) -> list[str]:
        """What was chosen, in a few words."""


METHODS: dict[str, Method] = {method.name: method for method in (ReliefE(), *RECIPES)}


def methods() -> tuple[Method, ...]:
    """All methods: name, title, about, idea, citation, tasks and parameters of each."""
    return tuple(METHODS.values())


def automatic(table: DataTable, target: Target) -> tuple[Method, dict[str, object], str]:
    """The method for the data, parameters that differ from its defaults, and why."""
    if target.task == REGRESSION:
        return METHODS["rrelieff"], {}, "RReliefF, since the target is a number"
    if target.task == MULTILABEL:
        why = "ReliefE on label sets, in the space of the features, where it measures best"
        return METHODS["reliefe"], {"embedding": None, "n_neighbors": 30}, why
    if table.shape[0] > MANY_ROWS:
        return METHODS["relieff"], {}, f"ReliefF, since there are more than {MANY_ROWS:,} rows"
    if table.missing_share:
        return METHODS["relieff"], {}, "ReliefF, since values are missing"
    return METHODS["multisurf"], {}, "MultiSURF, since the target has classes: it has nothing to set"
