"""Stored settings and rankings that are wrong, and odd names, for every widget: it must be made, and take data."""

import base64
import copy
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np

from .kinds import Action, Case
from .mutations import pick
from .names import MARKUP, odd_names
from .outcome import Wrong
from .values import decoded

WIDGETS = "orangecontrib.reliefe.widgets"
DATA = ("iris", "housing", "heart_disease")
PATIENCE = 30_000  # milliseconds until a widget has done its work
OTHERS = ("__version__", "context_settings", "savedWidgetGeometry", "controlAreaVisible", "no_such_setting")
OF_GENOTYPES = ("OWRankGenotypes",)  # widgets that take features of 0, 1 and 2 only
ODDITIES = 0.25  # share of the cases with odd names, and with rankings that are kept
TESTED = "tests.stored"  # finished p-values
KEPT = "ranked", TESTED
RICH = re.compile(r"\s*<!doc|[^<\n]*<(samp|[abipu]|br|div|html|nobr|qt|span|table|td|tr)\b[^<]*>")  # as Qt guesses
SCORES = "nan", "inf", "zero", "huge", "cut", "more", "none"
METHODS = ["multisurf", "rrelieff"]  # of Rank via ReliefE: an embedding takes its time
QUICK = {"OWReliefE": {"panel.chosen": METHODS, "panel.preset": ""}}
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
    """A case: {"widget": "module:class", "settings", "data"}, and what else is odd.

    names: of the first features.  kept: {"setting" with rankings or p-values, "part": scores or what is "told",
    "place" in it, "value" that comes there}.
    """
    widget, how = pick(widgets(), rng), rng.random()
    if how < ODDITIES:
        return {"widget": widget, "settings": {}, "data": pick(DATA, rng), "names": odd_names(rng, 3)}
    if how < 2 * ODDITIES:
        kept = {"setting": pick(KEPT, rng), "part": pick(("scores", "told"), rng), "place": float(rng.random())}
        kept["value"] = pick(SCORES if kept["part"] == "scores" else BAD, rng)
        tested = kept["setting"] == TESTED  # forests for many shuffled targets take their time
        widget = pick([w for w in widgets() if ("ReliefE" in w if tested else "ranked" in setting_names(w))], rng)
        return {"widget": widget, "settings": {"tests.ticked": tested}, "data": "iris", "kept": kept}
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
    """Names of the settings of a widget and of its parts, these as "part.name"."""
    provider = _class(widget).settingsHandler.provider
    of_parts = [f"{part}.{name}" for part, owned in provider.providers.items() for name in owned.settings]
    return tuple(sorted([*provider.settings, *of_parts]))


def _stored(settings: Case, cls: type) -> dict:
    """Settings as a workflow stores them: those of a part in a dictionary under its name."""
    stored: dict = {"__version__": cls.settings_version}
    for name, value in (QUICK.get(cls.__name__, {}) | settings).items():
        part, _, of_part = name.rpartition(".")
        (stored.setdefault(part, {}) if part else stored)[of_part] = value
    return stored


def _class(widget: str) -> type:
    module, _, name = widget.partition(":")
    return getattr(import_module(f"{WIDGETS}.{module}"), name)


def prepare(case: Case) -> Action:
    """The application and the data; the action makes the widget and waits until it is done."""
    from Orange.data import Table

    cls, bench, data = _class(case["widget"]), _bench(), Table(case["data"])
    data = data.transform(_renamed(data.domain, case.get("names", ())))
    settings = decoded(case["settings"])
    stored = _stored(settings, cls)
    if cls.__name__ in OF_GENOTYPES:
        data = _genotypes(data)

    def action() -> None:
        from orangecontrib.reliefe.widgets.tests.troubles import watched

        troubles: list[str] = []
        with watched(troubles):
            changed = {}
            if "kept" in case:
                name = case["kept"]["setting"]
                changed = {name: _changed(_kept(bench.use(cls, stored, data, name), name), case["kept"])}
            bench.use(cls, _stored(settings | changed, cls), data)
        if troubles:
            lines = troubles[0].strip().splitlines()
            raise Wrong("\n".join([lines[-1], *troubles]), f"{cls.__name__} {lines[-1].partition(':')[0]}")

    return action


def _renamed(domain: object, names: Sequence[str]) -> object:
    """The domain with these names of the first features, as far as they are free."""
    from Orange.data import Domain

    names = [name for name in names if name not in domain][: len(domain.attributes)]
    first = [variable.renamed(name) for variable, name in zip(domain.attributes, names, strict=False)]
    return Domain([*first, *domain.attributes[len(first) :]], domain.class_vars, domain.metas)


def _kept(packed: Case, name: str) -> Case:
    """Kept rankings or p-values in the settings of a widget; p-values are those of a part."""
    part, _, inner = name.rpartition(".")
    return (packed[part] if part else packed)[inner]


def _changed(stored: Case, how: Case) -> Case:
    """Kept rankings of a widget, with one change in all of them."""
    for ranking in stored.get("rankings", {}).values():
        content = zlib.decompress(base64.b64decode(ranking[how["part"]]))
        if how["part"] == "scores":
            scores = np.frombuffer(content).copy()
            scores[int(how["place"] * len(scores))] = {"nan": np.nan, "inf": np.inf, "huge": 1e308}.get(how["value"], 0)
            cut = {"cut": int(how["place"] * len(content)), "none": 0}.get(how["value"])
            content = scores.tobytes()[:cut] + content * (how["value"] == "more")
        else:
            told = json.loads(content)
            places = list(_places(told))
            parent, key = places[int(how["place"] * len(places))]
            parent[key] = how["value"] if not isinstance(how["value"], dict) else [how["value"]]
            content = json.dumps(told).encode()
        ranking[how["part"]] = base64.b64encode(zlib.compress(content)).decode()
    return stored


def _places(told: object) -> Iterator[tuple]:
    """Every container in a document, with each key or index of it."""
    for key, value in told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ():
        yield told, key
        yield from _places(value)


def _genotypes(data: object) -> object:
    """The same rows and target, with features of 0, 1 and 2."""
    from Orange.data import ContinuousVariable, Domain, Table

    features = [ContinuousVariable(variable.name) for variable in data.domain.attributes]
    codes = np.random.default_rng(0).integers(0, 3, data.X.shape).astype(float)
    return Table.from_numpy(Domain(features, data.domain.class_vars), codes, data.Y)


@cache
def _bench() -> object:
    """Test case that makes widgets as Orange's own tests do."""
    from Orange.data import Table
    from Orange.widgets.tests.base import WidgetTest

    class Bench(WidgetTest):
        def runTest(self) -> None:
            """Nothing: the methods of the base are used."""

        def use(self, cls: type, settings: dict, data: object, wanted: str = "") -> dict:
            """Make a widget, give it data, wait for its work, and close it; returns its settings.

            wanted: setting that must be there in the end.
            """
            self.setUp()
            try:
                widget = self.create_widget(cls, stored_settings=settings)
                for signal in _inputs(cls):
                    self.send_signal(signal, data, widget=widget)
                    break
                self.process_events()
                self.wait_until_finished(widget, timeout=PATIENCE)
                if wanted:
                    self.process_events(lambda: _kept(_packed(widget), wanted), timeout=PATIENCE)
                failed = [str(message) for message in widget.Error.active]
                wrong = [text for text in _texts(widget) if MARKUP in text]
                scores = getattr(widget.Outputs, "scores", None)
                table = scores and self.get_output(scores, widget=widget)
                infinite = isinstance(table, Table) and not np.isfinite(table.X).all()
                stored = copy.deepcopy(_packed(widget))
                widget.onDeleteWidget()
            finally:
                self.tearDown()
            if failed:
                raise Wrong(f"error messages of the widget: {failed}", f"{cls.__name__} message")
            if wrong:
                raise Wrong(f"names are read as markup: {wrong}", f"{cls.__name__} markup")
            if infinite:
                raise Wrong("scores that are no numbers", f"{cls.__name__} scores")
            return stored

    Bench.setUpClass()
    return Bench()


def _packed(widget: object) -> dict:
    return widget.settingsHandler.pack_data(widget)


def _texts(widget: object) -> Iterator[str]:
    """The report, and every text that Qt reads as markup."""
    from AnyQt.QtCore import Qt
    from AnyQt.QtWidgets import QLabel, QWidget

    if hasattr(widget, "send_report"):
        widget.report_html = ""
        widget.send_report()
        yield widget.report_html
    for label in widget.findChildren(QLabel):
        form = label.textFormat()
        yield label.text() if form == Qt.RichText or (form == Qt.AutoText and RICH.match(label.text())) else ""
    yield from (part.toolTip() for part in widget.findChildren(QWidget) if RICH.match(part.toolTip()))


def _inputs(cls: type) -> Iterator[object]:
    return (signal for name, signal in vars(cls.Inputs).items() if name in ("data", "scores", "rankings"))
