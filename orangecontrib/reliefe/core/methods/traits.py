"""Traits of a method: what it finds, which data it takes, and how its time grows.

Each `Method` states its own record beside its name. Tables for people read it (`capabilities`), and so do `rank` and
its relatives where they treat methods differently.
"""

from dataclasses import dataclass

EQUAL_OR_NOT = "equal or not"  # nominal features: two values differ by 0 or 1
INDICATORS = "indicators"  # nominal features: a column of 0 and 1 for each value
FILLED = "filled"  # missing values: the mean of a number, the most frequent value of a nominal feature
AS_CORE = "as core"  # of wrappers: whatever holds for the method that they rank by


@dataclass(frozen=True, kw_only=True)
class Traits:
    """Traits of one method.

    What tables print has no default: a method that leaves it out cannot be made. The other fields are abilities. By
    default a method has none of them, and is treated as one that works in the plainest way.

    Parameters
    ----------
    interactions : bool or None
        Whether features that are informative of the target only together score high. None: as the core of a wrapper.
    redundancy : bool or None
        Whether a feature scores less if other features contain the same information. None: as the core of a wrapper.
    sparse : bool or None
        Whether sparse features stay sparse. None: as the core of a wrapper.
    nominal : str
        Use of nominal features, for example `EQUAL_OR_NOT`.
    missing : str
        Use of missing values, for example `FILLED`. A parameter ``missing``, if there is one, is printed instead.
    complexity : str
        Growth of the time: n rows, p features, k neighbours, C classes.
    packed : bool
        Whether packed genotypes stay packed. Otherwise they are unpacked before.
    narrow : bool
        Whether large tables of whole numbers and single precision are read without a copy.
    refines : str or None
        Unit in which a partial ranking grows, such as `ROWS` of `base.py`. None: there is only the final ranking.
    shares_pairs : bool
        Whether several targets share one search for pairs of rows, see `Method.for_targets`.
    stays_local : str
        Reason why all work stays in one process although there is a cluster. Empty: it is sent to the cluster.
    adjustment : str
        How scores are adjusted for covariates. Empty: only p-values are.
    separates_groups : bool
        Whether rows of one group are no neighbours of each other.
    times_as_residuals : bool
        Whether times are ranked for by their martingale residuals, also without covariates.
    takes_kept_first : bool
        Whether features that are always selected come first, and change the scores of the others.
    """

    interactions: bool | None
    redundancy: bool | None
    sparse: bool | None
    nominal: str
    missing: str
    complexity: str
    packed: bool = False
    narrow: bool = False
    refines: str | None = None
    shares_pairs: bool = False
    stays_local: str = ""
    adjustment: str = ""
    separates_groups: bool = False
    times_as_residuals: bool = False
    takes_kept_first: bool = False

    @property
    def adjusts(self) -> bool:
        """True if scores are adjusted for covariates."""
        return bool(self.adjustment)
