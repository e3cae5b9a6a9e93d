"""Main effects: what each feature tells of the target by itself, for a wrapper that adds them to another score."""

from typing import Any

import numpy as np

from .base import MethodInput
from .nested import result
from .registry import METHODS

MUTUAL, FOREST = CHOICES = ("mutualinfo", "randomforest")
ALONE = (MUTUAL,)  # where other features do not matter: computed once


def tasks_of(name: str) -> tuple[str, ...]:
    """Kinds of target for which there are main effects of that name."""
    return METHODS[name].tasks


def title_of(name: str) -> str:
    """Title for messages."""
    return METHODS[name].title


def main_effects(name: str, data: MethodInput[Any]) -> np.ndarray:
    """Main effects (p,) by one of `CHOICES`."""
    return result((name, ()), data).scores
