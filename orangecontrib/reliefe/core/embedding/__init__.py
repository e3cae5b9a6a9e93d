"""Preparation of rows that ReliefE compares: a sample, made sparse, its dimension, and the embedding."""

from ..points.encoding import matrix
from .coordinates import Embedding, embed
from .density_curve import DensityCurve, density_curve
from .dimension import Dimension, intrinsic_dimension
from .representatives import representatives
from .sparsify import Sparsified, density, sparsify, spectral_error

__all__ = [
    "DensityCurve",
    "Dimension",
    "Embedding",
    "Sparsified",
    "density",
    "density_curve",
    "embed",
    "intrinsic_dimension",
    "matrix",
    "representatives",
    "sparsify",
    "spectral_error",
]
