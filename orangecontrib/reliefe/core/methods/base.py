"""What can rank features."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..data.table import DataTable
from ..data.targets import Target
from ..parallel import Work
from .parameters import Parameter, checked


class Given(NamedTuple):
    """What a method is asked: the target is that of the rows of `table`, values are all parameters, checked;
    random_state: a seed; work: threads, progress, and the wish to stop."""

    table: DataTable
    target: Target
    values: dict[str, object]
    random_state: int
    work: Work


class Method:
    """A method of `rank`.

    name, title; about: a few words; idea: a sentence; citation; tasks: kinds of target; parameters: with defaults;
    grows: whether its scores come from trees that are added one by one, not from target rows.
    """

    name: str
    title: str
    about: str
    idea: str
    citation: str
    tasks: tuple[str, ...]
    grows: bool = False

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters with their defaults."""
        raise NotImplementedError

    def defaults(self, task: str) -> dict[str, object]:
        """Defaults that are others for a task."""
        return {}

    def values(self, given: Mapping[str, object], known: np.ndarray | None = None) -> dict[str, object]:
        """All parameters, those given checked; known: which of the caller's rows are used."""
        return checked(self.name, self.parameters, given)

    def partly(self, values: Mapping[str, object]) -> bool:
        """Whether rows without a known target are rows all the same."""
        return False

    def preparation(self, values: dict[str, object]) -> float:
        """Share of the work that `prepare` is, in [0, 1); 0: there is nothing to prepare."""
        return 0.0

    def cost(self, shape: tuple[int, int], values: Mapping[str, object]) -> float:
        """Elementary steps of the work for data of a shape (n, p), as comparisons of two values are."""
        n, p = shape
        return float(n) * n * p

    def prepare(self, given: Given) -> object:
        """What is made of the rows once, whatever the target rows are."""

    def scores(
        self, given: Given, chosen: np.ndarray, prepared: object = None
    ) -> tuple[np.ndarray, np.ndarray | None, dict[str, object]]:
        """Scores (p,), scores (t, p) of several targets or None, and what was done as plain literals.

        chosen (n,) bool: the target rows.
        """
        raise NotImplementedError

    def grid(
        self, given: Given, counts: Sequence[int], chosen: Sequence[np.ndarray], prepared: object = None
    ) -> list[np.ndarray]:
        """Scores (p,) for all numbers of neighbours and all target rows, masks (n,), from one search."""
        raise ValueError(f"{self.title} has no grid: use rank for each setting")

    def summary(self, values: dict[str, object], info: dict[str, object]) -> list[str]:
        """What was chosen, in a few words."""
        return []
