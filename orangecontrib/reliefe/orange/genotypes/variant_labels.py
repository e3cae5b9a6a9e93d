"""Labels that tell variants of the same name apart, as workflows store them."""

import numpy as np

from ...genetics.genotypes import Variants

SEPARATOR = "|"  # between name, chromosome and position in a label


def label_of(variants: Variants, variant: int) -> str:
    """Name, chromosome and position of a variant; names alone may be those of many."""
    fields = variants.name, variants.chromosome, variants.position
    return SEPARATOR.join(str(field[variant]) for field in fields)


def find(variants: Variants, label: str) -> int | None:
    """Index of the variant with this label; None if there is none."""
    name = label.rsplit(SEPARATOR, 2)[0]
    namesakes = np.flatnonzero(variants.name == name).tolist()
    return next((variant for variant in namesakes if label_of(variants, variant) == label), None)
