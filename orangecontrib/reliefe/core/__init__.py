"""Feature ranking on arrays: knows neither Orange nor Qt."""

from .parallel import Interrupted
from .ranking import METHODS, Ranking, methods, rank, refine, tau_max

__all__ = ["METHODS", "Interrupted", "Ranking", "methods", "rank", "refine", "tau_max"]
