"""Controls of which variants are ranked, and by which method."""

from dataclasses import replace
from functools import partial
from typing import Any

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QDoubleSpinBox, QHBoxLayout, QVBoxLayout, QWidget
from Orange.widgets import gui
from Orange.widgets.settings import Setting

from ...core.methods.parameters import INTEGER, SWITCH, Parameter
from ...orange.genotypes.job import BY_CLASSES, BY_NUMBERS
from ...orange.problem import CLASSIFICATION, REGRESSION
from ...orange.ranker.listed_methods import ListedMethod
from ...orange.stored_settings import between, one_of, within
from ..ranker.form import LABEL_WIDTH, ParameterForm
from ..utils.colors import lift_indicators
from ..utils.controls import LinkLabel, choices, form, named, number_box, placed, spin

MAX_EXPONENT = 30
MAX_NEIGHBOURS = 10_000
MAX_COMPONENTS = 50
PER_CENT = 100
TURF = "turf"  # ranks again and again, without the worst variants
NEIGHBOURS = "n_neighbors"  # parameter of methods
NEIGHBOURS_TIP = f"Nearest people of each class that are compared with each person, from 1 to {MAX_NEIGHBOURS:,}"
BESIDE = (  # parameters that are no method's; each is the name of a setting
    Parameter(
        "n_components", "Components", INTEGER, 0, low=0, high=MAX_COMPONENTS,
        tooltip=f"Principal components of the people, from 0 to {MAX_COMPONENTS}, as covariates against differences "
                "between populations",
    ),
    Parameter(
        "additive", "Additive", SWITCH, False,
        tooltip="Two genotypes differ by half of the difference of their numbers of alleles, 0 to 2 (off: equal or "
                "not)",
    ),
    Parameter(
        "tested", "p-values", SWITCH, False,
        tooltip="Rank for shuffled phenotypes, too, to get z, p-values and false discovery rates. Takes longer",
    ),
)  # fmt: skip


def offered_methods() -> list[Any]:
    """Return the methods for a phenotype that read packed genotypes: the defaults, other relatives of Relief, TuRF."""
    from ...core import METHODS  # imported here, so that Orange starts without kernels

    relatives = [
        name
        for name, method in METHODS.items()
        if method.family == "relief"
        and method.traits.packed
        and {CLASSIFICATION, REGRESSION} & {*method.tasks}
        and not method.uses_unlabelled(method.check({}))
    ]
    return [METHODS[name] for name in dict.fromkeys((BY_CLASSES, BY_NUMBERS, *relatives, TURF))]


def _is_offered(name: object) -> bool:
    """True for the name of a method that the widget offers."""
    return one_of(*(method.name for method in offered_methods()))(name)


def _limit(name: str, value: float, maximum: float, about: str, step: float = 1) -> QDoubleSpinBox:
    tip = f"{name}, from 0 to {maximum:g} %: {about}"
    return number_box(name, value, 0, maximum, tip, decimals=1, singleStep=step, suffix=" %")


class FilterForm(QWidget, gui.OWComponent):
    """Controls of which variants and people are ranked; `changed`: by the user."""

    changed = Signal()

    missing = Setting(5.0, fits=within(0, 100))  # per cent of unknown genotypes of a variant, at most
    missing_people = Setting(10.0, fits=within(0, 100))  # per cent of unknown genotypes of a person, at most
    maf = Setting(1.0, fits=within(0, 50))  # per cent: frequency of the rarer allele, at least
    exponent = Setting(0, fits=between(0, MAX_EXPONENT))  # of the least p of Hardy-Weinberg proportions; 0: no test
    r2 = Setting(1.0, fits=within(0.01, 1))  # with any of the 50 variants before, at most; 1: any

    def __init__(self, widget):
        """widget: whose settings these are."""
        super().__init__()
        gui.OWComponent.__init__(self, widget)
        about = "variants with more are left out"
        self.missing_box = _limit("Unknown genotypes of a variant", self.missing, 100, about)
        people = "Unknown genotypes of a person"
        self.people_box = _limit(people, self.missing_people, 100, "people with more are left out")
        self.maf_box = _limit("Frequency of the rarer allele", self.maf, 50, "variants below are left out", 0.5)
        tip = (
            "Least p of the test of Hardy-Weinberg proportions in the largest class, from 1e-1 to "
            f"1e-{MAX_EXPONENT}, or no test: variants below are left out"
        )
        self.exponent_box = spin("Least p of Hardy-Weinberg proportions", self.exponent, 0, MAX_EXPONENT, tip)
        self.exponent_box.setPrefix("1e-")
        self.exponent_box.setSpecialValueText("no test")
        tip = (
            "Largest r\u00b2 with any of the 50 variants before, from 0.01 to 1 (no limit): variants above are left out"
        )
        self.r2_box = number_box("Largest r\u00b2 with a variant before", self.r2, 0.01, 1, tip, singleStep=0.05)
        rows = form(self)
        for label, box, name in (
            ("&Unknown, at most", self.missing_box, "missing"),
            ("\u2026 of a pe&rson", self.people_box, "missing_people"),
            ("Rarer a&llele, at least", self.maf_box, "maf"),
            ("&Hardy-Weinberg p", self.exponent_box, "exponent"),
            ("r\u00b2 of neigh&bours", self.r2_box, "r2"),
        ):
            rows.addRow(label, box)
            box.valueChanged.connect(partial(self._set, name))

    def filters(self):
        """Filters as they are set, a `genetics.Filters`."""
        from ...genetics import Filters

        hardy_weinberg = 10.0**-self.exponent if self.exponent else 0.0
        shares = self.missing / PER_CENT, self.missing_people / PER_CENT, self.maf / PER_CENT
        return Filters(*shares, hardy_weinberg, self.r2)

    def _set(self, name, value):
        setattr(self, name, value)
        self.changed.emit()


class MethodForm(QWidget, gui.OWComponent):
    """Controls of how variants are ranked: the method, and a form of its neighbours and of what is done beside it.

    changed: by the user.
    """

    changed = Signal()

    method = Setting(BY_CLASSES, fits=_is_offered)
    n_neighbors = Setting(0, fits=between(0, MAX_NEIGHBOURS))  # 0: the default of the method
    n_components = Setting(0, fits=between(0, MAX_COMPONENTS))  # principal components that are adjusted for
    additive = Setting(False)
    tested = Setting(False)  # True if p-values are computed

    def __init__(self, widget):
        """widget: whose settings these are."""
        super().__init__()
        gui.OWComponent.__init__(self, widget)
        self._size = (0, 0)  # people and variants that are ranked
        offered = [
            (method.title, method.name, f"{method.idea} For {' and '.join(method.tasks[:2])}")
            for method in offered_methods()
        ]
        tip = "Method of ranking; the list has those that support packed genotypes"
        self.methods = choices("Method", offered, self.method, tip, letters=12)
        self.methods.activated.connect(lambda place: self.choose(self.methods.itemData(place)))
        label = named("&Method", self.methods)
        label.setMinimumWidth(LABEL_WIDTH)
        self.offer = LinkLabel(wordWrap=True, visible=False)
        self.offer.linkActivated.connect(self.choose)
        self.form = ParameterForm()
        self.form.changed.connect(self._edited)
        placed(QVBoxLayout(self), placed(QHBoxLayout(), label, (self.methods, 1)), self.offer, self.form)
        self._show_method()

    def choose(self, method: str) -> None:
        """Rank by a method, as the user chooses it."""
        self.method = method
        self.methods.setCurrentIndex(self.methods.findData(method))
        self._show_method()
        self.advise_on_pairs(*self._size)
        self.changed.emit()

    def advise_on_pairs(self, n_people: int, n_variants: int) -> None:
        """Say that pairs are hard to find among many variants, and offer TuRF where it finds more."""
        from ...genetics.chance_level import advice_on_pairs

        self._size = (n_people, n_variants)
        advice = advice_on_pairs(n_people, n_variants, self.method)
        self.offer.setVisible(bool(advice.text))
        if advice.offers_turf:
            self.offer.set_links(f"{advice.text}. {{}}", (TURF, "Use TuRF"))
        else:
            self.offer.set_links(advice.text)

    def _neighbours(self) -> Parameter | None:
        """Number of neighbours of the method; None: it finds the number itself."""
        from ...core import METHODS

        parameter = next((p for p in METHODS[self.method].parameters if p.name == NEIGHBOURS), None)
        return parameter and replace(parameter, high=MAX_NEIGHBOURS, tooltip=NEIGHBOURS_TIP)

    def _show_method(self):
        from ...core import METHODS

        neighbours = self._neighbours()
        values = {parameter.name: getattr(self, parameter.name) for parameter in BESIDE}
        if neighbours is not None:
            values[NEIGHBOURS] = self.n_neighbors or neighbours.default
        parameters = tuple(filter(None, (neighbours, *BESIDE)))
        self.form.set_method(ListedMethod(METHODS[self.method], parameters=parameters), values)
        lift_indicators(self.form)

    def _edited(self, values):
        for name, value in values.items():
            setattr(self, name, value)
        neighbours = self._neighbours()
        if neighbours is not None and self.n_neighbors == neighbours.default:
            self.n_neighbors = 0
        self.changed.emit()
