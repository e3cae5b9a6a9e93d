"""Filters in the order of menus; `core.methods` registers them."""

from typing import Any

from .agnos import Agnos
from .base import Method
from .cox_score import CoxScore
from .graph_filters import LaplacianScore, Mcfs, Ndfs, SemiSupervisedLaplacian, Spec
from .greedy_information import Jmi, Mrmr
from .mutual_information import MutualInformation
from .random_forest import RandomForest

FILTERS: tuple[Method[Any], ...] = (
    LaplacianScore(),
    Spec(),
    Mcfs(),
    Ndfs(),
    Agnos(),
    SemiSupervisedLaplacian(),
    MutualInformation(),
    Mrmr(),
    Jmi(),
    RandomForest(),
    CoxScore(),
)
