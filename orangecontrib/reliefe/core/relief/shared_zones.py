"""Pairs of rows within thresholds (SURF, MultiSURF) that many targets share, and scores for all of these targets."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from ..kernels.jit import kernel
from ..targets.targets import MissRule
from ..work.threads import PARTS, SERIAL_ALGEBRA
from .formats.pair_sums import add_pair_sums, sums_many_targets
from .neighbourhoods.radius import Radius
from .neighbourhoods.relations import ClassGroups, HitsAndMisses, Relation
from .neighbourhoods.zone_pairs import TargetWeights, WeighedZones, group_weights
from .neighbourhoods.zones import Zones
from .outputs import Scores, States, add_up
from .run import Run
from .scoring import ScoredTarget
from .weight_sums import PairQuantity, PairWeights, add_weight_sums, from_row_sums

ROWS_COUNTED = 256  # whose bits are unpacked together


@dataclass(frozen=True, eq=False)
class SharedZones:
    """Rows in the zones of each row, which do not depend on the target.

    Attributes
    ----------
    radius : Radius
        Neighbourhood that the zones belong to.
    zones : Zones
        Zones with bits that are remembered.
    """

    radius: Radius
    zones: Zones

    @classmethod
    def of(cls, radius: Radius, zones: Zones, run: Run) -> "SharedZones | None":
        """Take the zones of a run, whose bits are remembered or made now, without the tiles that they were made from.

        None where there are too many pairs.
        """
        if zones.bits is None:
            zones = Zones.of(zones.pairs, zones.near_and_far, in_one_process=True)
            if zones.bits is None:
                return None
            nothing = np.zeros(zones.pairs.n)
            zones.pairs.work.here.map(lambda part: deque(zones.compute_bits(part, nothing), maxlen=0), range(PARTS))
        return cls(radius, replace(zones, pairs=run))

    def scores(self, runs: Sequence[Run]) -> Iterator[ScoredTarget]:
        """Yield the scores for the targets of runs of the same rows."""
        first = runs[0]
        n_targets = len(runs)
        if not sums_many_targets(first.features):
            for run in runs:
                with SERIAL_ALGEBRA:
                    (relation,), (tables,) = self._tables([run])
                weigh = WeighedZones(self.zones, group_weights(relation, tables)).visitor
                scores, weights_of_pairs = add_up(run, weigh, [Scores(run.sums), PairWeights()])
                yield ScoredTarget(run.unsort(scores), weights_of_pairs)
            return
        with SERIAL_ALGEBRA:
            weights = TargetWeights.of(*self._tables(runs))
        first.work.plan(first.n_pairs)

        def part(number: int) -> States:
            out = np.zeros((n_targets, first.features.n_padded_columns))
            squares = np.zeros(n_targets)
            of_rows = np.zeros((first.n, n_targets))
            for pairs in weights.lists(self.zones, number):
                first.work.tick()
                add_pair_sums(first.features, pairs, out)
                add_weight_sums(*pairs, (0, 0), squares, of_rows, of_rows)
            return States([out, squares, of_rows])

        scores, squares, of_rows = first.work.here.total(part).of_outputs
        for scores_of_target, sums in zip(scores[:, : first.p], from_row_sums(squares, of_rows), strict=True):
            yield ScoredTarget(first.unsort(scores_of_target), PairQuantity(first.features, first.ids, sums))

    def _tables(self, runs: Sequence[Run]) -> tuple[list[Relation], list[list[np.ndarray]]]:
        """Relations of rows by the targets of runs, and for each of them the weights (G, n) of each zone.

        They are the weights of a pair of a row and one of its neighbours of a group.
        """
        first = runs[0]
        relations = [run.update.relation(run.target) for run in runs]
        if isinstance(relations[0], ClassGroups):
            counts = self._count_classes(first, np.stack([run.target.classes for run in runs], axis=1))
        else:
            rules = [cast("HitsAndMisses", relation).rule for relation in relations]
            counts = self._count_hits_of_targets(first, rules)
        sides = [zone.sign for zone in self.zones.near_and_far]
        tables = [
            self.radius.tables(run, relation, sides, counts_of_target)
            for run, relation, counts_of_target in zip(runs, relations, counts.transpose(3, 0, 1, 2), strict=True)
        ]
        return relations, tables

    def _count_hits_of_targets(self, run: Run, rules: Sequence[MissRule]) -> np.ndarray:
        """Numbers (zones, 2, n, T) of the hits and misses in the zones of each row."""
        values = np.stack([rule.values for rule in rules], axis=1) * 1.0
        widths = np.array([rule.width for rule in rules], float)
        counts = np.zeros((len(self.bits), 2, *values.shape))
        for bits, (hits, misses) in zip(self.bits, counts, strict=True):
            total = np.zeros(run.n)
            _count_misses(bits, run.m, values, widths, total, misses)
            hits[:] = total[:, None] - misses
        return counts

    @property
    def bits(self) -> np.ndarray:
        """Bits of all pairs, as `Zones.bits`."""
        return cast("np.ndarray", self.zones.bits)

    def _count_classes(self, run: Run, classes: np.ndarray) -> np.ndarray:
        """Numbers (zones, G, n, T) of the rows of each class in the zones of each row, classes (n, T)."""
        n = len(classes)
        G = int(classes.max()) + 1
        members = (classes[:, None] == np.arange(G)[:, None]).reshape(n, -1).astype(np.float32)
        counts = np.zeros((len(self.bits), n, members.shape[1]), np.float32)
        for start in range(0, run.m, ROWS_COUNTED):
            run.work.tick()
            block = slice(start, min(start + ROWS_COUNTED, run.m))
            for bits, count in zip(self.bits, counts, strict=True):
                mine, theirs = np.unpackbits(bits[:, block].view(np.uint8), axis=2, count=n, bitorder="little")
                count[block] += mine.astype(np.float32) @ members
                count += theirs.astype(np.float32).T @ members[block]
        return np.asarray(counts.reshape(len(counts), n, G, -1).transpose(0, 2, 1, 3))


@kernel
def _count_misses(bits, m, values, widths, total, misses):
    """Add the rows in the zone of each row to total (n,), and those of them that are misses to misses (n, T).

    A pair is a miss for target t if |values[i, t] - values[j, t]| >= widths[t].

    bits : (2, m, words) uint64; bit j of word [0, i] is set if row j is in the zone of row i, of [1, i] if the reverse
    values : (n, T)
    widths : (T,)
    """
    one = np.uint64(1)
    for i in range(m):
        for word in range(bits.shape[2]):
            zone_of_i = bits[0, i, word]
            zones_with_i = bits[1, i, word]
            if zone_of_i | zones_with_i:
                for b in range(64):
                    j_in_zone = (zone_of_i >> np.uint64(b)) & one
                    i_in_zone = (zones_with_i >> np.uint64(b)) & one
                    if j_in_zone | i_in_zone:
                        j = word * 64 + b
                        x = np.float64(j_in_zone)
                        y = np.float64(i_in_zone)
                        values_i = values[i]
                        values_j = values[j]
                        total[i] += x
                        total[j] += y
                        misses_i = misses[i]
                        misses_j = misses[j]
                        for t in range(len(widths)):
                            miss = 1.0 if abs(values_i[t] - values_j[t]) >= widths[t] else 0.0
                            misses_i[t] += x * miss
                            misses_j[t] += y * miss
