"""Stored settings of wrong types for every widget: it must be made all the same, and take data."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np

from .kinds import Action, Case
from .mutations import pick
from .outcome import Wrong
from .values import decoded

WIDGETS = "orangecontrib.reliefe.widgets"
DATA = ("iris", "housing", "heart_disease")
PATIENCE = 30_000  # milliseconds until a widget has done its work
OTHERS = ("__version__", "context_settings", "savedWidgetGeometry", "controlAreaVisible", "no_such_setting")
OF_GENOTYPES = ("OWRankGenotypes",)  # widgets that take features of 0, 1 and 2 only
QUICK = {"OWReliefE": {"methods": ["multisurf", "rrelieff"]}}  # an embedding takes its time
BAD = (
    None, True, False, 0, 1, -1, 7, 10**400, 0.5, -1e308, float("nan"), float("inf"), "", "x", "auto", "relieff",
    [], [None], [1], ["x"], ["relieff", "relieff"], [[]], [1, 2, 3], {}, {"x": 1}, {"relieff": 3}, "\x00",
    {"relieff": {"x": []}}, {"relieff": {"n_neighbors": "x"}}, {"1": {"!": "tuple", "values": [1]}},
    {"!": "tuple", "values": [1, "x"]}, {"!": "set", "values": [1]}, {"!": "bytes", "text": "x"}, {"!": "object"},
    {"!": "text", "text": "a", "times": 5000}, {"!": "number", "type": "Decimal", "text": "1"},
    {"!": "number", "type": "float32", "text": "1"}, {"!": "array", "values": [1, 2]}, {"!": "array", "values": []},
    {"!": "function"}, {"!": "strange"}, {"!": "missing"}, {"!": "masked constant"},
)  # fmt: skip


def make(rng: np.random.Generator) -> Case:
    """A case: {"widget": "module:class", "settings", "data"}."""
    widget = pick(widgets(), rng)
    names = [*setting_names(widget), *OTHERS]
    settings = {name: pick(BAD, rng) for name in (pick(names, rng) for _ in range(int(rng.geometric(0.6))))}
    return {"widget": widget, "settings": settings, "data": pick(DATA, rng)}


@cache
def widgets() -> tuple[str, ...]:
    """All widgets as "module:class"."""
    folder = Path(import_module(WIDGETS).__file__).parent
    out = []
    for path in sorted(folder.glob("ow*.py")):
        module = import_module(f"{WIDGETS}.{path.stem}")
        names = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
        out += [f"{path.stem}:{name}" for name in names if name.startswith("OW")]
    return tuple(out)


@cache
def setting_names(widget: str) -> tuple[str, ...]:
    """Names of the settings of a widget."""
    return tuple(sorted(_class(widget).settingsHandler.provider.settings))


def _class(widget: str) -> type:
    module, _, name = widget.partition(":")
    return getattr(import_module(f"{WIDGETS}.{module}"), name)


def prepare(case: Case) -> Action:
    """The application and the data; the action makes the widget and waits until it is done."""
    from Orange.data import Table

    cls, bench, data = _class(case["widget"]), _bench(), Table(case["data"])
    settings = {**QUICK.get(cls.__name__, {}), **decoded(case["settings"])}
    if cls.__name__ in OF_GENOTYPES:
        data = _genotypes(data)

    def action() -> None:
        from orangecontrib.reliefe.widgets.tests.troubles import watched

        troubles: list[str] = []
        with watched(troubles):
            bench.use(cls, settings, data)
        if troubles:
            lines = troubles[0].strip().splitlines()
            raise Wrong("\n".join([lines[-1], *troubles]), f"{cls.__name__} {lines[-1].partition(':')[0]}")

    return action


def _genotypes(data: object) -> object:
    """The same rows and target, with features of 0, 1 and 2."""
    from Orange.data import ContinuousVariable, Domain, Table

    features = [ContinuousVariable(variable.name) for variable in data.domain.attributes]
    codes = np.random.default_rng(0).integers(0, 3, data.X.shape).astype(float)
    return Table.from_numpy(Domain(features, data.domain.class_vars), codes, data.Y)


@cache
def _bench() -> object:
    """Test case that makes widgets as Orange's own tests do."""
    from Orange.widgets.tests.base import WidgetTest

    class Bench(WidgetTest):
        def runTest(self) -> None:
            """Nothing: the methods of the base are used."""

        def use(self, cls: type, settings: dict, data: object) -> None:
            """Make a widget, give it data, wait for its work, and close it."""
            self.setUp()
            try:
                widget = self.create_widget(cls, stored_settings=settings)
                for signal in _inputs(cls):
                    self.send_signal(signal, data, widget=widget)
                    break
                self.process_events()
                self.wait_until_finished(widget, timeout=PATIENCE)
                failed = [str(message) for message in widget.Error.active]
                widget.settingsHandler.pack_data(widget)
                widget.onDeleteWidget()
            finally:
                self.tearDown()
            if failed:
                raise Wrong(f"error messages of the widget: {failed}", f"{cls.__name__} message")

    Bench.setUpClass()
    return Bench()


def _inputs(cls: type) -> Iterator[object]:
    return (signal for name, signal in vars(cls.Inputs).items() if name in ("data", "scores", "rankings"))
