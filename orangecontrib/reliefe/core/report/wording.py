"""Texts of the report: a paragraph for the Methods section of a paper, its sources, and the versions.

page.py calls `methods_paragraph`, `sources` and `versions`.
"""

import platform
from importlib.metadata import PackageNotFoundError, version

from ..evaluation.stability import StableSelection
from ..methods.registry import METHODS
from ..result import Ranking
from ..words import counted, shown

DISTRIBUTION = "Orange3-ReliefE"
LIBRARIES = ("numpy", "scipy", "numba", "scikit-learn")
LEVEL = 0.1  # false discovery rate at which features count as discovered
FDR_SOURCE = (
    "Benjamini Y, Hochberg Y (1995). Controlling the false discovery rate. Journal of the Royal Statistical Society B "
    "57:289-300"
)
OF_GROUPS = (
    "The difference of two rows in a group was the mean of their differences in its features, and each group counted "
    "as one in the distance."
)
MAX_T_SOURCE = "Westfall PH, Young SS (1993). Resampling-based multiple testing. Wiley"


def sources(ranking: Ranking) -> list[str]:
    """Sources to cite: the method, and the tests if the ranking has p-values."""
    method = METHODS.get(ranking.method)
    cited = [method.citation] if method else []
    if ranking.significance is not None:
        cited += [FDR_SOURCE, MAX_T_SOURCE]
    return cited


def versions() -> dict[str, str]:
    """Versions of Python and of the libraries that compute scores."""
    version_of_library = {"Python": platform.python_version()}
    for name in (DISTRIBUTION, *LIBRARIES):
        try:
            version_of_library[name] = version(name)
        except PackageNotFoundError:  # a checkout that is not installed
            continue
    return version_of_library


def methods_paragraph(ranking: Ranking, target: str) -> str:
    """Write a paragraph on how features were ranked, for the Methods section of a paper.

    Parameters
    ----------
    ranking : Ranking
        The ranking.
    target : str
        The target, for example "target tissue (2 classes: tumour, normal)"; empty without one.
    """
    n_scores = len(ranking.scores)
    rows = f" in {counted(ranking.info['rows'], 'row')}" if "rows" in ranking.info else ""
    settings = ", ".join(f"{name} = {_plain(value)}" for name, value in ranking.parameters.items())
    aim = f"for the {target}" if target.startswith("target") else "without a target"
    items = counted(n_scores, ranking.noun)
    if ranking.ranks_groups:
        items += f" of {counted(ranking.n_features, 'feature')}"
    sentences = [f"{items} {_were(n_scores)} ranked by {ranking.title} [1]{rows} {aim}."]
    if ranking.ranks_groups:
        sentences.append(OF_GROUPS)
    sentences += _study_sentences(ranking)
    if settings:
        sentences.append(f"Parameters were {settings}.")
    tested = ranking.significance
    if tested is not None:
        n_discovered = len(tested.discoveries(LEVEL))
        sentences.append(
            f"The target was permuted {tested.n_shuffles} times to compute p-values, which were adjusted to false "
            f"discovery rates [2] and family-wise error rates [3]. At a false discovery rate of {LEVEL:.0%}, "
            f"{counted(n_discovered, ranking.noun)} {_were(n_discovered)} discovered."
        )
    software = ", ".join(f"{name} {number}" for name, number in versions().items())
    sentences.append(f"Software: {software}.")
    return " ".join(sentences)


def _study_sentences(ranking: Ranking) -> list[str]:
    """Sentences on the event of times, on covariates and on groups of rows; none if the ranking has none of these."""
    info = ranking.info
    sentences = []
    if "event" in info:
        sentences.append(f"The event was {shown(str(info['event']))} in {counted(info['events'], 'row')}.")
        sentences.append(f"Times were censored in {info['censored']:.1%} of the rows.")
    if info.get("adjusted_for"):
        sentences.append(f"Scores were adjusted for {', '.join(info['adjusted_for'])}.")
    if "row_groups" in info:
        sentences.append(f"Rows of one of {counted(info['row_groups'], 'group')} were no neighbours of each other.")
    return sentences


def stability_sentence(stability: StableSelection) -> str:
    """Say how many features halves of the rows agree on, and how many of them may be there by chance."""
    n_selected = len(stability.selected)
    return (
        f"Stability selection keeps {counted(n_selected, 'feature')}, on which most of "
        f"{len(stability.scores)} random halves of the rows agree. At most {stability.bound:.2g} of them "
        f"are expected to be no better than random ones."
    )


def _were(n: int) -> str:
    return "was" if n == 1 else "were"


def _plain(value: object) -> str:
    """Value of a parameter in a sentence: the name of a method that has parameters of its own, or the value."""
    if isinstance(value, list | tuple) and value:
        return _plain(value[0])
    return "none" if value is None else str(value)
