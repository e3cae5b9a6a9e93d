"""Columns of the regression of a target on its covariates, made step by step, and what this regression leaves.

`study.py` makes a `CovariateRegression` for the units of a study, regresses on its `Z`, and tells users of its
`description` and its `remaining_effects`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..words import counted
from .cells import cells_remain
from .covariate_basis import basis
from .covariates import Covariate
from .joint_effects import JointEffects, ResidualsOn
from .kernel_columns import effect_columns
from .nearest_rows import largest_z, neighbour_z

# Largest z of nearest rows. Above the first, columns of a kernel are added: with 1, confounded features have p <= .05
# in .05 (wave, 120 rows), with 2 in .15. Above the second, users are warned: 0 to .02 of 200 sets without a remaining
# effect were, and 0 of 872 with products (benchmarks/studies.py).
ADDED_Z = 1.0
WARNED_Z = 3.0
STREAM_OF_CELLS = (0, 3)  # of random numbers, as those of `joint_effects.py`


@dataclass(frozen=True, eq=False)
class CovariateRegression:
    """The regression of a target on covariates.

    covariates : of the n rows
    n : number of rows
    residuals_on : maps columns (n, q) to the residuals (n, G) of the target on them
    blocks : (n,) codes within which residuals are exchangeable; None: all are
    seed : of the permutations that choose joint effects
    """

    covariates: Sequence[Covariate]
    n: int
    residuals_on: ResidualsOn
    blocks: np.ndarray | None = None
    seed: int = 0

    @cached_property
    def basis(self) -> np.ndarray:
        """Lines or splines of numbers, and indicators of classes: columns (n, q)."""
        return basis(self.covariates, self.n)

    @cached_property
    def joint_effects(self) -> JointEffects | None:
        """Dictionary of the products of two or three covariates; None if it would be too large."""
        return JointEffects.of(self.covariates, self.n, self.blocks, self.seed)

    @cached_property
    def products(self) -> np.ndarray:
        """Columns (n, a) of the dictionary that follow what the basis leaves."""
        if self.joint_effects is None:
            return np.empty((self.n, 0))
        return self.joint_effects.select(self.basis, self.residuals_on)

    @cached_property
    def kernel_columns(self) -> np.ndarray:
        """Columns (n, m) of a kernel where nearest rows predict what basis and products leave."""
        Z = np.hstack([self.basis, self.products])
        if not self._inputs.shape[1]:
            return self._inputs
        residuals = self.residuals_on(Z)
        if largest_z(neighbour_z(self._inputs, residuals)) <= ADDED_Z:
            return np.empty((self.n, 0))
        return effect_columns(self._inputs, residuals, Z.shape[1])

    @cached_property
    def Z(self) -> np.ndarray:
        """All columns (n, q), standardised."""
        return np.hstack([self.basis, self.products, self.kernel_columns])

    @property
    def description(self) -> str:
        """Kinds of the columns in words."""
        kinds = ["lines or splines"]
        n_products = self.products.shape[1]
        n_kernel = self.kernel_columns.shape[1]
        if n_products:
            kinds.append(counted(n_products, "product"))
        if n_kernel:
            kinds.append(f"{counted(n_kernel, 'column')} of a kernel")
        if len(kinds) > 2:
            return f"{kinds[0]}, {kinds[1]}, and {kinds[2]}"
        return " and ".join(kinds)

    @property
    def has_more_than_basis(self) -> bool:
        """True if there are columns of products or of a kernel."""
        return bool(self.Z.shape[1] > self.basis.shape[1])

    def remaining_effects(self) -> list[str]:
        """By what the covariates still predict the residuals of the whole regression, in words."""
        residuals = self.residuals_on(self.Z)
        reasons = []
        if self.joint_effects is not None and self.joint_effects.remain(self.Z, residuals):
            reasons.append("by their products")
        rng = np.random.default_rng([self.seed, *STREAM_OF_CELLS])
        if cells_remain(self.covariates, self.Z, residuals, self.blocks, rng):
            reasons.append("by their combinations")
        if self._inputs.shape[1] and largest_z(neighbour_z(self._inputs, residuals)) > WARNED_Z:
            reasons.append("by rows with similar values")
        return reasons

    @cached_property
    def _inputs(self) -> np.ndarray:
        """Columns (n, d) in which rows are near to each other; none if all covariates are classes or have lines."""
        if all(covariate.is_class or covariate.straight for covariate in self.covariates):
            return np.empty((self.n, 0))
        return basis([replace(covariate, straight=True) for covariate in self.covariates], self.n)
