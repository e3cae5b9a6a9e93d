"""Tests need no screen; fixtures that several files share."""

import os
import re
import sys
import warnings
from collections import defaultdict
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from types import CodeType

import pytest

from orangecontrib.reliefe import has_orange

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("ORANGE_RELIEFE_NO_WARMING", "1")  # widgets start no process
os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

with suppress(ImportError):
    from hypothesis import settings

    settings.register_profile("busy machine", deadline=None)  # no test needs a quiet one
    settings.load_profile("busy machine")

if has_orange():
    from Orange.data import Table

    Table.LOCKING = True  # a test fails when anything writes into the user's data


@pytest.fixture
def no_warnings():
    """Warnings are errors, but for those of numba, and of a product whose upper bits are not wanted."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", module="numba")
        warnings.filterwarnings("ignore", "overflow", RuntimeWarning, r"orangecontrib\.reliefe\.core\.kernels\.bits")
        yield


@pytest.fixture(scope="session")
def checkout(pytestconfig) -> Path:
    """The folder of setup.py, also when the tests are those of an installed package."""
    for folder in (Path(__file__).parents[2], pytestconfig.rootpath):
        if (folder / "setup.py").exists():
            return folder
    pytest.skip("needs a checkout")


@pytest.hookimpl(tryfirst=True)  # before `-m` takes tests out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what a product of parameters repeats, run failing tests of widgets once more, and mark methods.

    Of a test with two parameters each value stays once; of one with three or more each pair of values does.  Widgets
    share one application: an event that is late for one test reaches another one on a busy machine.
    """
    for item in items:
        mark_method(item)
        if Path(__file__).parent / "widgets" in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))
    products = defaultdict(list)
    for item in items:
        marks = [mark.args[0] for mark in item.iter_markers("parametrize")]
        names = [re.split(r",\s*", mark) if isinstance(mark, str) else mark for mark in marks]
        if len(names) > 1:
            values = item.callspec.params
            case = tuple(tuple(id(values[name]) for name in together) for together in names)
            products[item.nodeid.partition("[")[0]].append((item, case))
    for product in products.values():
        chosen_cases = covering([case for _, case in product], 1 if len(product[0][1]) == 2 else 2)
        for number, (item, _) in enumerate(product):
            if number not in chosen_cases:
                item.add_marker(pytest.mark.slow)


def mark_method(item: pytest.Item) -> None:
    """Mark a test with `method` if the name of a method, or of its class, is a parameter, or if it visits all methods.

    The latter has the keyword `every_method`, too: ``pytest -m method -k "relieff or every_method"`` runs what a method
    of the name relieff has to pass.
    """
    registry = sys.modules.get("orangecontrib.reliefe.core.methods.registry")
    if registry is None:  # no test that was collected knows it
        return
    callspec = getattr(item, "callspec", None)
    values = [] if callspec is None else [value for value in callspec.params.values() if isinstance(value, str)]
    classes = {registry.class_name(method.title) for method in registry.METHODS.values()}
    if not classes.union(registry.METHODS).isdisjoint(values):
        item.add_marker("method")
    elif visits_all_methods(getattr(item, "function", None)):
        item.add_marker("method")
        item.extra_keyword_matches.add("every_method")


def visits_all_methods(function: object) -> bool:
    """True if the code of a test calls `methods()`, or `values` or `items` of `METHODS`."""
    codes = [getattr(function, "__code__", None)]
    names: set[str] = set()
    while codes:
        code = codes.pop()
        if isinstance(code, CodeType):
            names.update(code.co_names)
            codes.extend(code.co_consts)
    return "methods" in names or ("METHODS" in names and not names.isdisjoint({"values", "items"}))


def covering(cases: list[tuple[object, ...]], strength: int) -> set[int]:
    """Cases that have all combinations of `strength` values which occur; the one with most new ones first."""
    combinations_of_case = [
        {(axes, tuple(case[a] for a in axes)) for axes in combinations(range(len(case)), strength)} for case in cases
    ]
    uncovered, chosen_cases = set().union(*combinations_of_case), set()
    while uncovered:
        best = max(range(len(cases)), key=lambda number: (len(combinations_of_case[number] & uncovered), -number))
        uncovered -= combinations_of_case[best]
        chosen_cases.add(best)
    return chosen_cases
