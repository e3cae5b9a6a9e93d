"""Feature Interactions: features that are informative only in combination, as a network."""

from dataclasses import replace
from functools import partial

import numpy as np
from AnyQt.QtWidgets import QPushButton
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import AttributeList, Input, Msg, Output

from ..core.targets.facts import no_target
from ..core.words import counted, sentence
from ..orange.interactions.drawn_network import NetworkModel
from ..orange.interactions.job import PairRequest, PairResult, run
from ..orange.interactions.network import NETWORK, network_of
from ..orange.interactions.shortlist import ScoresInput, Shortlist, missing_text
from ..orange.problem import CLASSIFICATION, REGRESSION, UNSUPERVISED, WORDS, problem, task_of
from ..orange.ranker.tables import reduced_table
from ..orange.stored_settings import between, number, strings, tables
from .interactions.area import InteractionsArea
from .interactions.rankingbox import DEFAULT, RankingBox, usable
from .ranker.messages import CONNECT_TWO_CLASSES, only_class_of, say
from .utils.computing import OWComputing
from .utils.controls import form, named
from .utils.settings import auto_send
from .utils.strip import Line
from .utils.task import RUNNING, STOPPED

MIN_ROWS = 4
FEATURES = 10, 200  # that can be looked at
SHUFFLES = 2, 1000
REPORTED = 30  # pairs in a report
NO_EDGES = "no pair is more informative together than alone"


class OWFeatureInteractions(OWComputing):
    """Shortlist, then the network of it; what is chosen in one view is chosen in all, and sent on."""

    name = "Feature Interactions"
    description = "Find features that are informative only in combination, and show them as a network"
    icon = "icons/interactions.svg"
    priority = 56
    keywords = "interaction, network, epistasis, synergy, partners, pairs, xor, gain, relief, reliefe"

    graph_name = "area.network"
    empty = PairResult
    chart_class = InteractionsArea
    nothing = "Connect data with a target to see which features act together"
    coming = "The best features will appear here, and then the pairs that act together"

    class Inputs(OWComputing.Inputs):
        scores = Input("Scores", Table)
        features = Input("Features", AttributeList)

    class Outputs:
        reduced = Output("Reduced Data", Table, default=True)
        features = Output("Features", AttributeList, dynamic=False)
        pairs = Output("Pairs", Table, dynamic=False)
        network = Output("Network", NETWORK, dynamic=False, auto_summary=False)

    class Error(OWComputing.Error):
        too_few = Msg("The data have fewer than four rows. Connect data with more")
        too_few_features = Msg("The data have fewer than two features. Connect data with more")
        one_class = CONNECT_TWO_CLASSES
        no_target = Msg("{}, but interactions depend on one. Choose it with Select Columns")
        no_candidates = Msg("Fewer than two features on the input are in the data. Connect features of the same data")
        no_scores = Msg("Scores name fewer than two features of the data. Connect scores of the same data")

    class Warning(OWComputing.Warning):
        unknown_features = Msg("{} not in the data, and ignored")
        too_many = Msg("Only the first {:,} of {:,} features on the input are used")
        not_saved = Msg("{}")

    class Information(OWComputing.Information):
        unfit = Msg("The chosen method does not support {}, so features are ranked by {}")
        not_thorough = Msg("Thorough needs a single target, so the nearest rows are used")
        without_weights = Msg("Pairs of features leave the weights of rows aside: every row counts once")

    settings_version = 1
    method = Setting(DEFAULT)
    column = Setting("")  # of the scores on the input
    n_features = Setting(60, fits=between(*FEATURES))
    n_shuffles = Setting(20, fits=between(*SHUFFLES))
    thorough = Setting(False)
    seed = Setting(0, fits=between(0, 10**6))
    alone = Setting(True)  # features without partners are shown
    chosen = Setting([], schema_only=True, fits=strings)  # names of a pair, or of one feature
    moved = Setting({}, schema_only=True, fits=tables)  # places of nodes by name: {"x": ..., "y": ...}
    auto_apply = Setting(True)

    scores = features = None
    named_scores = ScoresInput({}, {})

    @Inputs.data
    def set_data(self, data):
        self.cancel()
        self.data, self.result = data, self.empty()

    @Inputs.scores
    def set_scores(self, scores):
        self.scores, self.named_scores = scores, ScoresInput.read(scores)

    @Inputs.features
    def set_features(self, features):
        self.features = features

    @property
    def kind(self) -> str | None:
        return None if self.data is None else task_of(self.data.domain)

    def input_shortlist(self) -> Shortlist | None:
        """Features on the input, or those that scores on the input name; None: rank."""
        attributes = self.data.domain.attributes
        if self.features is not None:
            attribute_names = {variable.name for variable in attributes}
            input_names = dict.fromkeys(variable.name for variable in self.features)
            names = [name for name in input_names if name in attribute_names]
            return self.named_scores.about(names[: FEATURES[1]], self.column, attributes)
        return None if self.scores is None else self.named_scores.shortlist(self.column, attributes)

    # Anatomy ---------------------------------------------------------------------------------------------------------

    def add_controls(self):
        self.area = self.chart
        self._drawn = None
        self._moved_in = None
        self.ranking = RankingBox()
        self.ranking.activated.connect(self._ranking_chosen)
        self.count = self.spin("Features", "n_features", *FEATURES, "number of best features whose pairs are tested")
        self.shuffles = self.spin("Shuffles", "n_shuffles", *SHUFFLES,
                                  "random targets without interactions. By chance, the strongest pair exceeds the "
                                  "level with probability 1 / (shuffles + 1)")  # fmt: skip
        tip = "Compare all near rows like MultiSURF (up to 1,000), not the 30 nearest. Slower; needs a single target"
        self.zones = self.check_box("&Thorough", "thorough", tip)
        self.seeds = self.spin("Random seed", "seed", 0, 10**6, "of the ranking and of the shuffles")
        tip = "Show features without a partner below the network"
        self.show_alone = self.check_box("Features &without a partner", "alone", tip)
        tip = "Move all features back to their places, and show the whole network"
        self.arrange = QPushButton("Re&set Layout", autoDefault=False, toolTip=tip)
        rows = self._form("Features")
        rows.addRow(named("&Ranked by", self.ranking))
        rows.addRow(self.ranking)
        rows.addRow("&Features", self.count)
        rows = self._form("Pairs")
        rows.addRow("S&huffles", self.shuffles)
        rows.addRow("Random see&d", self.seeds)
        rows.addRow(self.zones)
        rows = self._form("View")
        rows.addRow(self.show_alone)
        rows.addRow(self.arrange)
        auto_send(self)
        self._connect()

    def _form(self, title):
        rows = form()
        gui.vBox(self.controlArea, title).layout().addLayout(rows)
        return rows

    def _connect(self):
        self.arrange.clicked.connect(self._reset_layout)
        self.area.chosen.connect(self._chosen_in_a_view)
        self.area.network.node_moved.connect(self._node_moved)
        self.area.list.table.failed.connect(lambda text: say(self.Warning.not_saved, text))
        self.area.network.show_alone(self.alone)
        self._offer()

    # Inputs ----------------------------------------------------------------------------------------------------------

    def handleNewSignals(self):
        self.cancel()
        self.result, self._fresh = self.result.cleared(), True
        self.Warning.clear()
        self.Information.clear()
        self._offer()
        self._show()
        self.restart()

    def _offer(self):
        self.count.setEnabled(self.features is None)
        if self.features is not None:
            self.ranking.offer_nothing()
        elif self.scores is not None:
            self.ranking.offer_columns(list(self.named_scores.columns), self.column)
        else:
            self.ranking.offer_methods(self.method, self.kind)

    # Task ------------------------------------------------------------------------------------------------------------

    def refuse(self):
        if len(self.data) < MIN_ROWS:
            return self.Error.too_few
        if self.kind == UNSUPERVISED:
            return partial(self.Error.no_target, sentence(no_target()))
        stated = problem(self.data)
        if stated.only_class:
            return partial(self.Error.one_class, only_class_of(stated))
        if len(self.data.domain.attributes) < 2:
            return self.Error.too_few_features
        if self.features is not None and len(self.input_shortlist()) < 2:
            return self.Error.no_candidates
        if self.features is None and self.scores is not None and len(self.input_shortlist()) < 2:
            return self.Error.no_scores
        return None

    def work(self):
        self._note_inputs()
        max_features = FEATURES[1] if self.features is not None else self.n_features
        thorough = self.thorough and self.kind in (CLASSIFICATION, REGRESSION)
        request = PairRequest(
            usable(self.method, self.kind), self.input_shortlist(), max_features, self.n_shuffles, thorough, self.seed
        )
        return run, self.data, request, self.result

    def _note_inputs(self):
        from ..core import METHODS

        attributes = self.data.domain.attributes
        input_names = [variable.name for variable in self.features or ()]
        missing = missing_text(input_names, attributes)
        self.Warning.unknown_features(missing, shown=bool(missing))
        self.Warning.too_many(FEATURES[1], len(input_names), shown=len(input_names) > FEATURES[1])
        ranks_itself, fit = self.features is None and self.scores is None, usable(self.method, self.kind)
        self.Information.unfit(WORDS[self.kind], METHODS[fit].title, shown=ranks_itself and fit != self.method)
        self.Information.without_weights(shown=self.data.has_weights())
        self.Information.not_thorough(shown=self.thorough and self.kind not in (CLASSIFICATION, REGRESSION))

    # What the user does ----------------------------------------------------------------------------------------------

    def _ranking_chosen(self, _):
        if self.scores is not None:
            self.column = self.ranking.currentData()
        else:
            self.method = self.ranking.currentData()
        self.changed(self.result.cleared())

    def setting_changed(self, setting):
        if setting == "alone":
            self.area.network.show_alone(self.alone)
        else:
            self.changed(self.result.cleared())

    def _reset_layout(self):
        self.moved = {}
        if self.result.places is not None:
            self.area.network.places = np.array(self.result.places, float)
        self.area.network.fit()

    def _node_moved(self, node):
        x, y = self.area.network.places[node].tolist()
        self.moved = {**self.moved, self.result.shortlist.names[node]: {"x": x, "y": y}}

    def _chosen_in_a_view(self, nodes):
        self.chosen = [self.result.shortlist.names[node] for node in nodes]
        self.commit.deferred()

    # Views -----------------------------------------------------------------------------------------------------------

    @property
    def shown(self):
        return self.result.shortlist is not None

    def show_views(self):
        if self.result is not self._drawn:
            self._drawn = self.result
            self._draw()
        network, shortlist = self.result.network, self.result.shortlist
        if shortlist is None:
            self.headline.show_result("", "", [])
        elif network is None:
            still = "their partners are not known" + " yet" * (self.run_state == RUNNING)
            self.headline.show_result(f"{len(shortlist):,}", f"features; {still}", [])
        else:
            edges, m = network.linked, counted(len(shortlist), "feature")
            act = "pair acts" if len(edges) == 1 else "pairs act"
            text = f"{act} together, of {m}" if edges else f"edges among {m}: {NO_EDGES}"
            self.headline.show_result(f"{len(edges):,}", text, list(self._lines(network, edges)))

    def _lines(self, network, edges):
        tip = "If no features interact, the strongest pair exceeds the level with probability 1 / (shuffles + 1)"
        level = f"level {network.level:.1f}" if np.isfinite(network.level) else "no pair differs from chance"
        if edges:
            a, b = (network.variables[node].name for node in edges[0])
            strongest = f"<b>z = {network.z[edges[0]]:.1f}</b>"
            yield Line("Strongest", strongest, f"{a} and {b}; {level}", tooltip=tip)
        else:
            top = f"z = {network.z.max():.1f}" if np.isfinite(network.level) else "\u2013"
            yield Line("Strongest", top, level, tooltip=tip)

    def _draw(self):
        result, network = self.result, self.result.network
        if result.shortlist is None:
            self.area.show_result(None, NetworkModel(), None)
            return
        pairs = np.array(network.linked if network else [], int).reshape(-1, 2)
        short = self._with_scores(result)
        z = np.array([network.z[a, b] for a, b in pairs])
        positions = self._with_moved(result, pairs)
        model = NetworkModel(short.names, short.scores, short.q, positions, pairs, z, short.title)
        self.area.show_result(self.data, model, network)
        nodes = [short.names.index(name) for name in self.chosen if name in short.names]
        if network is not None and len(nodes) == len(self.chosen):
            self.area.choose(*nodes)

    @staticmethod
    def _with_scores(result) -> Shortlist:
        """The shortlist; without scores it has those over the pairs."""
        short = result.shortlist
        if np.isfinite(short.scores).any() or result.network is None:
            return short
        return replace(short, scores=result.network.alone, title="score over the pairs")

    def _with_moved(self, result, pairs):
        """Places of the nodes, as far as the user moved them in this same network elsewhere."""
        positions = np.array(result.places, float)
        if result.network is None:
            return positions
        drawn = result.shortlist.names, pairs.tolist()
        if self._moved_in is not None and self._moved_in != drawn:
            self.moved = {}
        self._moved_in = drawn
        for node, name in enumerate(result.shortlist.names):
            position = self.moved.get(name, {})
            if number(position.get("x")) and number(position.get("y")):
                positions[node] = position["x"], position["y"]
        return positions

    def summary(self):
        result, network = self.result, self.result.network
        if result.shortlist is None:
            return ""
        how = f"{counted(len(result.shortlist), 'feature')} by {result.shortlist.title or 'the list on the input'}"
        if network is None:
            return f"{how}; stopped before their partners were known" if self.run_state == STOPPED else how
        shuffles, n = counted(network.n_shuffles, "shuffle"), network.n_shuffles + 1
        return f"{how}; {shuffles}; by chance, 1 of {n} networks has an edge"

    # Outputs ---------------------------------------------------------------------------------------------------------

    @gui.deferred
    def commit(self):
        network, chosen = self.result.network, []
        if network is not None and self.data is not None:
            nodes = sorted({node for pair in network.linked for node in pair})
            by_name = {variable.name: variable for variable in network.variables}
            names = self._chosen_names(network) or [network.variables[node].name for node in nodes]
            chosen = [by_name[name] for name in names]
        self.Outputs.reduced.send(reduced_table(self.data, chosen) if chosen else None)
        self.Outputs.features.send(AttributeList(chosen) if chosen else None)
        self.Outputs.pairs.send(network.to_table() if network is not None else None)
        self.Outputs.network.send(network_of(self.result))

    def _chosen_names(self, network) -> list[str]:
        """Names of a chosen pair, or of a feature with its partners."""
        names = [variable.name for variable in network.variables]
        chosen = [name for name in self.chosen if name in names]
        if len(chosen) < len(self.chosen) or len(chosen) != 1:
            return chosen if len(chosen) == len(self.chosen) else []
        node = names.index(chosen[0])
        return chosen + [names[b if a == node else a] for a, b in network.linked if node in (a, b)]

    def send_report(self):
        network = self.result.network
        if self.data is None:
            return
        self.report_domain("Data", self.data.domain)
        settings = [("Shuffles", self.n_shuffles), ("Pairs of rows", "zones" if self.thorough else "nearest rows")]
        self.report_items("Settings", [*settings, ("Random seed", self.seed), ("Features", self.strip.label.text())])
        if network is None:
            return
        self.report_items("Network", [("Edges", f"{len(network.linked):,}"), *self.headline.texts()])
        self.report_plot("Network", self.area.network)
        pairs = self.area.list.model
        self.report_table("Pairs", pairs.as_table(pairs.rows[:REPORTED]), header_rows=1)
        if len(self.chosen) == 2:
            self.report_plot(" and ".join(self.chosen), self.area.detail.chart)


if __name__ == "__main__":
    WidgetPreview(OWFeatureInteractions).run(Table("heart_disease"))
