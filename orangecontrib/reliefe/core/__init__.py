"""Feature ranking on arrays: knows neither Orange nor Qt."""

from .api import METHODS, NullLevel, Ranking, methods, null_level, rank, rank_grid, refine, tau_max
from .data.targets import TASKS
from .ensemble import Ensemble, grow
from .methods.registry import find_method
from .parallel import Interrupted

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
