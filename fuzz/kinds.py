"""The kinds of cases: how they are made, and what one of them may cost."""

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

import numpy as np

Case = dict[str, object]  # plain values only, so that it can be kept as JSON
Action = Callable[[], Mapping[str, float] | None]


@dataclass(frozen=True)
class Kind:
    """A generator of cases, in the module of its name.

    The module has ``make(rng) -> Case`` and ``prepare(case) -> Action``; the action raises `Refused`, `Wrong`, or what
    the product raises.  seconds: CPU time of a case, compilation not counted.  megabytes: growth of the memory, unless
    the case has a number of its own under this name.
    share: of the time of a run.  compiles: whether kernels may have to be compiled.
    """

    name: str
    seconds: float
    megabytes: float
    share: float
    compiles: bool = True

    def make(self, seed: int, number: int) -> Case:
        """The case with this number: the same for the same seed."""
        rng = np.random.default_rng([seed, number, zlib.crc32(self.name.encode())])
        return import_module(f".{self.name}", __package__).make(rng)

    def prepare(self, case: Case) -> Action:
        """Everything up to the call of the product."""
        return import_module(f".{self.name}", __package__).prepare(case)


KINDS = {
    kind.name: kind
    for kind in (
        Kind("files", seconds=5, megabytes=1000, share=3, compiles=False),
        Kind("cells", seconds=8, megabytes=900, share=3),
        Kind("commands", seconds=10, megabytes=1000, share=1),
        Kind("genotypes", seconds=10, megabytes=1000, share=2),
        Kind("tables", seconds=10, megabytes=1000, share=2),
        Kind("names", seconds=5, megabytes=500, share=1),
        Kind("arrays", seconds=10, megabytes=500, share=3),
        Kind("indices", seconds=10, megabytes=500, share=1),
        Kind("differential", seconds=20, megabytes=500, share=3),
        Kind("formats", seconds=20, megabytes=500, share=3),
        Kind("settings", seconds=60, megabytes=1000, share=2),
        Kind("stops", seconds=60, megabytes=2000, share=2),
        Kind("kernels", seconds=60, megabytes=2000, share=1),
        Kind("dialects", seconds=5, megabytes=500, share=2),
        Kind("people", seconds=5, megabytes=500, share=0.5),
        Kind("statuses", seconds=5, megabytes=500, share=0.5),
        Kind("joins", seconds=5, megabytes=500, share=0.5, compiles=False),
        Kind("titles", seconds=5, megabytes=500, share=0.5, compiles=False),
        Kind("persons", seconds=5, megabytes=500, share=0.5),
        Kind("targets", seconds=10, megabytes=500, share=0.5),
        Kind("cluster", seconds=60, megabytes=2000, share=0.5),
    )
}
