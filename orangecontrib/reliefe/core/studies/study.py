"""A study: a target with its covariates and groups.

`rank` asks it for the residuals that features are ranked for, and significance tests for permuted targets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..info import Info
from ..targets.numbers import Numbers
from ..targets.residuals import PLACE, Residuals
from ..targets.targets import Target
from ..targets.tasks import CLASSIFICATION, REGRESSION, SURVIVAL
from ..words import counted, cut, item_name, percent, some
from ..work.threads import SERIAL_ALGEBRA
from .cells import CovariateCells, join_cells
from .covariate_regression import CovariateRegression
from .covariates import Covariate, read_covariates
from .cox_model import cox_risk, deviance_residuals, martingale
from .groups import read_groups
from .logistic import shares
from .projection import Projection
from .random_orders import swapped, within
from .repeated_features import repeated_features
from .residuals import TINY, normal_scores, of_classes, of_numbers
from .risk_strata import strata

LITTLE_LEFT = 0.02  # share of the target's variation below which covariates leave nothing to rank by


@dataclass(frozen=True, eq=False)
class Study:
    """The target of n rows with covariates and groups; without covariates, of those rows alone whose target is known.

    Rows of one group are one unit where they have the same target: then the groups are permuted, else rows within them.
    """

    target: Target  # of n rows
    covariates: tuple[Covariate, ...] = ()  # of the n rows
    groups: np.ndarray | None = None  # (n,): codes
    parts: str = PLACE  # of pairs that residuals compare
    by_residuals: bool = False  # True if rankings are for residuals
    seed: int = 0  # of permutations
    groups_of_all: np.ndarray | None = None  # (rows,): groups of all rows that are ranked, also those without a target

    @classmethod
    def of(
        cls, target: Target, known: np.ndarray, covariates: Any, groups: Any, info: Info, linear: object, **how: Any
    ) -> "Study":
        """Check covariates and groups of the rows with a known target.

        Parameters
        ----------
        target : Target
            Target of the rows that are ranked.
        known : (rows,) bool array
            Which of the caller's rows these are.
        covariates : array-like, data frame or None
            One or more columns of the caller's rows.
        groups : array-like or None
            Group of each of the caller's rows.
        info : Info
            Takes notes.
        linear : bool or names
            Covariates that have linear effects.
        **how
            `parts`, `by_residuals` and `seed`.

        Returns
        -------
        Study

        Raises
        ------
        ValueError
            For a target that has no residuals, or is unknown in some rows beside covariates, and for what
            `read_covariates` and `read_groups` refuse.
        """
        labelled = target.labelled
        if covariates is not None and not labelled.all():
            raise ValueError("covariates need a target that is known in all rows: leave out the rows without one")
        if target.task not in (CLASSIFICATION, REGRESSION, SURVIVAL):
            arguments = {"covariates": covariates, "groups": groups}
            names = " and ".join(name for name, value in arguments.items() if value is not None)
            raise ValueError(f"{names} are taken for one target of classes, numbers or times, not for {target.task}")
        checked = () if covariates is None else read_covariates(covariates, known, info, linear)
        groups_of_all = None if groups is None else read_groups(groups, known)
        if labelled.all():
            return cls(target, checked, groups_of_all, groups_of_all=groups_of_all, **how)
        labelled_groups = None
        if groups_of_all is not None:
            labelled_groups = np.unique(groups_of_all[labelled], return_inverse=True)[1]
        labelled_target = target.inner.take(np.flatnonzero(labelled))
        return cls(labelled_target, checked, labelled_groups, groups_of_all=groups_of_all, **how)

    @cached_property
    def varies(self) -> bool:
        """True if the target varies within groups."""
        if self.groups is None:
            return False
        values = self.target.columns[0]
        order = np.argsort(self.groups, kind="stable")
        is_same_group = np.diff(self.groups[order]) == 0
        return bool((is_same_group[:, None] & (np.diff(values[order], axis=0) != 0)).any())

    @cached_property
    def unit(self) -> np.ndarray:
        """Unit (n,) of each row: its group if this has one target, else the row alone."""
        groups_are_units = self.groups is not None and not self.varies
        return np.asarray(self.groups) if groups_are_units else np.arange(self.target.n)

    @cached_property
    def first(self) -> np.ndarray:
        """First row (u,) of each unit."""
        return np.unique(self.unit, return_index=True)[1]

    @cached_property
    def units(self) -> Target:
        """Target of the u units."""
        return self.target.take(self.first)

    @cached_property
    def cells(self) -> CovariateCells | None:
        """Combinations of the classes of all covariates of the u units, where they are adjusted for together."""
        return join_cells(self._given_unit_covariates)

    @cached_property
    def unit_covariates(self) -> tuple[Covariate, ...]:
        """Covariates of the u units that the target is regressed on: their cells, or each for itself."""
        return self._given_unit_covariates if self.cells is None else (self.cells.covariate,)

    @cached_property
    def _given_unit_covariates(self) -> tuple[Covariate, ...]:
        """Covariates of the u units as they were given."""
        if len(self.first) == self.target.n:
            return self.covariates
        return tuple(covariate.take(self.first, self.unit) for covariate in self.covariates)

    @property
    def covariate_names(self) -> str:
        """The covariates in words."""
        return some([covariate.name for covariate in (self.covariates if self.cells is None else self.unit_covariates)])

    @cached_property
    def regression(self) -> CovariateRegression:
        """Regression of the units' target on their covariates."""
        return CovariateRegression(self.unit_covariates, len(self.first), self._residuals_on, self._inside, self.seed)

    @cached_property
    def Z(self) -> np.ndarray:
        """Columns (u, q) of the covariates of the units."""
        return self.regression.Z

    def _residuals_on(self, Z: np.ndarray) -> np.ndarray:
        """Residuals (u, G) of the units on columns Z (u, q), which choose further columns and show remaining effects.

        Those of times are deviance residuals, which are less skewed than those that features are ranked for.
        """
        if self.target.task == CLASSIFICATION:
            return self._centred(of_classes(self.units.classes, Z, len(self.units.names)))
        if self.target.task == REGRESSION:
            return self._centred(of_numbers(self.units.columns[0][:, 0], Projection.on(Z))[:, None])
        time, event = self.units.columns[0].T
        return self._centred(deviance_residuals(time, event, cox_risk(time, event, Z))[:, None])

    @cached_property
    def projection(self) -> Projection:
        """Projection that removes the covariates of the units."""
        return Projection.on(self.Z)

    @cached_property
    def residuals(self) -> tuple[np.ndarray, np.ndarray | None]:
        """Residuals (u, G) of the units as they are, and their sizes (u,), where these are not those of classes."""
        if self.target.task == CLASSIFICATION:
            return of_classes(self.units.classes, self.Z, len(self.units.names)), None
        if self.target.task == SURVIVAL:
            time, event = self.units.columns[0].T
            r = martingale(time, event, self._risk) if np.ptp(time) > 0 else np.zeros(len(time))
            return r[:, None], r * r - (event - r)  # the compensator: rows that are watched longer do not vary more
        r = of_numbers(self.units.columns[0][:, 0], self.projection)
        return r[:, None], self.projection.rest(np.abs(r))

    @cached_property
    def _risk(self) -> np.ndarray | None:
        """Risk (u,) of the units by their covariates, where the target is times."""
        if self.target.task != SURVIVAL or not self.Z.shape[1]:
            return None
        time, event = self.units.columns[0].T
        return cox_risk(time, event, self.Z)

    @SERIAL_ALGEBRA
    def ranked(self) -> Target:
        """Return the target that features are ranked for: residuals, or the target itself."""
        return self._of_rows(self.target, *self.residuals) if self.by_residuals else self.target

    def donor_rows(self, number: int) -> np.ndarray:
        """Draw the rows (n,) whose targets are given to all, where these are permuted without covariates."""
        return np.asarray(self.first[self._order(np.random.default_rng([self.seed, number]))][self.unit])

    def unit_weights(self, weights: np.ndarray) -> np.ndarray:
        """Mean (n,) of the weights (n,) in the unit of each row."""
        return _means(weights, self.unit)

    def permuted_weights(self, weights: np.ndarray, number: int) -> np.ndarray:
        """Permute weights (n,) with the targets of `donor_rows`.

        A row gets the mean weight of the unit whose target it gets, times its own share of the mean of its unit.
        """
        means = self.unit_weights(weights)
        return np.asarray(means[self.donor_rows(number)] * (weights / means))

    @SERIAL_ALGEBRA
    def permuted(self, number: int) -> Target:
        """Permute `ranked` so that the relation of covariates and target remains, and rows of one group stay together.

        The number says which of the random permutations is meant.
        """
        order = self._order(np.random.default_rng([self.seed, number]))
        rows = self.first[order][self.unit]
        if not self.by_residuals:
            if self.target.task == REGRESSION and self.covariates:
                values = self.units.columns[0][:, 0]
                rest = self.projection.rest(values)
                return Numbers.measure((values - rest + rest[order])[self.unit])
            return self.target.take(rows)
        permuted_target = self.target.take(rows)
        if self.target.task == CLASSIFICATION:
            r = of_classes(self.units.classes[order], self.Z, len(self.units.names))
            return self._of_rows(permuted_target, r, None)
        r, sizes = self.residuals
        if self.target.task == REGRESSION:
            rest = self.projection.rest(r[order, 0])
            return self._of_rows(permuted_target, rest[:, None], self.projection.rest(np.abs(rest)))
        return self._of_rows(permuted_target, r[order], None if sizes is None else sizes[order], order)

    def _of_rows(
        self, target: Target, r: np.ndarray, sizes: np.ndarray | None, order: np.ndarray | slice = slice(None)
    ) -> Residuals:
        """Give rows the residuals of their units, less their mean in the group if the target varies there.

        Shapes: `target` of n rows; `r` (u, G); `sizes` (u,); `order` (u,), of the units' risks.
        """
        r = self._centred(r[self.unit])
        if sizes is not None:
            sizes = self._centred(sizes[self.unit])
        if self._risk is None:
            return Residuals(target, r, sizes, self.parts)
        return Residuals(target, r, sizes, self.parts, risk=self._risk[order][self.unit], Z=self.Z[self.unit])

    def _centred(self, values: np.ndarray) -> np.ndarray:
        """Subtract the mean of each row's group from values (n, ...) if the target varies there."""
        if self.varies and self.groups is not None:
            return np.asarray(values - _means(values, self.groups))
        return values

    @cached_property
    def _inside(self) -> np.ndarray | None:
        """Codes of the units within which they change places; None: all do."""
        return self.groups if self.varies else None

    @cached_property
    def _blocks(self) -> np.ndarray | None:
        """Codes of the units within which times and numbers are permuted; None: all units change places.

        Times beside covariates change places within strata of similar risk. With many censored rows, the residual of a
        row is mostly minus its risk times the time it was watched, so that its spread depends on the covariates, and
        so do permuted scores of features that follow these.
        """
        if self._inside is not None or self._risk is None:
            return self._inside
        return strata(self._risk)

    @cached_property
    def _levels(self) -> np.ndarray | None:
        """Codes of the units, as `_inside`, where the only covariate is a class, whose levels keep their targets."""
        if len(self.unit_covariates) != 1 or not self.unit_covariates[0].is_class:
            return None
        levels = self.unit_covariates[0].values
        return levels if self._inside is None else levels * (int(self._inside.max()) + 1) + self._inside

    @cached_property
    def _odds(self) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities (u, G) of the classes, and the hub, an order from which all orders begin."""
        codes = self.units.classes
        rng = np.random.default_rng([self.seed, 0, 0])
        probabilities = shares(codes, self.Z, len(self.units.names))
        return probabilities, swapped(codes, probabilities, np.arange(len(codes)), rng, self._inside)

    def _order(self, rng: np.random.Generator) -> np.ndarray:
        """Draw an order (u,) of the units."""
        if self.target.task == CLASSIFICATION and self.covariates:
            if self._levels is not None:
                return within(self._levels, rng)
            return swapped(self.units.classes, *self._odds, rng, self._inside)
        return rng.permutation(len(self.first)) if self._blocks is None else within(self._blocks, rng)

    @property
    def needs_own_spread(self) -> bool:
        """True if features differ in the spread of their scores beyond the closed form: within groups, and where
        scores are not adjusted."""
        return self.groups is not None or not self.by_residuals

    @property
    def permutable(self) -> tuple[np.ndarray, np.ndarray | None]:
        """Rows, one of each unit, and codes (n,) within which targets of rows are permuted."""
        blocks = self._levels if self.target.task == CLASSIFICATION else None
        if blocks is None:
            blocks = self._blocks
        return self.first, None if blocks is None else blocks[self.unit]

    @SERIAL_ALGEBRA
    def note(self, names: Sequence[str] | None, values: Any, info: Info, how: str) -> None:
        """Note the adjustment, and reasons against it.

        Parameters
        ----------
        names : sequence of str or None
            Names of the features.
        values : (n, p) array, CSR or None
            Features; None: they are not compared with covariates.
        info : Info
            Takes the notes.
        how : str
            Words on the adjustment.
        """
        if self.covariates and self.by_residuals:
            info["adjusted_for"] = [c.name for c in self.covariates]
            info["information"].append(f"adjusted for {self.covariate_names}: {how}")
            self._note_columns(info)
            remaining, before = self._variation
            if remaining < LITTLE_LEFT * before:
                info["warnings"].append("covariates explain the target almost wholly: nothing is left to rank by")
        if self.covariates:
            self._warn_of_effects(info)
        repeated = [] if values is None else repeated_features(values, self.covariates).tolist()
        if repeated:
            repeated_names = some([cut(item_name(j, names)) for j in repeated])
            info["warnings"].append(f"{repeated_names}: a covariate, too, so that its score is noise; leave it out")
        if self.groups is None:
            return
        info["row_groups"] = int(self.groups.max()) + 1
        info["information"].append(f"{counted(info['row_groups'], 'group')} of rows that belong together")
        if self.varies and self.by_residuals:
            r = self.residuals[0]
            share = ((r - _means(r, self.groups)) ** 2).sum() / max((r * r).sum(), TINY)
            text = f"the target varies within groups: {percent(share)} of its variation, which alone is used"
            info["information"].append(text)

    def _note_columns(self, info: Info) -> None:
        """Note which effects of the covariates are removed from the scores."""
        if self.cells is not None and self.cells.n_rare:
            rare = counted(self.cells.n_rare, "rare combination")
            rows = counted(self.cells.rows_in_rare, "row")
            info["information"].append(f"{rare} of covariates ({rows}) joined with similar ones")
        if self.regression.has_more_than_basis:
            info["information"].append(f"effects of {self.covariate_names} are removed: {self.regression.description}")

    def _warn_of_effects(self, info: Info) -> None:
        """Warn if the covariates still predict the residuals, and note which effects are not looked for.

        This concerns p-values also of methods whose scores are not adjusted.
        """
        covariates = self.unit_covariates
        if self.cells is None and len(covariates) > 1 and all(covariate.is_class for covariate in covariates):
            info["information"].append(
                f"combinations of {self.covariate_names} are too many for {counted(len(self.first), 'row')}, and are "
                "not adjusted for: effects of single combinations may remain"
            )
        if self.regression.joint_effects is None:
            info["information"].append(f"products of {self.covariate_names} are too many, and are not looked for")
        reasons = self.regression.remaining_effects()
        if reasons:
            info["warnings"].append(
                f"{self.covariate_names} still predict what the adjustment left of the target, "
                f"{' and '.join(reasons)}: p of features that follow them may be too small"
            )

    @cached_property
    def _variation(self) -> tuple[float, float]:
        """Sums of squares of the residuals with covariates and without."""
        if self.target.task == CLASSIFICATION:
            no_covariates = np.empty((len(self.first), 0))
            r = of_classes(self.units.classes, no_covariates, len(self.units.names))
            return float((self.residuals[0] ** 2).sum()), float((r**2).sum())
        if self.target.task == REGRESSION:
            scores = normal_scores(self.units.columns[0][:, 0])
            return float((self.projection.rest(scores) ** 2).sum()), float((scores**2).sum())
        time, event = self.units.columns[0].T
        return float((self.residuals[0] ** 2).sum()), float((martingale(time, event) ** 2).sum())

    @property
    def permutation(self) -> str:
        """Sentence on the permutations, for notes."""
        if self.groups is not None:
            number = counted(len(np.unique(self.groups)), "group")
            sentence = f"targets change places within {number}" if self.varies else f"{number} are permuted as wholes"
        else:
            sentence = "targets are permuted"
        if self.covariates:
            sentence += f", and keep their relation with {self.covariate_names}"
        if self._risk is not None and self._inside is None:
            sentence += f", within {counted(len(np.unique(strata(self._risk))), 'stratum', 'strata')} of like risk"
        return sentence


def _means(values: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Mean of each row's group, in the shape of values (n,) or (n, G)."""
    columns = values.reshape(len(values), -1)
    sums = np.array([np.bincount(codes, column) for column in columns.T]).T
    return np.asarray((sums / np.bincount(codes)[:, None])[codes].reshape(values.shape))
