"""Controls of which variants are ranked, and by which method."""

from typing import NamedTuple

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QCheckBox, QDoubleSpinBox, QSpinBox, QWidget

from ..utils.controls import LinkLabel, choices, form, spin

# Methods for a phenotype that read genotypes packed; a test compares them with the registry.
OFFERED = (
    "relieff", "rrelieff", "multisurf", "multisurfstar", "surf", "surfstar", "swrfstar", "swrf", "multiswrf",
    "multiswrfstar", "multiswrfdb", "multiswrfdbstar", "murelief", "relief", "reliefa", "erelieff", "relievedf",
    "reliefmss", "reliefseq", "residualrelief", "turf",
)  # fmt: skip
MOST_EXPONENT = 30
MOST_NEIGHBOURS = 10_000
MOST_COMPONENTS = 50
PER_CENT = 100
TURF = "turf"  # ranks again and again, without the worst variants
ALL_AT_ONCE = ("relieff", "rrelieff")  # methods in whose place it is offered
MANY = 1000  # variants from which on pairs are found by leaving out others


def _limit(name: str, value: float, most: float, about: str) -> QDoubleSpinBox:
    spin = QDoubleSpinBox(
        minimum=0, maximum=most, decimals=1, singleStep=1, suffix=" %", alignment=Qt.AlignRight,
        keyboardTracking=False, accessibleName=name, toolTip=f"{name}, from 0 to {most:g} %: {about}",
    )  # fmt: skip
    spin.setValue(value)
    return spin


class FilterValues(NamedTuple):
    """Limits of the variants and people that are ranked."""

    missing: float  # per cent of unknown genotypes of a variant, at most
    missing_people: float  # per cent of unknown genotypes of a person, at most
    maf: float  # per cent: frequency of the rarer allele, at least
    exponent: int  # p of Hardy-Weinberg proportions is at least 10 to the power of minus this; 0: no test
    r2: float  # with any of the 50 variants before, at most; 1: any

    def filters(self):
        """Filters as the box has them, a `genetics.Filters`."""
        from ...genetics import Filters

        hardy_weinberg = 10.0**-self.exponent if self.exponent else 0.0
        shares = self.missing / PER_CENT, self.missing_people / PER_CENT, self.maf / PER_CENT
        return Filters(*shares, hardy_weinberg, self.r2)


class FilterForm(QWidget):
    """Controls of which variants and people are ranked."""

    changed = Signal()

    def __init__(self, values: FilterValues):
        super().__init__()
        self.missing = _limit("Unknown genotypes of a variant", values.missing, 100, "variants with more are left out")
        people = "Unknown genotypes of a person"
        self.people = _limit(people, values.missing_people, 100, "people with more are left out")
        self.maf = _limit("Frequency of the rarer allele", values.maf, 50, "variants below are left out")
        self.maf.setSingleStep(0.5)
        self.exponent = QSpinBox(
            minimum=0, maximum=MOST_EXPONENT, prefix="1e-", specialValueText="no test", alignment=Qt.AlignRight,
            keyboardTracking=False, accessibleName="Least p of Hardy-Weinberg proportions",
            toolTip="Least p of the test of Hardy-Weinberg proportions in the largest class, from 1e-1 to "
                    f"1e-{MOST_EXPONENT}, or no test: variants below are left out",
        )  # fmt: skip
        self.r2 = QDoubleSpinBox(
            minimum=0.01, maximum=1, decimals=2, singleStep=0.05, alignment=Qt.AlignRight, keyboardTracking=False,
            accessibleName="Largest r\u00b2 with a variant before",
            toolTip=(
                "Largest r\u00b2 with any of the 50 variants before, from 0.01 to 1 (no limit): variants above are "
                "left out"
            ),
        )  # fmt: skip
        self.exponent.setValue(values.exponent)
        self.r2.setValue(values.r2)
        rows = form(self)
        rows.addRow("&Unknown, at most", self.missing)
        rows.addRow("\u2026 of a pe&rson", self.people)
        rows.addRow("Rarer a&llele, at least", self.maf)
        rows.addRow("&Hardy-Weinberg p", self.exponent)
        rows.addRow("r\u00b2 of neigh&bours", self.r2)
        for box in (self.missing, self.people, self.maf, self.exponent, self.r2):
            box.valueChanged.connect(lambda _: self.changed.emit())

    def values(self) -> FilterValues:
        """Values of the controls."""
        fields = self.missing, self.people, self.maf, self.exponent, self.r2
        return FilterValues(*(field.value() for field in fields))


class MethodValues(NamedTuple):
    """Choice of the method of ranking."""

    method: str
    n_neighbors: int  # 0: the default of the method
    tested: bool  # True: with p-values
    additive: bool  # True: genotypes are compared as numbers
    n_components: int  # principal components that are adjusted for


class MethodForm(QWidget):
    """Controls of how variants are ranked."""

    changed = Signal()

    def __init__(self, values: MethodValues):
        from ...core import METHODS

        super().__init__()
        self._variants = 0
        offered = [(METHODS[name].title, name, f"{METHODS[name].idea} For {' and '.join(METHODS[name].tasks[:2])}")
                   for name in OFFERED]  # fmt: skip
        tip = "Method of ranking; the list has those that support packed genotypes"
        self.methods = choices("Method", offered, values.method, tip, letters=12)
        self.neighbours = spin("Neighbours", values.n_neighbors, 0, MOST_NEIGHBOURS, "")
        self.neighbours.setSpecialValueText("usual")
        tip = (
            f"Principal components of the people, from 0 to {MOST_COMPONENTS}, as covariates against differences "
            "between populations"
        )
        self.components = spin("Components", values.n_components, 0, MOST_COMPONENTS, tip)
        tip = "Rank for shuffled phenotypes, too, to get z, p-values and false discovery rates. Takes longer"
        self.tested = QCheckBox("p-&values", checked=values.tested, toolTip=tip)
        tip = "Two genotypes differ by half of the difference of their numbers of alleles, 0 to 2 (off: equal or not)"
        self.additive = QCheckBox("Add&itive", checked=values.additive, toolTip=tip)
        self.rows = rows = form(self)
        rows.addRow("&Method", self.methods)
        self.offer = LinkLabel(wordWrap=True, visible=False)
        self.offer.linkActivated.connect(self._take_turf)
        rows.addRow(self.offer)
        rows.addRow("&Neighbours", self.neighbours)
        rows.addRow("&Components", self.components)
        rows.addRow(self.additive)
        rows.addRow(self.tested)
        self.methods.activated.connect(self._chosen)
        for box in (self.neighbours, self.components):
            box.valueChanged.connect(lambda _: self.changed.emit())
        for tick in (self.additive, self.tested):
            tick.clicked.connect(lambda _: self.changed.emit())
        self._fit_neighbours()

    def values(self) -> MethodValues:
        """Values of the controls."""
        return MethodValues(
            self.methods.currentData(),
            self.neighbours.value(),
            self.tested.isChecked(),
            self.additive.isChecked(),
            self.components.value(),
        )

    def offer_turf(self, variants: int) -> None:
        """Offer the method that leaves out variants step by step, where there are many."""
        self._variants = variants
        many = variants > MANY and self.methods.currentData() in ALL_AT_ONCE
        self.offer.setVisible(many)
        if many:
            self.offer.set_links(f"Pairs are hard to find among {variants:,} variants. {{}}", (TURF, "Use TuRF"))

    def _take_turf(self, _):
        self.methods.setCurrentIndex(self.methods.findData(TURF))
        self._chosen()

    def _chosen(self, _=0):
        self._fit_neighbours()
        self.offer_turf(self._variants)
        self.changed.emit()

    def _fit_neighbours(self):
        from ...core import METHODS

        method = METHODS[self.methods.currentData()]
        usual = next((p.default for p in method.parameters if p.name == "n_neighbors"), None)
        self.neighbours.setEnabled(usual is not None)
        tip = f"Nearest people of each class that are compared with each person, from 1 to {MOST_NEIGHBOURS:,}"
        self.neighbours.setToolTip(
            f"{tip}; usual: {usual:,}" if usual is not None else f"{method.title} finds the number of neighbours itself"
        )
