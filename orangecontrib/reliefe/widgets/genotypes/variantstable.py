"""Table of the best variants."""

from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QHeaderView

from ...orange.genotypes.result import VariantResult
from ..table.model import Column, TableModel
from ..table.view import PAD, ItemsView

# Keys of columns.
RANK, VARIANT, CHROMOSOME, POSITION, SHARE, SCORE = ("rank", "variant", "chromosome", "position", "frequency",
                                                         "score")  # fmt: skip
UNADJUSTED = "unadjusted rank"  # key and title
TESTS = {  # keys and titles of their columns
    "p": "Probability of this z or more if the phenotype does not depend on the genotypes",
    "q": "False discovery rate if all variants down to this one are selected",
    "z": "Score minus its mean for shuffled phenotypes, in standard deviations",
}
SCORE_TIP = "The higher, the more informative the variant is about the phenotype, alone or with other variants"
IMPORTANT = RANK, SCORE, "p", "q", UNADJUSTED, CHROMOSOME, POSITION, "z", SHARE
MIN_NAME_WIDTH = 130  # pixels of the column of names, where there is room
NEVER_HIDDEN = 3  # of the important columns: rank, score and p
WHOLE = RANK, UNADJUSTED, VARIANT, CHROMOSOME, POSITION  # columns whose texts are the values in full
ABOUT_TABLE = "The best variants, the best first; choose one to see its genotypes by class"


class BestVariants(NamedTuple):
    """Columns (n,) of the n best variants, the best first."""

    index: np.ndarray  # of the variants
    rank: np.ndarray  # from 1
    name: np.ndarray
    chromosome: np.ndarray  # texts
    number: np.ndarray  # of the chromosome, in the order of the plot
    position: np.ndarray  # base pairs, 0 where unknown
    frequency: np.ndarray  # of the rarer allele
    score: np.ndarray
    tests: dict[str, np.ndarray]  # z, p and q, if the scores are tested
    unadjusted: np.ndarray | None = None  # ranks without adjustment, if the scores are adjusted

    @classmethod
    def of(cls, result: VariantResult, n: int) -> "BestVariants":
        """The n best variants of a result with scores."""
        genotypes, scored = result.kept, result.scored
        best = scored.order[:n]
        variants, test = genotypes.data.variants, scored.ranking.significance
        return cls(
            best, scored.rank[best], variants.name[best], variants.chromosome[best], genotypes.places.number[best],
            variants.position[best], genotypes.frequency[best], scored.ranking.scores[best],
            {} if test is None else {name: values[best] for name, values in test.columns.items()},
            None if result.unadjusted is None else result.unadjusted[best],
        )  # fmt: skip


NONE = BestVariants(*[np.zeros(0, int)] * 8, {})


class VariantsModel(TableModel):
    """Items are the best variants, the best first: indices `best` (n,)."""

    def __init__(self, parent=None):
        super().__init__(parent, RANK)
        self.show_best(None, 0)

    def show_best(self, result: VariantResult | None, n: int) -> None:
        """List the n best variants of a result; None, or one without scores: nothing."""
        self.beginResetModel()
        listed = NONE if result is None or result.scored is None else BestVariants.of(result, n)
        self.best = listed.index
        self.fields = (*self._names(listed), *self._scores(listed), *self._facts(listed))
        self.arrange()
        self.endResetModel()

    @staticmethod
    def _names(listed: BestVariants) -> list[Column]:
        """Columns of rank and name."""
        rank = listed.rank
        return [
            Column(
                RANK, "#", rank, lambda i: f"{rank[i]:,}", "Rank, 1 is the best", Qt.AlignRight, widest="1,000,000"
            ),
            Column(VARIANT, "Variant", listed.name, tip="Name of the variant", widest="rs123456789"),
        ]  # fmt: skip

    @staticmethod
    def _scores(listed: BestVariants) -> list[Column]:
        """Columns of score and tests."""
        score, right = listed.score, Qt.AlignRight
        columns = [
            Column(SCORE, "Score", score, lambda i: _text(round(score[i], 4) + 0.0, ".4f"), SCORE_TIP, right, True,
                   "-10.1234"),
        ]  # fmt: skip
        for key, tip in TESTS.items():
            values = listed.tests.get(key)
            if values is None:
                continue

            def text(item, values=values):
                return _text(values[item], ".3g")

            columns.append(Column(key, key, values, text, tip, right, key == "z", SHARE))
        unadjusted = listed.unadjusted
        if unadjusted is not None:
            tip = "Rank without adjustment for covariates and components"
            columns.append(Column(UNADJUSTED, UNADJUSTED, unadjusted, lambda i: f"{unadjusted[i]:,}", tip, right))
        return columns

    @staticmethod
    def _facts(listed: BestVariants) -> list[Column]:
        """Columns of the place and the frequency."""
        position = listed.position
        frequency = listed.frequency
        right = Qt.AlignRight

        def position_text(item):
            return f"{int(position[item]):,}" if position[item] else ""

        return [
            Column(
                CHROMOSOME, "Chr.", listed.chromosome, tip="Chromosome", align=right, widest="Chr. 22",
                order=listed.number,
            ),
            Column(
                POSITION, "Position", position, position_text, "Base pairs along the chromosome", right,
                widest="249,250,621",
            ),
            Column(
                SHARE, "Frequency", frequency, lambda i: _text(frequency[i], ".3f"),
                "Frequency of the rarer allele, 0 to 0.5", right,
            ),
        ]  # fmt: skip

    def variant(self, row: int) -> int:
        """Index of the variant in a row."""
        return int(self.best[self.rows[row]])

    def item(self, variant: int | None) -> int | None:
        """Place of a variant among the best, or None if it is not listed."""
        rows = np.flatnonzero(self.best == variant) if variant is not None else ()
        return int(rows[0]) if len(rows) else None

    def tip(self, item, column):
        if column.key in WHOLE:
            return column.text_of(item)
        return f"{column.title}: {float(column.values[item])!r}"


def _text(value: float, form: str) -> str:
    """A number in a format; a dash where it is not known."""
    return "\u2013" if np.isnan(value) else format(value, form)


class VariantsTable(ItemsView):
    """`variant_chosen`: the user went to the row of a variant."""

    variant_chosen = Signal(int)

    def __init__(self, parent=None):
        super().__init__(VariantsModel(), IMPORTANT, NEVER_HIDDEN, parent, accessibleName="Best variants")
        self.model().setParent(self)
        self.setAccessibleDescription(ABOUT_TABLE)
        self.setToolTip(ABOUT_TABLE)
        self.item_chosen.connect(self._item_chosen)

    def fit_columns(self) -> None:
        """Hide columns that have no room. Names take no more than they need, so that scores are near them."""
        super().fit_columns()
        name_column = self.model().place(VARIANT)
        other_widths = sum(self.columnWidth(k) for k in range(self.model().columnCount()) if k != name_column)
        longest = max(map(str, self.model().fields[name_column].values), key=len, default="")
        needed = max(self.fontMetrics().horizontalAdvance(longest) + PAD, MIN_NAME_WIDTH)
        if other_widths + needed < self.viewport().width():
            self.horizontalHeader().setSectionResizeMode(name_column, QHeaderView.Fixed)
            self.setColumnWidth(name_column, needed)

    def choose_variant(self, variant: int | None) -> None:
        """Mark the row of a variant; none if it is not listed.  Emits nothing."""
        self.choose(self.model().item(variant))

    def _item_chosen(self, item):
        self.variant_chosen.emit(int(self.model().best[item]))
