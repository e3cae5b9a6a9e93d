"""Results of one case, and the exceptions by which a case ends."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

DONE, REFUSED, VOID = "done", "refused", "not made"  # everything else is a finding
ERROR, WRONG, SLOW, MEMORY, HANG, CRASH = "error", "wrong", "slow", "memory", "hang", "crash"


class Refused(Exception):
    """The product refused the input in an allowed way."""


class Wrong(Exception):
    """The product did what it must not do.

    where: place or property that tells one fault from another.
    """

    def __init__(self, text: str, where: str = "") -> None:
        super().__init__(text)
        self.where = where


class Late(Wrong):
    """Answer that was promised to be soon and took longer."""


@dataclass(frozen=True)
class Outcome:
    """End of one case.

    status: one of the constants of this module.  where: place of the fault; cases with the same status and place count
    as one fault.  seconds, megabytes: CPU time without compilation, and largest growth of the resident memory.
    measured: further numbers of the case, by name.
    """

    status: str
    where: str = ""
    text: str = ""
    seconds: float = 0.0
    megabytes: float = 0.0
    measured: dict[str, float] = field(default_factory=dict)

    @property
    def is_finding(self) -> bool:
        """True for everything that must not happen."""
        return self.status not in (DONE, REFUSED, VOID)

    def to_json(self) -> dict[str, object]:
        """The fields as plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, fields: Mapping[str, object]) -> "Outcome":
        """The inverse of `to_json`."""
        return cls(**fields)
