"""Data of a ranking, which `rank` keeps for `Ranking.explain` and `Ranking.report` if X is a data frame."""

from typing import Any

from .targets.named_target import NamedTarget, take_target


class RankedData:
    """Data of a ranking, by which its features are explained and reported later; copies by pickle leave them out.

    Attributes
    ----------
    X : data frame or genotypes
        Features as the caller gave them, as they are at the time of the explanation.
    y : object
        Its target, as the caller gave it.
    options : dict
        Further arguments of `rank`: covariates, groups, names ...
    """

    def __init__(self, X: object, y: object, options: dict[str, Any]):
        self.X = X
        self.y = y
        self.options = {name: value for name, value in options.items() if value is not None}

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return type(None), ()

    @property
    def features_and_target(self) -> NamedTarget:
        """Features without the columns of a target that the caller named, and the target."""
        columns = self.options.get("target")
        if columns is None:
            return NamedTarget(self.X, self.y, None)
        return take_target(self.X, self.y, columns, self.options.get("names"))

    @property
    def options_beside_target(self) -> dict[str, Any]:
        """Further arguments of `rank` for the features without the columns of the target, and the target."""
        names = self.features_and_target.names
        of_features = {} if names is None else {"names": names}
        return {name: value for name, value in self.options.items() if name != "target"} | of_features
