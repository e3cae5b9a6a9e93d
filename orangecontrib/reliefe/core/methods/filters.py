"""The list of filters."""

from typing import Any

from .agnos import Agnos
from .base import Method
from .cox_score import CoxScore
from .graph_filters import LaplacianScore, Mcfs, Ndfs, SemiSupervisedLaplacian, Spec
from .supervised_filters import SUPERVISED_FILTERS

FILTERS: tuple[Method[Any], ...] = (
    LaplacianScore(),
    Spec(),
    Mcfs(),
    Ndfs(),
    Agnos(),
    SemiSupervisedLaplacian(),
    *SUPERVISED_FILTERS,
    CoxScore(),
)
