"""Presets: methods of the literature that a recipe is with some of its parameters.

`relief_family.py` lists them; users choose one by the parameter ``preset`` of a recipe.
"""

from typing import NamedTuple


class Preset(NamedTuple):
    """Another method of the literature, which a recipe is with some of its parameters."""

    name: str  # of the other method
    values: tuple[tuple[str, object], ...]  # names of the parameters that it sets, and their values

    @property
    def meaning(self) -> str:
        """Its parameters for people, for example "Relief-E: scheme = E"."""
        return f"{self.name}: {', '.join(f'{name} = {value}' for name, value in self.values)}"


def preset(name: str, **values: object) -> Preset:
    """Return a preset with a name that sets these parameters."""
    return Preset(name, tuple(values.items()))
