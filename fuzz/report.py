"""Counts of a run, and the table that is printed at its end."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

import numpy as np

from .kinds import KINDS
from .outcome import REFUSED, VOID, Outcome

QUANTILES = (0.5, 0.95, 1.0)
TITLES = ("kind", "cases", "refused", "not made", "findings", "faults", "slowest", "most memory", "resident")
RESIDENT = "resident"


@dataclass
class Report:
    """Outcomes by kind, and the first case of every fault: what has the same kind, status and place is one fault."""

    outcomes: dict[str, list[Outcome]] = field(default_factory=lambda: defaultdict(list))
    first: dict[tuple[str, str, str], tuple[str, Outcome]] = field(default_factory=dict)
    counts: Counter = field(default_factory=Counter)

    def add(self, kind: str, name: str, outcome: Outcome) -> bool:
        """Count an outcome; returns True where it is the first of a fault.  name: how to repeat it."""
        self.outcomes[kind].append(outcome)
        if not outcome.is_finding:
            return False
        key = kind, outcome.status, outcome.where
        self.counts[key] += 1
        return self.first.setdefault(key, (name, outcome))[0] is name

    @property
    def findings(self) -> int:
        """Number of cases that failed."""
        return sum(self.counts.values())

    def text(self) -> str:
        """The table, what was measured, and a line for every fault."""
        rows = [TITLES, *(self._row(kind) for kind in KINDS if self.outcomes[kind])]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
        lines += [line for kind in KINDS for line in self._measured(kind)]
        for (kind, status, where), (name, outcome) in self.first.items():
            count = self.counts[kind, status, where]
            lines.append(f"{count} x {kind}, {status} {where}: {outcome.text.partition(chr(10))[0][:160]}")
            lines.append(f"    {name}")
        return "\n".join(lines)

    def _row(self, kind: str) -> tuple[str, ...]:
        outcomes = self.outcomes[kind]
        found = [outcome for outcome in outcomes if outcome.is_finding]
        resident = [outcome.measured[RESIDENT] for outcome in outcomes if RESIDENT in outcome.measured]
        return (
            kind,
            f"{len(outcomes):,}",
            f"{sum(outcome.status == REFUSED for outcome in outcomes):,}",
            f"{sum(outcome.status == VOID for outcome in outcomes):,}",
            f"{len(found):,}",
            str(len([key for key in self.first if key[0] == kind])),
            f"{max(outcome.seconds for outcome in outcomes):.2f} s",
            f"{max(outcome.megabytes for outcome in outcomes):,.0f} MB",
            f"{resident[0]:,.0f} to {resident[-1]:,.0f} MB" if resident else "",
        )

    def _measured(self, kind: str) -> list[str]:
        """Quantiles of what the cases measured beside time and memory."""
        values = defaultdict(list)
        for outcome in self.outcomes[kind]:
            for name, value in outcome.measured.items():
                values[name].append(value)
        out = []
        for name in sorted(values.keys() - {RESIDENT}):
            shown = ", ".join(f"{q:.0%} {np.quantile(values[name], q):.3f}" for q in QUANTILES)
            out.append(f"{kind}, {name} of {len(values[name])} cases: {shown}")
        return out
