"""Parameters of ensembles of trees, as data."""

from numbers import Integral, Real
from typing import cast

import numpy as np

from ..forest.ensembles import ENSEMBLES, SCORES
from ..words import shown
from .parameters import CHOICE, INTEGER, ROWS, SHARE, SWITCH, Parameter

AUTO, TUNED = "auto", "tuned"
MAJORITY, FRACTIONAL = "majority", "fractional"


class Tries(Parameter):
    """Number of features in a node: a number, a share, None = all, or a word."""

    def _check_rows(self, value: object) -> int | float | str:
        if isinstance(value, str) and value in self.choices:
            return value
        possible = f"one of {', '.join(self.choices)}, a number of features, a share of them, or None for all"
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError(f"{self.name} must be {possible}, not {shown(value)}")
        if isinstance(value, float | np.floating) and 0 < value <= 1:
            return float(value)
        if isinstance(value, Integral) and cast("int", value) >= 1:
            return int(value)
        wanted = "a whole number from 1 or a share above 0 and at most 1"
        raise ValueError(f"{self.name} must be {wanted}, not {shown(value)}")


OWN = (
    Parameter("ensemble", "Ensemble", CHOICE, AUTO, choices=(AUTO, *ENSEMBLES),
              tooltip="Trees that take the best threshold of some features (random forest), a random one of each "
                      "(extra trees), or the best one of all features (bagging), all on bootstrap samples; auto: extra "
                      "trees without a target, else random forest"),
    Parameter("score", "Score", CHOICE, "genie3", choices=SCORES,
              tooltip="genie3: how much the tests of a feature reduce impurity; symbolic: how many rows they see; "
                      "rforest: how much the error out of the bag grows when the feature is permuted"),
    Parameter("n_trees", "Trees", INTEGER, 100, low=1, high=100_000, choices=(AUTO,),
              tooltip="More trees make the ranking steadier, in particular of many features; 1 or more; auto: until "
                      "the top of the list is steady, at most 1,000"),
    Tries("max_features", "Features tried", ROWS, AUTO, choices=(AUTO, "sqrt", "log2"), none="all",
          tooltip="In every node: the square root or logarithm of their number, a number, a share from 0 to 1, or all; "
                  "more are drawn while none gives a test; auto: logarithm without a target, else square root"),
    Parameter("supervision", "Supervision", SHARE, AUTO, choices=(AUTO, TUNED),
              tooltip="Weight of the target against the features in what makes rows alike, from 0 to 1; auto: 1 where "
                      "all rows have a target, else 0.5; tuned: by cross-validation, slow"),
    Parameter("min_leaf", "Rows in a leaf", INTEGER, 1, low=1, high=1_000_000, more=True,
              tooltip="At least; 1 or more"),
    Parameter("max_depth", "Depth", INTEGER, low=1, high=100_000, none="unlimited", more=True,
              tooltip="Largest number of tests on the way to a leaf; 1 or more"),
    Parameter("missing", "Missing values", CHOICE, MAJORITY, choices=(MAJORITY, FRACTIONAL), more=True,
              tooltip="Rows that lack the tested feature go with the larger part (majority), or both ways, in shares "
                      "of the other rows (fractional), which takes longer"),
    Parameter("f_test", "F-test", SHARE, none="off", more=True,
              tooltip="Level of significance, from 0 to 1, at which the best test of a node must reduce the impurity: "
                      "smaller trees of better founded tests; fully grown ones rank better as a rule"),
    Parameter("depth_decay", "Depth decay", SHARE, none="share of the rows", more=True,
              tooltip="symbolic: a test counts this number, from 0 to 1, to the power of its depth, instead of the "
                      "share of the rows that it sees"),
    Parameter("pooled", "Pool errors", SWITCH, True, more=True,
              tooltip="rforest: divide by the mean error of all trees; off: by each tree's own, as published, where "
                      "one good tree may decide"),
)  # fmt: skip
