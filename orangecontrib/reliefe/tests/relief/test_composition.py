"""All neighbourhoods with all updates: those that fit give scores, the others a message that names both."""

from dataclasses import fields
from itertools import product

import numpy as np
import pytest

from orangecontrib.reliefe.core import METHODS, TASKS, rank
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.methods.parameter_table import OF_SEVERAL
from orangecontrib.reliefe.core.methods.recipe import Recipe
from orangecontrib.reliefe.core.methods.relief_family import RECIPES
from orangecontrib.reliefe.core.relief.comparison import Comparison
from orangecontrib.reliefe.core.relief.formats.lists import Neighbours
from orangecontrib.reliefe.core.relief.neighbourhoods.adaptive import Adaptive
from orangecontrib.reliefe.core.relief.neighbourhoods.base import Neighbourhood, Produces, check_fit
from orangecontrib.reliefe.core.relief.neighbourhoods.by_weight import NearestByWeight
from orangecontrib.reliefe.core.relief.neighbourhoods.far_from_mean import FarFromMean
from orangecontrib.reliefe.core.relief.neighbourhoods.k_nearest import KNearest
from orangecontrib.reliefe.core.relief.neighbourhoods.radius import Radius
from orangecontrib.reliefe.core.relief.neighbourhoods.row_pairs import RowPairs
from orangecontrib.reliefe.core.relief.neighbourhoods.sigmoid import Sigmoid
from orangecontrib.reliefe.core.relief.neighbourhoods.smooth_radius import SmoothRadius
from orangecontrib.reliefe.core.relief.run import Run
from orangecontrib.reliefe.core.relief.updates.base import Update
from orangecontrib.reliefe.core.relief.updates.hit_miss import AboveMean, HitMiss, SharedFeatures, SignedPairs
from orangecontrib.reliefe.core.relief.updates.residual_products import ResidualProducts
from orangecontrib.reliefe.core.relief.updates.target_change import Covariance, Probability, QuotientPerRow
from orangecontrib.reliefe.core.targets.classes import Classes
from orangecontrib.reliefe.core.work.threads import PARTS, Work
from orangecontrib.reliefe.tests.samples import weight_matrix
from orangecontrib.reliefe.tests.target_samples import sample

NEIGHBOURHOODS = (
    KNearest(3), KNearest(3, 2.0), KNearest(3, ties="average"), NearestByWeight(3), Adaptive(), Radius(),
    Radius(far=True), Radius(0.0, over_all_pairs=True), Sigmoid(), SmoothRadius(), SmoothRadius(0.5, far=True),
    FarFromMean(3),
)  # fmt: skip
UPDATES = (
    HitMiss(), HitMiss("E"), HitMiss(drop_empty=False), HitMiss("E", drop_empty=False), Probability(),
    Probability(strict=True), Covariance(), QuotientPerRow(), AboveMean(), SharedFeatures(drop_empty=False),
    SignedPairs(),
)  # fmt: skip
PAIRS = tuple(product(NEIGHBOURHOODS, UPDATES, TASKS))


def fits(neighbourhood, update, task):
    """By what the parts are, not by what they declare."""
    hits = task in ("classification", "regression")
    if isinstance(neighbourhood, Sigmoid) or isinstance(update, SignedPairs):  # one normaliser for hits and misses
        return hits and isinstance(neighbourhood, Sigmoid) and isinstance(update, SignedPairs)
    if isinstance(neighbourhood, Radius | SmoothRadius | Sigmoid) and isinstance(update, AboveMean | SharedFeatures):
        return False  # which need lists
    if isinstance(neighbourhood, Radius | SmoothRadius):  # hits and misses of the update, as many as there are
        return hits and isinstance(update, HitMiss) and not update.drop_empty
    if isinstance(neighbourhood, KNearest | NearestByWeight) and isinstance(
        update, Covariance
    ):  # which weighs the pairs itself
        return neighbourhood == KNearest(3)
    if isinstance(update, HitMiss) and task != "classification":  # then there is no k nearest of each class
        before_search = KNearest(3, ties="average"), NearestByWeight(3), Adaptive(), FarFromMean(3)
        return hits and not update.drop_empty and neighbourhood in before_search
    return True


def recipe(neighbourhood, update, task):
    return Recipe(
        name="pair",
        title="Pair",
        about="a pair",
        idea="Tries two parts",
        citation="a test",
        tasks=(task,),
        neighbourhood=neighbourhood,
        update=update,
        parameter_names=OF_SEVERAL,
    )


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("neighbourhood", NEIGHBOURHOODS, ids=str)
def test_all_pairs(neighbourhood, task, monkeypatch):
    for update in UPDATES:
        check_pair(neighbourhood, update, task, monkeypatch)


def check_pair(neighbourhood, update, task, monkeypatch):
    """A message that names both parts if they do not fit, else scores."""
    made = recipe(neighbourhood, update, task)
    if not fits(neighbourhood, update, task):
        with pytest.raises(ValueError, match=f"{type(neighbourhood).__name__} and {type(update).__name__} do not fit"):
            made.check({})
        return
    monkeypatch.setitem(METHODS, "pair", made)
    data = sample(1, "classification" if task == "unsupervised" else task, n=20, p=5, missing=0.05)
    y, hierarchy = (None, None) if task == "unsupervised" else (data.y, data.hierarchy)
    for missing in ("uniform", "ignore"):  # sums over pairs, and means over rows
        found = rank(data.X, y, "pair", nominal=data.nominal, task=task, hierarchy=hierarchy, missing=missing)
        assert np.isfinite(found.scores).all()
        assert found.scores.any()


def test_both_kinds_of_pairs_are_tried():
    found = [fits(*pair) for pair in PAIRS]
    assert 100 < sum(found) < len(found) - 100


@pytest.mark.parametrize(
    "neighbourhood, update, lacking",
    [
        (Radius(), Probability(), "Radius needs a sign for each group, which Probability does not offer"),
        (Radius(), Probability(), "Probability needs lists of neighbours, which Radius does not offer"),
        (Sigmoid(), HitMiss(drop_empty=False), "Sigmoid needs one sum over hits and misses"),
        (Radius(), HitMiss(), "Radius needs rows without neighbours that count as zero, which HitMiss"),
        (KNearest(3, 2.0), Covariance(), "Covariance needs neighbours of equal weight, which KNearest"),
    ],
)
def test_messages_say_what_is_lacking(neighbourhood, update, lacking):
    with pytest.raises(ValueError, match="do not fit for classification: ") as caught:
        check_fit(neighbourhood, update, "classification")
    assert lacking in str(caught.value)


def test_every_part_is_tried():
    assert {type(part) for part in NEIGHBOURHOODS} == set(Neighbourhood.__subclasses__())
    known = {
        *Update.__subclasses__(),
        *HitMiss.__subclasses__(),
        *Probability.__subclasses__(),
    } - {ResidualProducts}  # which is for residuals; tests of studies try it
    assert {type(part) for part in UPDATES} == known


def test_parameters_may_part_what_fits():
    """Neighbours that weigh less by their rank, which `Covariance` would not see."""
    made = Recipe(
        name="pair",
        title="Pair",
        about="a pair",
        idea="Two parts",
        citation="a test",
        tasks=("classification",),
        neighbourhood=KNearest(1),
        update=Covariance(),
        parameter_names=("sigma",),
    )
    assert made.check({})["sigma"] is None
    with pytest.raises(ValueError, match="KNearest and Covariance do not fit"):
        made.check({"sigma": 2.0})


@pytest.mark.parametrize("made", RECIPES, ids=lambda made: made.name)
def test_recipes_fit(made):
    made.check({})


@pytest.mark.parametrize("neighbourhood", NEIGHBOURHOODS, ids=str)
def test_neighbourhoods_need_no_run(neighbourhood):
    """Pairs of rows and the relation of their targets are all that they see."""
    rng = np.random.default_rng(0)
    y, update = np.arange(30, dtype=np.int32) % 3, HitMiss("E", drop_empty=False)
    target = Classes(y, (0, 1, 2))
    run = Run.start(Comparison(DataTable.read(rng.random((30, 4)))), target, update, np.ones(30, bool), Work(1))
    pairs = RowPairs(*(getattr(run, field.name) for field in fields(RowPairs)))
    relation = update.relation(run.target)
    if neighbourhood.produces == Produces.LISTS:
        near = neighbourhood.weigh(neighbourhood.find(pairs))
        np.testing.assert_allclose(near.weights.sum(axis=2), 1)
    elif neighbourhood.produces in (Produces.ZONES, Produces.TILES):
        found = [some.copied() for part in range(PARTS) for some in neighbourhood.folded_pairs(pairs, relation)(part)]
        weights = sum(weight_matrix(some, 30) for some in found)
        assert not np.tril(weights).any()
        assert np.any(weights)
    else:
        found = [near for part in range(PARTS) for _, near in neighbourhood.list_blocks(pairs, relation)(part)]
        assert sorted(np.concatenate([near.rows for near in found])) == list(range(30))


def test_weights_are_asked_of_weighed_lists_only():
    near = Neighbours(np.arange(2), np.array([[[1]], [[0]]]), np.ones((2, 1, 1)))
    with pytest.raises(ValueError, match="no weights before they are weighed"):
        _ = near.shares
    assert near[:1].weights is None
    np.testing.assert_array_equal(near.weigh()[1:].shares, np.ones((1, 1, 1)))
