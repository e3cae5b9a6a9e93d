"""Feature ranking by the Relief family: on Orange's tables here, on arrays in ``orangecontrib.reliefe.core``.

>>> from Orange.data import Table
>>> from orangecontrib.reliefe import ReliefF, rank
>>> ranking = rank(Table("heart_disease"), "relieff", n_neighbors=10)
>>> ranking.select(5).domain.class_var.name
'diameter narrowing'
>>> ReliefF(n_neighbors=10)(Table("heart_disease")).shape
(13,)
"""

import sys
from importlib import import_module
from importlib.util import find_spec

from .extras import install

__version__ = "0.1.0"

# Names are fetched when they are first used: neither the command line's --help nor
# the canvas at its start should wait for numba and all of Orange.
_HOMES = {
    "Interrupted": "core",
    "PermutationImportance": "orange.permutation",
    "TablePartners": "orange.partners",
    "TableRanking": "orange.ranking",
    "describe": "orange.description",
    "explain": "orange.api",
    "methods": "core",
    "partners": "orange.partners",
    "power": "orange.sample_size",
    "neighbour_curves": "orange.partners",
    "rank": "orange.api",
    "read_table": "command.target_column",
    "refine": "orange.api",
    "replicate": "core",
    **dict.fromkeys(("read_arff", "read_fimp", "write_arff", "write_fimp"), "io"),
    **dict.fromkeys(("rank_genotypes", "read_genotypes"), "genetics"),
    "scorer": "orange.scorers",
}
_WITHOUT_ORANGE = ("core", "genetics")

NEEDS_ORANGE = f"{{}} needs Orange: {install('orange')}"


def has_orange() -> bool:
    """True if Orange is installed: the core, genotypes and plain files do without."""
    return find_spec("Orange") is not None


def __getattr__(name: str) -> object:
    """A function, or the scorer of a method; of methods that are registered later, too."""
    if name == "__all__":
        return sorted({*_HOMES, *_scorers()})
    if name not in _HOMES and not (name[:1].isupper() and name in _scorers()):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _HOMES.get(name, "orange.scorers")
    if home not in _WITHOUT_ORANGE and not has_orange():
        raise ImportError(
            NEEDS_ORANGE.format(f"{__name__}.{name}") + f"; arrays and data frames are ranked by {__name__}.core.rank"
        )
    value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    _register()
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_scorers()})


def _scorers() -> list[str]:
    """Names of the classes of scorers."""
    from .core import METHODS
    from .core.words import class_name

    return [class_name(method.title) for method in METHODS.values()]


def _register() -> None:
    """Let Orange open ARFF files; where Orange is not loaded, nothing waits for it."""
    if "Orange.data" in sys.modules:
        import_module(".io", __name__)


_register()
