"""The best variants as a table."""

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal

from ..table.model import Column, TableModel
from ..table.view import ItemsView

RANK, VARIANT, CHROMOSOME, POSITION, FREQUENCY, SCORE = ("rank", "variant", "chromosome", "position", "frequency",
                                                         "score")  # fmt: skip
TESTS = {  # keys and titles of their columns
    "z": "How many standard deviations the score lies above that for shuffled phenotypes",
    "p": "Probability to reach this z if the phenotype has nothing to do with the genotypes",
    "q": "False discovery rate of taking all variants down to this one",
}
IMPORTANT = RANK, SCORE, CHROMOSOME, "q", "p", "z", POSITION, FREQUENCY
WHOLE = RANK, POSITION  # numbers that are texts in full
ABOUT = "The best variants, the best first; choose one to see its genotypes by class"


class VariantsModel(TableModel):
    """Items are the best variants, the best first: indices `best` (n,)."""

    def __init__(self, parent=None):
        super().__init__(parent, RANK)
        self.show_best(None, 0)

    def show_best(self, found, n: int) -> None:
        """List the n best variants of a `job.Found`; None, or one without scores: nothing."""
        self.beginResetModel()
        scored = None if found is None else found.scored
        self.best, columns, tests, number = np.zeros(0, int), [()] * 6, {}, ()
        if scored is not None:
            best = self.best = scored.order[:n]
            kept, test, v = found.kept, scored.ranking.significance, found.kept.data.variants
            columns = [scored.rank[best], v.name[best], v.chromosome[best], v.position[best]]
            columns += [kept.frequency[best], scored.ranking.scores[best]]
            tests = {} if test is None else {name: values[best] for name, values in test.columns.items()}
            number = kept.places.number[best]
        rank, name, chromosome, position, frequency, score = columns
        right = Qt.AlignRight
        self.fields = (
            Column(RANK, "#", rank, lambda i: f"{rank[i]:,}", "Rank, 1 is the best", right, widest="1,000,000"),
            Column(VARIANT, "Variant", name, tip="Name of the variant", widest="rs123456789"),
            Column(CHROMOSOME, "Chr.", chromosome, tip="Chromosome", widest="Chr. 22", order=np.asarray(number)),
            Column(POSITION, "Position", position, lambda i: f"{int(position[i]):,}" if position[i] else "",
                   "Base pairs along the chromosome", right, widest="249,250,621"),
            Column(FREQUENCY, "Frequency", frequency, lambda i: _text(frequency[i], ".3f"),
                   "Frequency of the rarer allele, 0 to 0.5", right),
            Column(SCORE, "Score", score, lambda i: _text(round(score[i], 4) + 0.0, ".4f"),
                   "The higher, the more the variant tells of the phenotype, alone or with others", right, True,
                   "-10.1234"),
            *(Column(key, key, values, lambda i, values=values: _text(values[i], ".3g"), TESTS[key], right, key == "z",
                     FREQUENCY) for key, values in tests.items()),
        )  # fmt: skip
        self.arrange()
        self.endResetModel()

    def variant(self, row: int) -> int:
        return int(self.best[self.rows[row]])

    def item(self, variant: int | None) -> int | None:
        """Place of a variant among the best, or None if it is not listed."""
        found = np.flatnonzero(self.best == variant) if variant is not None else ()
        return int(found[0]) if len(found) else None

    def tip(self, item, column):
        if column.key in WHOLE or column.align == Qt.AlignLeft:
            return column.text_of(item)
        return f"{column.title}: {float(column.values[item])!r}"


def _text(value: float, form: str) -> str:
    return "\u2013" if np.isnan(value) else format(value, form)


class VariantsTable(ItemsView):
    """`variant_chosen`: the user went to the row of a variant."""

    variant_chosen = Signal(int)

    def __init__(self, parent=None):
        super().__init__(VariantsModel(), IMPORTANT, 2, parent, accessibleName="Best variants")
        self.model().setParent(self)
        self.setAccessibleDescription(ABOUT)
        self.setToolTip(ABOUT)
        self.item_chosen.connect(self._item_chosen)

    def choose_variant(self, variant: int | None) -> None:
        """Mark the row of a variant; none if it is not listed.  Emits nothing."""
        self.choose(self.model().item(variant))

    def _item_chosen(self, item):
        self.variant_chosen.emit(int(self.model().best[item]))
