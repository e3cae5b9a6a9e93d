"""Methods that rank features, one noun per file, and the registry of them."""

from .learned import LEARNED
from .pct import PCT
from .registry import register
from .relief_family import RECIPES
from .reliefe import ReliefE
from .sslrelief import SSLRelief

register(ReliefE(), *RECIPES, SSLRelief(), PCT(), *LEARNED)
