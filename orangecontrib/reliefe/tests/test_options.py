"""Options of methods: the page for developers gives a reason for each, and those that it calls removed are refused."""

import re

import numpy as np
import pytest

from orangecontrib.reliefe.core import METHODS, rank

KINDS_OF_REASON = ("paper", "peer", "publication", "measurement")
REMOVED = {
    "mixing": ("learnedrelief", "boostedlearnedrelief"),
    "damping": ("learnedrelief", "boostedlearnedrelief"),
    "heavy": ("learnedrelief", "boostedlearnedrelief"),
    "threshold": ("learnedrelief", "boostedlearnedrelief"),
    "unit": ("surfstar", "multisurfstar", "multiswrfstar", "multiswrfdbstar"),
    "ties": ("relief",),
    "scale": ("swrfstar", "swrf", "multiswrf", "multiswrfstar", "multiswrfdb", "multiswrfdbstar"),
    "self_loops": ("laplacian", "mcfs", "ndfs", "ssllaplacian"),
    "style": ("spec",),
    "n_eigenvectors": ("spec",),
    "gamma": ("ndfs",),
    "tol": ("ndfs", "agnoss"),
    "ridge": ("lhrelief",),
    "n_passes": ("ireliefonline",),
}


def section(checkout, title):
    """Cells of the rows of the table in a section of the page."""
    text = (checkout / "doc" / "developers" / "options.md").read_text(encoding="utf-8")
    lines = text.partition(f"\n## {title}\n")[2].partition("\n## ")[0].splitlines()
    return [line.strip("| ").split(" | ") for line in lines if line.startswith("| `")]


def test_each_option_has_a_reason(checkout):
    listed = {(name.strip("`"), label): methods for name, label, methods, _ in section(checkout, "Kept")}
    offered = {}
    for method in METHODS.values():
        for parameter in method.parameters:
            offered.setdefault((parameter.name, parameter.label), []).append(method.name)
    assert set(listed) == set(offered)
    for option, names in offered.items():
        named = re.findall("`(.+?)`", listed[option])
        assert named == names or listed[option] == f"{len(names)} methods"
    for name, _, _, reason in section(checkout, "Kept"):
        assert reason.startswith(KINDS_OF_REASON), name


def test_measurements_name_their_pages_or_scripts(checkout):
    reasons = [reason for *_, reason in section(checkout, "Kept") if reason.startswith("measurement")]
    assert len(reasons) > 5
    for reason in reasons:
        (source,) = re.findall(r"^measurement \((.+?)\):", reason.replace("](", "] ").replace(".md)", ".md"))
        pages = re.findall(r"\.\./([\w/.-]+\.md)", source)
        scripts = re.findall(r"`(benchmarks/\w+\.py)", source)
        assert pages or scripts, reason
        for file in [*(f"doc/{page}" for page in pages), *scripts]:
            assert (checkout / file).is_file(), file


def test_names_with_two_meanings_are_listed(checkout):
    labels = {}
    for method in METHODS.values():
        for parameter in method.parameters:
            labels.setdefault(parameter.name, set()).add(parameter.label)
    text = (checkout / "doc" / "developers" / "options.md").read_text(encoding="utf-8")
    listed = re.findall("`(.+?)`", text.partition("Some names mean")[2].partition("\n")[0])
    assert listed == sorted(name for name, of_methods in labels.items() if len(of_methods) > 1)


def test_the_page_names_what_was_removed(checkout):
    named = {name for cells in section(checkout, "Removed") for name in re.findall("`(.+?)`", cells[0])}
    assert named == set(REMOVED)


@pytest.mark.parametrize("name, method", [(name, method) for name, methods in REMOVED.items() for method in methods])
def test_removed_options_are_refused(name, method):
    rng = np.random.default_rng(0)
    y = None if METHODS[method].tasks == ("unsupervised",) else np.arange(12) % 2
    with pytest.raises(ValueError, match=f"{method} has no parameter '{name}'"):
        rank(rng.random((12, 3)), y, method, **{name: 1})
