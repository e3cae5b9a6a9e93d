"""Feature ranking on arrays: knows neither Orange nor Qt."""

from .api import null_level, rank, rank_grid, refine
from .data.targets import TASKS
from .ensemble import Ensemble, grow
from .methods.registry import METHODS, find_method, methods
from .parallel import Interrupted
from .result import NullLevel, Ranking, tau_max

__all__ = [
    "METHODS",
    "TASKS",
    "Ensemble",
    "Interrupted",
    "NullLevel",
    "Ranking",
    "find_method",
    "grow",
    "methods",
    "null_level",
    "rank",
    "rank_grid",
    "refine",
    "tau_max",
]
