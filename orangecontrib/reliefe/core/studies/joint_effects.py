"""Joint effects of covariates: a dictionary of products, and the choice among them by forward selection.

A regression on lines or splines of each covariate leaves what two or three of them do together. Features that follow
it would be discovered. `covariate_regression.py` makes the dictionary by `JointEffects.of`, and adds the columns that
`select` chooses.

For inputs b_1 ... b_m, which are normal scores of numbers and indicators of classes, the dictionary has the products

    b_i b_j  and  b_i b_j b_k,

and the same with sign(b) instead of b for numbers, of different covariates. Products of indicators are cells.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from .covariates import Covariate
from .projection import Projection
from .random_orders import N_PERMUTED, permutation
from .residuals import normal_scores

MAX_P = 0.05  # of the strongest column, up to which it is added
MAX_ADDED = 10  # columns; chosen by eye
ROWS_PER_COLUMN = 10  # of the regression with these columns
MAX_INPUTS_OF_TRIPLES = 10  # inputs up to which there are products of three
MAX_VALUES = 2**24  # of the dictionary, 128 MiB
MIN_LEFT = 0.2  # share of a column's deviation that must be left beside the regression
VALUES_AT_ONCE = 2**14  # of permuted residuals: few, since most permutations end early
STREAM_OF_SELECTION = (0, 1)  # of random numbers, beside those of permuted targets, which have one more number only
STREAM_OF_WARNING = (0, 2)

ResidualsOn = Callable[[np.ndarray], np.ndarray]  # residuals (n, G) of a regression on columns Z (n, q)


@dataclass(frozen=True, eq=False)
class Input:
    """A column from which products are made.

    values : (n,) normal scores of numbers, or the indicator of a class
    covariate : number of its covariate
    is_class : True for an indicator
    """

    values: np.ndarray
    covariate: int
    is_class: bool


@dataclass(frozen=True, eq=False)
class JointEffects:
    """Dictionary of joint effects of covariates.

    columns : (n, K) array, standardised
    blocks : (n,) codes within which residuals are exchangeable; None: all are
    seed : of the permutations
    """

    columns: np.ndarray
    blocks: np.ndarray | None
    seed: int

    @classmethod
    def of(cls, covariates: Sequence[Covariate], n: int, blocks: np.ndarray | None, seed: int) -> "JointEffects | None":
        """Make the dictionary for covariates of n rows; None if it would have too many values."""
        inputs = make_inputs(covariates)
        if len(inputs) * (len(inputs) - 1) * n > MAX_VALUES:  # pairs, each with that of the signs
            return None
        products = list_products(inputs)
        if 2 * len(products) * n > MAX_VALUES:
            products = [factors for factors in products if len(factors) == 2]
        columns = np.array([column for product in products for column in multiply(product)])
        D = columns.reshape(len(columns), n).T
        D = D - D.mean(axis=0)
        deviation = D.std(axis=0)
        varies = deviation > np.finfo(float).eps * n
        return cls(D[:, varies] / deviation[varies], blocks, seed)

    def select(self, Z: np.ndarray, residuals_on: ResidualsOn) -> np.ndarray:
        """Select columns that follow what a regression leaves, one after another, by permuted residuals.

        Parameters
        ----------
        Z : (n, q) array
            Columns of the regression.
        residuals_on : callable
            Residuals of the target on columns.

        Returns
        -------
        (n, a) array
            The chosen columns, in the order of their choice.
        """
        rng = np.random.default_rng([self.seed, *STREAM_OF_SELECTION])
        chosen: list[int] = []
        while len(chosen) < MAX_ADDED and (Z.shape[1] + 1) * ROWS_PER_COLUMN <= len(Z):
            k, p = self._strongest(Z, residuals_on(Z), MAX_P, rng)
            if p > MAX_P:
                break
            chosen.append(k)
            Z = np.column_stack([Z, self.columns[:, k]])
        return self.columns[:, chosen]

    def remain(self, Z: np.ndarray, residuals: np.ndarray) -> bool:
        """Tell whether a column follows the residuals (n, G) on Z (n, q) more than those of all permutations."""
        least_p = 1 / (1 + N_PERMUTED)
        p = self._strongest(Z, residuals, least_p, np.random.default_rng([self.seed, *STREAM_OF_WARNING]))[1]
        return p <= least_p

    def _strongest(
        self, Z: np.ndarray, residuals: np.ndarray, max_p: float, rng: np.random.Generator
    ) -> tuple[int, float]:
        """Find the column that follows residuals (n, G) most, with its p against the strongest for permuted ones.

        The size of a column d of length 1, projected off Z, is sum_g (d' r_g)^2 over the mean square of r. If p is
        above `max_p`, permutations end as soon as this is certain, and p is too small.

        Westfall and Young (1993), Resampling-Based Multiple Testing, on the largest of all statistics.
        Besag and Clifford (1991), Biometrika 78:301, on permutations that end early.
        """
        n, G = residuals.shape
        projection = Projection.on(Z)
        unexplained = projection.rest(self.columns)
        is_usable = unexplained.std(axis=0) > MIN_LEFT  # the columns have the deviation 1
        if not is_usable.any():
            return 0, 1.0
        usable = np.flatnonzero(is_usable)
        unexplained = unexplained[:, usable]
        unexplained /= np.sqrt((unexplained**2).sum(axis=0))
        residuals = residuals - residuals.mean(axis=0)

        def sizes(R: np.ndarray) -> np.ndarray:
            """Sizes (K, B) of the columns for B sets of residuals (n, B, G), which are projected off Z."""
            flat = R.reshape(n, -1)
            products = (unexplained.T @ flat).reshape(len(usable), -1, G)
            of_regression = (projection.Q.T @ flat).reshape(-1, R.shape[1], G)
            squares = (R**2).sum(axis=(0, 2)) - (of_regression**2).sum(axis=(0, 2))
            return np.asarray((products**2).sum(axis=2) / np.maximum(squares / n, np.finfo(float).tiny))

        true_sizes = sizes(residuals[:, None])[:, 0]
        strongest = int(true_sizes.argmax())
        max_reaching = round(max_p * (1 + N_PERMUTED)) - 1
        n_reaching = 0
        step = max(VALUES_AT_ONCE // residuals.size, 1)
        for start in range(0, N_PERMUTED, step):
            n_orders = min(step, N_PERMUTED - start)
            orders = np.array([permutation(n, rng, self.blocks) for _ in range(n_orders)])
            permuted = residuals[orders.T]
            n_reaching += int((sizes(permuted).max(axis=0) >= true_sizes[strongest]).sum())
            if n_reaching > max_reaching:
                break
        return int(usable[strongest]), (1 + n_reaching) / (1 + N_PERMUTED)


def make_inputs(covariates: Sequence[Covariate]) -> list[Input]:
    """Make the inputs of products: all but the numbers that have linear effects. Unknown numbers are the median.

    A column that repeats one before it, or its negative, is left out: their product would be a curve of one covariate.
    """
    inputs: list[Input] = []
    for number, covariate in enumerate(covariates):
        values = covariate.values
        if covariate.is_class:
            levels = range(int(values.max()) + 1)
            inputs += [Input((values == level).astype(float), number, True) for level in levels]
        elif not covariate.straight:
            filled = np.where(np.isnan(values), np.nanmedian(values), values)
            inputs.append(Input(normal_scores(filled), number, False))
    return [column for index, column in enumerate(inputs) if not repeats_any(column, inputs[:index])]


def repeats_any(column: Input, other_inputs: Sequence[Input]) -> bool:
    """True if one of other inputs has the same values, or their negatives."""
    return any(
        np.allclose(column.values, other_input.values) or np.allclose(column.values, -other_input.values)
        for other_input in other_inputs
    )


def list_products(inputs: Sequence[Input]) -> list[tuple[Input, ...]]:
    """List the pairs of inputs of different covariates, and the triples if there are few inputs."""
    sizes = (2, 3) if len(inputs) <= MAX_INPUTS_OF_TRIPLES else (2,)
    return [
        factors
        for size in sizes
        for factors in combinations(inputs, size)
        if len({factor.covariate for factor in factors}) == size
    ]


def multiply(factors: Sequence[Input]) -> list[np.ndarray]:
    """Multiply inputs, and, if there are numbers among them, the signs of these with the indicators."""
    products = [np.prod([factor.values for factor in factors], axis=0)]
    if not all(factor.is_class for factor in factors):
        signs = [factor.values if factor.is_class else np.sign(factor.values) for factor in factors]
        products.append(np.prod(signs, axis=0))
    return products
