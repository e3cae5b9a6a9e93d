"""Feature ranking on arrays: knows neither Orange nor Qt."""

from .api import null_level, rank, rank_grid, refine, significance
from .data.packed import Packed
from .data.scratch import scratch_files
from .ensemble import Ensemble, grow
from .methods.filters import DegenerateGraph
from .methods.registry import METHODS, find_method, methods, tasks_with
from .neighbour_curves import NeighbourCurves, neighbour_curves
from .parallel import Interrupted
from .partners import Partners, partners
from .result import NullLevel, Ranking, Significance, tau_max
from .resuming import rank_resumably
from .significance_test import SignificanceTest
from .targets.targets import TASKS

__all__ = [
    "METHODS",
    "TASKS",
    "DegenerateGraph",
    "Ensemble",
    "Interrupted",
    "NeighbourCurves",
    "NullLevel",
    "Packed",
    "Partners",
    "Ranking",
    "Significance",
    "SignificanceTest",
    "find_method",
    "grow",
    "methods",
    "neighbour_curves",
    "null_level",
    "partners",
    "rank",
    "rank_grid",
    "rank_resumably",
    "refine",
    "scratch_files",
    "significance",
    "tasks_with",
    "tau_max",
]
