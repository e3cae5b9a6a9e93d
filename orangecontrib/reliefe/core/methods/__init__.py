"""Methods that rank features, one noun per file, and the registry of them."""

from .filters import FILTERS
from .learned import LEARNED
from .pct import PCT
from .registry import register
from .relief_family import RECIPES, RELIEFSEQ, RESIDUALRELIEF
from .reliefe import ReliefE
from .reweighting import REWEIGHTING
from .sslrelief import SSLRelief
from .wrappers import WRAPPERS

register(ReliefE(), *RECIPES, RESIDUALRELIEF, RELIEFSEQ, *REWEIGHTING, SSLRelief(), PCT(), *LEARNED, *FILTERS)
register(*WRAPPERS)
