"""Claims of README and the pages: figures of speed are those that were measured, and numbers of things are counted."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from orangecontrib.reliefe.core import rank


@pytest.fixture(scope="module")
def home(checkout) -> Path:
    return checkout


@pytest.fixture(scope="module")
def times(home) -> dict:
    return json.loads((home / "benchmarks" / "peers_times.json").read_text(encoding="utf-8"))


def text(path: Path) -> str:
    """A page in one line."""
    return " ".join(path.read_text(encoding="utf-8").split())


def factors(measured: dict) -> dict[str, list[str]]:
    """Times of the peer over ours, by method, as pages show them."""
    found = {}
    for method, values in measured.items():
        if isinstance(values, dict):
            pairs = zip(values.get("peer_ms", ()), values.get("ours_ms", ()), strict=True)
            exact = values.get("times") or [peer / ours for peer, ours in pairs]
            found[method] = [f"{factor:.1f}" if factor < 10 else f"{factor:.0f}" for factor in exact]
    return found


def extent(measured: dict) -> str:
    """Least and largest factor of all methods."""
    exact = sorted((value for values in factors(measured).values() for value in values), key=float)
    return f"{exact[0]} to {exact[-1]} times"


def test_pages_claim_the_speed_that_was_measured(home, times):
    """For both sets of instructions, since one processor says little of others."""
    claims = {name: extent(times[name]) for name in ("AVX-512", "AVX2")}
    for page in ("README.md", "doc/index.md", "doc/speed.md"):
        claimed = text(home / page)
        for instructions, claim in claims.items():
            assert claim in claimed, (page, instructions, claim)
            assert instructions in claimed, page


def test_tables_of_speed_are_those_that_were_measured(home, times):
    page = (home / "doc" / "speed.md").read_text(encoding="utf-8")
    wide, usual = times["AVX-512"], factors(times["AVX2"])
    by_method = factors(wide)
    for row, shape in enumerate(times["shapes"]):
        cells = [
            f"{wide[method]['ours_ms'][row]} ms, {wide[method]['peer_ms'][row]} ms: {by_method[method][row]} x"
            for method in ("ReliefF", "MultiSURF", "SURF")
        ]
        assert f"| {shape} | {' | '.join(cells)} |" in page
        assert f"| {shape} | {usual['ReliefF'][row]} x | {usual['MultiSURF'][row]} x |" in page


@pytest.mark.slow  # it compiles the other package
@pytest.mark.parametrize("method", ["relieff", "surf", "multisurf"])
@pytest.mark.parametrize("classes", [2, 3])
def test_fast_select_pools_the_misses_of_several_classes(method, classes):
    """Its scores are ours for two classes; for more, those of radius methods are others."""
    name = {"relieff": "ReliefF", "surf": "SURF", "multisurf": "MultiSURF"}[method]
    fast_select = pytest.importorskip(f"fast_select.{name}")
    X = np.random.default_rng(0).normal(size=(60, 6))
    y = np.searchsorted(np.quantile(X[:, 0], np.arange(1, classes) / classes), X[:, 0])
    parameters = {"n_neighbors": 10} if method == "relieff" else {}
    ranker = getattr(fast_select, name)(n_features_to_select=5, n_jobs=1, backend="cpu", **parameters)
    difference = np.abs(ranker.fit(X, y).feature_importances_ - rank(X, y, method, **parameters).scores).max()
    if classes == 2 or method == "relieff":
        assert difference < 1e-6
    else:
        assert 0.01 < difference < 0.05


def test_no_page_names_an_extra_that_there_is_not(home):
    found = re.search(r"extras_require=\{(.*?)\n    \}", (home / "setup.py").read_text(encoding="utf-8"), re.DOTALL)
    extras = set(re.findall(r'^        "(\w+)":', found.group(1), re.MULTILINE))
    assert "gui" in extras
    for path in (home / "README.md", home / "CONTRIBUTING.md", *(home / "doc").rglob("*.md")):
        page = text(path)
        named = re.findall(r"(?:Orange3-ReliefE|\.)\[([\w,]+)\]", page) + re.findall(r"[Ww]ith the extra `(\w+)`", page)
        named += re.findall(r"extra `\[(\w+)\]`", page)
        assert {name for names in named for name in names.split(",")} <= extras, path.name


def test_numbers_of_sets_and_of_areas_are_those_of_the_results(home):
    page, readme = text(home / "doc" / "which.md"), text(home / "README.md")
    counts = [int(count) for count in re.findall(r": (\d+) sets \(rows x features\)", page)]
    assert f"on {sum(counts[:3])} public and {sum(counts[3:])} simulated sets" in readme
    proof = (home / "doc" / "proof.md").read_text(encoding="utf-8")
    for part, claim in (("relevant features", "all {} recalls are equal"), ("accuracy", "All {} accuracy areas")):
        row = rf"^\| Quality beside an independent implementation: {part} +\| (\d+) +\| +\1 \| +- \|$"
        (count,) = re.findall(row, proof, re.MULTILINE)
        assert claim.format(count) in readme
