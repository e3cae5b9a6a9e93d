"""Colours as people see them who lack one kind of cones, and how far two colours are apart.

Matrices: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes: A physiologically-based model for simulation of color
vision deficiency, IEEE Transactions on Visualization and Computer Graphics 15(6), 2009, 1283-1291, severity 1.
They act on linear values.  Differences are CIE76: distances in CIELAB, white point D65 (IEC 61966-2-1 for sRGB).
"""

import numpy as np

PROTAN = [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]
DEUTAN = [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]
TRITAN = [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]
VISION = {"normal": np.eye(3), "protan": np.array(PROTAN), "deutan": np.array(DEUTAN), "tritan": np.array(TRITAN)}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def linear(rgb):
    """(..., 3) values of sRGB from 0 to 1."""
    rgb = np.asarray(rgb, float)
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def gamma(values):
    """The inverse of `linear`."""
    return np.where(values <= 0.0031308, 12.92 * values, 1.055 * np.maximum(values, 0) ** (1 / 2.4) - 0.055)


def seen(rgb, vision):
    """(..., 3) values of sRGB as they are seen."""
    return gamma(np.clip(linear(rgb) @ VISION[vision].T, 0, 1))


def lab(rgb):
    """CIELAB of values of sRGB."""
    ratio = linear(rgb) @ TO_XYZ.T / TO_XYZ.sum(axis=1)
    f = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], axis=-1)


def difference(a, b, vision="normal"):
    """CIE76 of two QColors."""
    x, y = (lab(seen(np.array(color.getRgbF()[:3]), vision)) for color in (a, b))
    return float(np.linalg.norm(x - y))
