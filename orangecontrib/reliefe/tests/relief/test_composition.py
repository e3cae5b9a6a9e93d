"""All neighbourhoods with all updates: those that fit give scores, the others a message that names both."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest

from orangecontrib.reliefe.core import METHODS, TASKS, neighbour_curves, rank
from orangecontrib.reliefe.core.methods.parameter_table import OF_SEVERAL
from orangecontrib.reliefe.core.methods.recipe import Recipe
from orangecontrib.reliefe.core.methods.relief_family import RECIPES
from orangecontrib.reliefe.tests.target_samples import sample


def kinds(part):
    """Return all classes of the base of a part by their names, which messages tell."""
    base = type(part).__mro__[-2]
    found = {}
    left = base.__subclasses__()
    while left:
        kind = left.pop()
        found[kind.__name__] = kind
        left += kind.__subclasses__()
    return found


KINDS_OF_NEIGHBOURHOODS = kinds(RECIPES[0].neighbourhood)
KINDS_OF_UPDATES = kinds(RECIPES[0].update)
KINDS = KINDS_OF_NEIGHBOURHOODS | KINDS_OF_UPDATES
OF_RESIDUALS = "ResidualProducts"  # an update that tests of studies try


def part(name, **fields):
    return KINDS[name](**fields)


def with_new_kinds(parts, kinds_of_parts):
    """Return the parts, and one of each kind that is not among them: a new kind needs no line here."""
    known = {type(each) for each in parts}
    new = [kind for name, kind in kinds_of_parts.items() if kind not in known and name != OF_RESIDUALS]
    return (*parts, *(kind() for kind in new))


def is_a(tried, *names):
    return isinstance(tried, tuple(KINDS[name] for name in names))


NEAREST = part("KNearest", n_neighbors=3)
BEFORE_SEARCH = (
    part("KNearest", n_neighbors=3, ties="average"), part("NearestByWeight", n_neighbors=3), part("Adaptive"),
    part("FarFromMean", n_neighbors=3),
)  # fmt: skip
NEIGHBOURHOODS = with_new_kinds((
    NEAREST, part("KNearest", n_neighbors=3, sigma=2.0), *BEFORE_SEARCH, part("Radius"), part("Radius", far=True),
    part("Radius", width=0.0, over_all_pairs=True), part("SmoothRadius"), part("SmoothRadius", width=0.5, far=True),
), KINDS_OF_NEIGHBOURHOODS)  # fmt: skip
UPDATES = with_new_kinds((
    part("HitMiss"), part("HitMiss", scheme="E"), part("HitMiss", drop_empty=False),
    part("HitMiss", scheme="E", drop_empty=False), part("Probability"), part("Probability", strict=True),
    part("SharedFeatures", drop_empty=False),
), KINDS_OF_UPDATES)  # fmt: skip
PAIRS = tuple(product(NEIGHBOURHOODS, UPDATES, TASKS))


def fits(neighbourhood, update, task):
    """By what the parts are, not by what they declare."""
    hits = task in ("classification", "regression")
    of_zones = is_a(neighbourhood, "Radius", "SmoothRadius", "Sigmoid")
    if is_a(neighbourhood, "Sigmoid") or is_a(update, "SignedPairs"):  # one normaliser for hits and misses
        return hits and is_a(neighbourhood, "Sigmoid") and is_a(update, "SignedPairs")
    if of_zones and is_a(update, "AboveMean", "SharedFeatures"):
        return False  # which need lists
    if of_zones:  # hits and misses of the update, as many as there are
        return hits and is_a(update, "HitMiss") and not update.drop_empty
    if is_a(neighbourhood, "KNearest", "NearestByWeight") and is_a(update, "Covariance"):  # which weighs pairs itself
        return neighbourhood == NEAREST
    if is_a(update, "HitMiss") and task != "classification":  # then there is no k nearest of each class
        return hits and not update.drop_empty and neighbourhood in BEFORE_SEARCH
    return True


def recipe(neighbourhood, update, task, *parameter_names):
    return Recipe(
        name="pair",
        title="Pair",
        about="a pair",
        idea="Tries two parts",
        citation="a test",
        tasks=(task,),
        neighbourhood=neighbourhood,
        update=update,
        parameter_names=(*parameter_names, *OF_SEVERAL),
    )


@dataclass(frozen=True)
class SignedChange(type(RECIPES[0].update).__mro__[-2]):
    """An update whose pairs weigh 2 t - 1, by the difference t of their targets: more if targets differ, else less.

    It is a mean over rows, and neighbours of one row have different weights, which no method of the family has.
    """

    requires = KINDS["Probability"].requires
    n_channels = 1
    is_mean_over_rows = True
    is_linear_in_shares = True

    def channels(self, neighbours, target):
        return (neighbours.shares * (2 * self.differences(neighbours, target) - 1))[None]

    def totals(self, neighbours, target):
        return np.array([float(len(neighbours.rows))])

    def factors(self, totals, m):
        return 1 / totals


@pytest.mark.parametrize("task", ["classification", "regression", "multi-label"])
def test_curves_of_an_update_that_weighs_each_neighbour(task, monkeypatch):
    monkeypatch.setitem(METHODS, "pair", recipe(NEAREST, SignedChange(), task, "n_neighbors"))
    data = sample(1, task, n=24, p=5)
    curves = neighbour_curves(data.X, data.y, "pair", nominal=data.nominal, task=task)
    for k in (1, 3, 10):
        expected = rank(data.X, data.y, "pair", nominal=data.nominal, task=task, n_neighbors=k).scores
        np.testing.assert_allclose(curves.scores(k), expected, rtol=0, atol=1e-6)


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
        (part("Radius"), part("Probability"), "Radius needs a sign for each group, which Probability does not offer"),
        (part("Radius"), part("Probability"), "Probability needs lists of neighbours, which Radius does not offer"),
        (part("Sigmoid"), part("HitMiss", drop_empty=False), "Sigmoid needs one sum over hits and misses"),
        (part("Radius"), part("HitMiss"), "Radius needs rows without neighbours that count as zero, which HitMiss"),
        (part("KNearest", n_neighbors=3, sigma=2.0), part("Covariance"),
         "Covariance needs neighbours of equal weight, which KNearest"),
    ],
)  # fmt: skip
def test_messages_say_what_is_lacking(neighbourhood, update, lacking):
    with pytest.raises(ValueError, match="do not fit for classification: ") as caught:
        recipe(neighbourhood, update, "classification").check({})
    assert lacking in str(caught.value)


def test_parameters_may_part_what_fits():
    """Neighbours that weigh less by their rank, which `Covariance` would not see."""
    made = Recipe(
        name="pair",
        title="Pair",
        about="a pair",
        idea="Two parts",
        citation="a test",
        tasks=("classification",),
        neighbourhood=part("KNearest", n_neighbors=1),
        update=part("Covariance"),
        parameter_names=("sigma",),
    )
    assert made.check({})["sigma"] is None
    with pytest.raises(ValueError, match="KNearest and Covariance do not fit"):
        made.check({"sigma": 2.0})


@pytest.mark.parametrize("made", RECIPES, ids=lambda made: made.name)
def test_recipes_fit(made):
    made.check({})
