"""Ensembles of predictive clustering trees: features are good that make groups alike (Petkovic et al.)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .data.components import Components
from .data.labels import Labels
from .data.table import DataTable
from .data.targets import CLASSIFICATION, REGRESSION, SEVERAL, UNSUPERVISED, Target, Unlabelled
from .forest.clustering_space import Attributes, clustering_space
from .forest.ensembles import ENSEMBLES, EXTRA_TREES, RFOREST, SCORES, Forest, candidates
from .forest.scores import Outcome
from .forest.trees import UNLIMITED, Columns, Rule
from .method import Method
from .options import PARAMETERS
from .parallel import Work
from .parameters import CHOICE, INTEGER, ROWS, SHARE, SWITCH, Parameter

AUTO = "auto"
HALF = 0.5  # weight of the target where some rows lack it
TOO_LARGE = 1e150  # values whose squares would not be finite
OWN = (
    Parameter("ensemble", "Ensemble", CHOICE, "random-forest", choices=ENSEMBLES,
              tooltip="Trees that take the best threshold of some features (random forest), a random one of each "
                      "(extra trees), or the best one of all features (bagging); all on bootstrap samples"),
    Parameter("score", "Score", CHOICE, "genie3", choices=SCORES,
              tooltip="genie3: how much the tests of a feature reduce impurity; symbolic: how many rows they see; "
                      "rforest: how much the error out of the bag grows when the feature is permuted"),
    Parameter("n_trees", "Trees", INTEGER, 100, low=1, high=100_000,
              tooltip="More trees make the ranking steadier, in particular of many features; 1 or more"),
    Parameter("max_features", "Features tried", ROWS, "sqrt", choices=("sqrt", "log2"), none="all",
              tooltip="In every node: the square root or logarithm of their number, a number, a share between 0 and 1, "
                      "or all; more are drawn while none gives a test"),
    Parameter("supervision", "Supervision", SHARE, AUTO, choices=(AUTO,),
              tooltip="Weight of the target against the features in what makes rows alike, from 0 to 1; auto: 1 where "
                      "all rows have a target, else 0.5"),
    Parameter("min_leaf", "Rows in a leaf", INTEGER, 1, low=1, high=1_000_000, more=True,
              tooltip="At least; 1 or more"),
    Parameter("max_depth", "Depth", INTEGER, low=1, high=100_000, none="unlimited", more=True,
              tooltip="Largest number of tests on the way to a leaf; 1 or more"),
    Parameter("pooled", "Pool errors", SWITCH, True, more=True,
              tooltip="rforest: divide by the mean error of all trees; off: by each tree's own, as published, where "
                      "one good tree may decide"),
)  # fmt: skip


@dataclass(frozen=True)
class PCT(Method):
    """The method: trees whose tests make the targets alike, the features, or both."""

    name = "pct"
    title = "PCT"
    about = "ensembles of trees"
    idea = "A feature counts for what the tests on it do in many trees, whatever their target"
    citation = "Petkovic, Dzeroski and Kocev 2020, arXiv:2008.03937"
    tasks = (CLASSIFICATION, REGRESSION, *SEVERAL, UNSUPERVISED)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters with their defaults."""
        return (*OWN, PARAMETERS["label_weights"], PARAMETERS["label_decay"])

    def partly(self, values: Mapping[str, object]) -> bool:
        """Whether rows without a known target count."""
        return values["supervision"] != 1

    def preparation(self, values: dict[str, object]) -> float:
        """Share of the work that ranks and distances of the rows are."""
        return 0.05

    def prepare(
        self, table: DataTable, target: Target, values: dict[str, object], random_state: int, work: Work
    ) -> Forest:
        """The forest before its first tree."""
        X, p = _dense(table), table.shape[1]
        supervision, alpha = _supervision(target, values), _alpha(target, values)
        attributes = Attributes.of(target, alpha).shared(supervision)
        if supervision < 1:
            attributes = attributes.beside(
                Attributes(X, table.nominal, np.ones(p)).shared(1 - supervision),
            )
        space = clustering_space(attributes)
        work.tick()
        random = values["ensemble"] == EXTRA_TREES
        rule = Rule(
            candidates(values["ensemble"], values["max_features"], p),
            random,
            values["min_leaf"],
            UNLIMITED if values["max_depth"] is None else values["max_depth"],
        )
        columns = Columns.read(X, table.nominal, ranks=not random)
        outcome = Outcome.of(target, space, alpha)
        return Forest(columns, space, outcome, rule, random_state, values["score"] == RFOREST)

    def scores(
        self,
        table: DataTable,
        target: Target,
        values: dict[str, object],
        chosen: np.ndarray,
        work: Work,
        prepared: Forest,
    ) -> tuple[np.ndarray, None, dict[str, object]]:
        """Scores (p,), None, and what was done as plain literals; all rows are used, whatever `chosen` is."""
        forest = prepared.extend(range(values["n_trees"]), work)
        scores, errors = forest.scores(values["score"], values["pooled"])
        info = {
            "trees": values["n_trees"],
            "candidates": forest.rule.n_candidates,
            "supervision": _supervision(target, values),
            "labelled": int(target.labelled.sum()),
            "standard_errors": errors.tolist(),
            "notes": _notes(forest, values),
            "remarks": [],
        }
        return scores, None, info

    def summary(self, values: dict[str, object], info: dict[str, object]) -> list[str]:
        """What was chosen: "100 trees, 9 features tried, supervision 0.5"."""
        out = [f"{info['trees']:,} trees", f"{info['candidates']:,} features tried"]
        if 0 < info["supervision"] < 1:
            out.append(f"supervision {info['supervision']:g}")
        return out


def _supervision(target: Target, values: Mapping[str, object]) -> float:
    """Weight of the target in the clustering space."""
    if isinstance(target, Unlabelled):
        return 0.0
    if values["supervision"] == AUTO:
        return 1.0 if target.labelled.all() else HALF
    return values["supervision"]


def _alpha(target: Target, values: Mapping[str, object]) -> np.ndarray | None:
    """(L,) weights of the labels of a hierarchy."""
    inner = getattr(target, "target", target)
    if not isinstance(inner, Labels | Components) or inner.hierarchy is None:
        return None
    return inner.hierarchy.weights(values["label_decay"], values["label_weights"])


def _dense(table: DataTable) -> np.ndarray:
    """(n, p); raises ValueError for sparse data, which are never made dense, and infinite values."""
    if table.is_sparse:
        raise ValueError("trees need dense data: X is sparse")
    X = table.values
    bad = np.flatnonzero((np.abs(X) > TOO_LARGE).any(axis=0))
    if len(bad):
        raise ValueError(
            f"X has infinite or far too large values in {len(bad)} features, the first of them with index {bad[0]}"
        )
    return X


def _notes(forest: Forest, values: Mapping[str, object]) -> list[str]:
    trees = sum(row[2] is not None for row in forest.rows.values())
    if values["score"] == RFOREST and not trees:
        return ["no tree has a labelled row out of its bag, so that all scores are 0: grow more trees"]
    if not forest.space.z.shape[1]:
        return ["nothing varies in what trees are to make alike, so that all scores are 0"]
    return []
