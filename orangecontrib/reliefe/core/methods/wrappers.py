"""The list of wrappers."""

from .elimination import EvaporativeCooling, TuRF
from .random_subsets import IVLSRelief, VLSRelief

WRAPPERS = TuRF(), VLSRelief(), IVLSRelief(), EvaporativeCooling()
