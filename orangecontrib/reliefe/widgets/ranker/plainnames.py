"""Methods of this project under the short names that they have beside their relatives."""

from dataclasses import dataclass

NAMES = {
    "boostedrelief": ("Boosted", "few, not redundant"),
    "learnedrelief": ("Learned space", "interactions in noise"),
    "boostedlearnedrelief": ("Learned + boosted", "few that interact"),
    "evaporativecooling": ("Evaporation", "with main effects"),
}
SHORT = {  # titles where columns are narrow: what tells methods apart must not be cut off
    "multisurf": "MSURF",
    "multisurfstar": "MSURF*",
    "learnedrelief": "Learn",
    "boostedlearnedrelief": "L+B",
    "sslrelief": "SSL",
    "vlsrelief": "VLS",
    "ivlsrelief": "iVLS",
    "evaporativecooling": "Evap",
    "labelled": "Only",
    "rforest": "Forest",
    "laplacian": "Laplace",
    "ssllaplacian": "SSL-L",
    "mutualinfo": "MI",
    "randomforest": "Forest",
}


@dataclass(frozen=True)
class Renamed:
    """A method with another title and other few words about it."""

    method: object
    title: str
    about: str

    def __getattr__(self, name):
        return getattr(self.method, name)


@dataclass(frozen=True)
class Narrowed:
    """A method that is offered for some of its tasks only."""

    method: object
    tasks: tuple[str, ...]

    def __getattr__(self, name):
        return getattr(self.method, name)


def plain(method: object) -> object:
    """A method as it is listed."""
    return Renamed(method, *NAMES[method.name]) if method.name in NAMES else method
