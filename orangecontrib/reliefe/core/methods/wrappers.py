"""Wrappers in the order of menus; `core.methods` registers them."""

from .random_subsets import IVLSRelief, VLSRelief
from .turf import EvaporativeCooling, TuRF

WRAPPERS = (TuRF(), VLSRelief(), IVLSRelief(), EvaporativeCooling())
