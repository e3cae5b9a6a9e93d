"""Feature ranking on arrays: knows neither Orange nor Qt.

Functions raise ValueError or TypeError for bad input, before any work, and `Interrupted` where `progress` does.
"""

from .api import null_level, rank, refine, significance
from .chance import NullLevel, Significance, tau_max
from .data.feature_groups import groups_by_prefix
from .data.packed import Packed
from .data.scratch import scratch_files
from .description import Description, Finding, describe
from .figures import save_figure
from .given_others import ConditionalSignificance
from .growing.ensemble import Ensemble, grow
from .growing.neighbour_curves import NeighbourCurves, neighbour_curves
from .growing.resuming import rank_resumably
from .inference.best_method import BestOfMethods, best_of_methods
from .inference.conditional import conditional_significance
from .inference.correlated_features import alike_features
from .inference.explanation import explain
from .inference.partners import Partners, partners
from .inference.power import Power, power
from .inference.replication import Replication, replicate
from .inference.significance import SignificanceTest
from .methods.filter import DegenerateGraph
from .methods.registry import METHODS, find_method, methods, tasks_with
from .reasons import Explanation
from .report.comparison import write_comparison
from .report.page import write_report
from .result import HigherWork, Ranking
from .studies.components import components
from .studies.genomic_inflation import genomic_inflation
from .targets.tasks import TASKS
from .targets.times import Survival
from .work.threads import Interrupted

# Methods of `Ranking` call these, which import `Ranking`.
HigherWork.explain = explain
HigherWork.write_report = write_report

__all__ = [
    "METHODS",
    "TASKS",
    "BestOfMethods",
    "ConditionalSignificance",
    "DegenerateGraph",
    "Description",
    "Ensemble",
    "Explanation",
    "Finding",
    "Interrupted",
    "NeighbourCurves",
    "NullLevel",
    "Packed",
    "Partners",
    "Power",
    "Ranking",
    "Replication",
    "Significance",
    "SignificanceTest",
    "Survival",
    "alike_features",
    "best_of_methods",
    "components",
    "conditional_significance",
    "describe",
    "explain",
    "find_method",
    "genomic_inflation",
    "groups_by_prefix",
    "grow",
    "methods",
    "neighbour_curves",
    "null_level",
    "partners",
    "power",
    "rank",
    "rank_resumably",
    "refine",
    "replicate",
    "save_figure",
    "scratch_files",
    "significance",
    "tasks_with",
    "tau_max",
    "write_comparison",
    "write_report",
]
