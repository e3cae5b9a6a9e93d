"""Arguments of a call of `rank`, as the caller gave them, apart from threads and progress."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from ..data.weights import OfferedWeights


@dataclass(frozen=True, kw_only=True, eq=False)
class Arguments:
    """Arguments of `rank`, which explains those that are not listed here.

    Parameters
    ----------
    sample_weight : array-like or OfferedWeights
        Weights of rows. Offered ones may be left aside.
    parts : str or None
        Parts of pairs that count for a target of numbers, of `PARTS_OF_PAIRS`. None: by the features.
    linear_covariates : bool or sequence of str
        Which covariates of numbers have a linear effect.
    unadjusted : bool
        Whether scores may leave covariates aside, as where p-values take them into account.
    needed_by : str
        What, beside p-values and studies, needs the method "auto" to rank features that repeat others as high as
        these, in the plural.
    parameters : dict
        Parameters of the method.
    """

    X: object
    y: object
    method: str
    nominal: object = None
    task: str | None = None
    hierarchy: object = None
    random_state: int = 0
    covariates: object = None
    groups: object = None
    feature_groups: object = None
    sample_weight: object = None
    keep: object = None
    names: Sequence[str] | None = None
    parts: str | None = None
    linear_covariates: object = False
    unadjusted: bool = False
    needed_by: str = ""
    parameters: dict[str, Any]

    @classmethod
    def of(cls, X: object, y: object, method: str, given: Mapping[str, Any]) -> "Arguments":
        """Arguments among those given by keyword; all others are parameters of the method."""
        names = {field.name for field in fields(cls)} - {"parameters"}
        arguments = {name: value for name, value in given.items() if name in names}
        parameters = {name: value for name, value in given.items() if name not in names}
        return cls(X=X, y=y, method=method, **arguments, parameters=parameters)

    @property
    def offers_weights(self) -> bool:
        """True if a method that takes no weights of rows may leave them aside."""
        return isinstance(self.sample_weight, OfferedWeights)
