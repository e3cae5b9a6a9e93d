"""Main area of a ranker: filter and table above, tabs of charts below, and a line about the ranking."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

import numpy as np
from AnyQt.QtCore import QSignalBlocker, Qt, QTimer
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QKeySequence, QShortcut
from AnyQt.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)
from Orange.data import Variable
from Orange.widgets import gui
from Orange.widgets.settings import Setting

from ...orange.name_filter import LONGEST, TIP, matching, not_found
from ...orange.ranker.scores import MethodScores
from ...orange.stored_settings import maybe, one_of, strings, switch, wholes
from ..charts.quantiles import QuantilePlot
from ..utils.controls import ElidedLabel, Reasoned, WrappedLabel, filter_line, placed
from ..utils.markup import plain
from ..utils.sparkline import Sparkline
from ..utils.strip import BUTTON, Strip
from .heatmap import HeatMap
from .measures import attributes_of, row_text
from .model import FIRST_SCORE, RankingModel
from .plot import ScorePlot
from .significancepanel import SignificancePanel
from .tablemenu import TableMenu
from .valuespanel import TableAndValues, ValuesPanel
from .view import RankingView
from .volcano import Volcano

PLOT = "plot"
HEAT = "heatmap"
VOLCANO = "volcano"
QUANTILES = "quantiles"
CONVERGENCE = "convergence"  # added by the window of trees
NEIGHBOURS = "neighbours"  # added by the follow-up of scores by k
VIEWS = PLOT, HEAT, VOLCANO, QUANTILES, CONVERGENCE, NEIGHBOURS
TABS = {
    PLOT: ("Scores by rank", "Scores of all features, by rank"),
    HEAT: ("&Heat map", "Scores of the features for each target, in the order of the table"),
    VOLCANO: ("Score and &q", "Volcano plot: scores and false discovery rates"),
    QUANTILES: ("QQ p&lot", "p-values against those of chance: whether a confounder inflates them"),
    CONVERGENCE: ("Con&vergence", "Changes of the best features as the ranking goes on"),
    NEIGHBOURS: ("Score b&y k", "Scores of the selected features for every number of neighbours"),
}
ABOUT_QQ = "Sorted p-values against those of chance, 95 % of which lie in the band. Click a point to select its feature"
TARGETS_TIP = (
    "Show only targets whose name contains this; of several words all.<br>"
    "A word with * is a whole name: <b>a/*</b> begins with a/"
)


class Views(QWidget):
    """Tabs of charts, each offered while it is possible; above the heat map is a filter of its targets."""

    changed = Signal(str)  # the user chose another view

    def __init__(self, model: RankingModel, wanted: str = PLOT, log: bool | None = None, parent=None):
        super().__init__(parent)
        self.wanted, self._model = wanted if wanted in VIEWS else PLOT, model
        self.plot, self.heatmap = ScorePlot(log), HeatMap()
        self.tabs = QTabBar(drawBase=False, expanding=False, accessibleName="View")
        self.tabs.currentChanged.connect(self._chosen)
        self.stack, self.pages = QStackedWidget(), {}
        self.target_filter = filter_line("Filter targets", TARGETS_TIP)
        self.target_filter.textChanged.connect(self._show_targets)
        self._with_targets: MethodScores | None = None  # the scores of the heat map
        self._targets: tuple[str, ...] = ()  # of the heat map, now or at last
        self.body = Reasoned()  # the charts, or what a ranking does that has no scores yet
        self.body.addWidget(self.stack)
        self.page = QWidget()
        placed(QVBoxLayout(self.page), self.target_filter, (self.heatmap, 1))
        self.add(PLOT, self.plot, lambda: True)
        self.add(HEAT, self.page, lambda: self._with_targets is not None)
        self.volcano = Volcano()
        self.add(VOLCANO, self.volcano)
        self.quantiles = QuantilePlot(ABOUT_QQ)
        self.add(QUANTILES, self.quantiles, lambda: self.volcano.has_content)
        placed(QVBoxLayout(self), self.tabs, (self.body, 1), spacing=0)
        for signal in (model.layoutChanged, model.rows_changed, model.selection_changed):
            signal.connect(self._show_order)
        self.set_scores((), 0)

    def add(self, name: str, page: QWidget, possible: Callable[[], bool] | None = None) -> None:
        """Add a view; possible: returns True while it has something to show, by default `page.has_content`."""
        self.pages[name] = page, possible or (lambda: page.has_content)
        with QSignalBlocker(self.tabs):
            self.tabs.setTabToolTip(self.tabs.addTab(TABS[name][0]), TABS[name][1])
        self.stack.addWidget(page)

    @property
    def figure(self) -> object:
        """View to save: a widget, since pyqtgraph's own SVG fails on closed paths in newer versions of Qt."""
        page = self.stack.currentWidget()
        figure = self.heatmap if page is self.page else page
        figure.draw_if_stale()
        return figure

    def set_scores(self, columns: Sequence[MethodScores], leading: int) -> None:
        """The heat map shows the leading score's targets, or those of the first score that has any."""
        columns = [scores for scores in columns if not scores.waiting]  # they come last
        self.plot.set_data(columns, leading, self._model.names)
        lead = columns[leading] if columns else None
        self.volcano.show_scores(lead, self._model.names, self._model.selected)
        test = lead and lead.significance
        self.quantiles.show_p(test and test.p, self._model.names)
        self._with_targets = next((s for s in (*columns[leading : leading + 1], *columns) if s.each), None)
        self._forget_filter_of_other_targets()
        self._show_targets()
        self.show_view()

    def _forget_filter_of_other_targets(self):
        if self._with_targets is None:
            return  # perhaps they come again
        targets = tuple(target for target, _ in self._with_targets.each)
        if targets != self._targets:
            self._targets = targets
            with QSignalBlocker(self.target_filter):
                self.target_filter.clear()

    def _show_targets(self):
        names, scores = self._model.names, self._with_targets
        each = scores.each if scores else ()
        mask, _ = matching(self.target_filter.text(), [target.casefold() for target, _ in each])
        each = [pair for pair, matches in zip(each, mask, strict=True) if matches]
        values = np.array([values for _, values in each]).reshape(len(each), len(names))
        self.heatmap.set_scores(names, [target for target, _ in each], values, scores.number if scores else 0)
        self._show_order()

    def _show_order(self):
        self.heatmap.set_order(self._model.rows, self._model.selected)
        self.volcano.set_selected(self._model.selected)

    def show_view(self) -> None:
        """Show the view that is wanted if it is possible, and offer those that are."""
        names = list(self.pages)
        offered = [name for name in names if self.pages[name][1]()]
        number = names.index(self.wanted if self.wanted in offered else PLOT)
        with QSignalBlocker(self.tabs):
            for place, name in enumerate(names):
                # Qt forgets that tabs are to be arranged when another one is told what it is already
                if self.tabs.isTabVisible(place) != (name in offered):
                    self.tabs.setTabVisible(place, name in offered)
            self.tabs.setCurrentIndex(number)
        self.tabs.setVisible(len(offered) > 1)
        self.tabs.updateGeometry()  # a tab that appears beside others is not always painted
        self.tabs.update()
        self.stack.setCurrentIndex(number)

    def _chosen(self, number):
        self.wanted = list(self.pages)[number]
        self.show_view()
        self.changed.emit(self.wanted)


FIRST_SCORES = (
    "The first scores appear after a part of the rows, and change until all rows are used. You can stop at any time, "
    "and keep what there is."
)
AWAIT_MS = 400  # after which a window without scores says what it waits for; chosen by eye
SIZES = [360, 220]  # pixels of table and plot at first
P_VALUES = (
    "<p>Which features are real? The target is shuffled many times, and the leading score of each feature is "
    "compared with the scores of all features for shuffled targets. <b>q</b> is the expected share of false "
    "discoveries among the features down to this one. Features above the level under Selection are "
    "grey.</p><p>p-values follow the ranking, and are sent as metas of Scores. You can stop them at any time.</p>"
)


class RankingArea(QWidget, gui.OWComponent):
    """Shows rankings and says what the user did with them; decides nothing."""

    sorted_by_score = Signal(str)  # name of the method
    selected_by_hand = Signal()

    sizes = Setting([], fits=wholes)  # pixels of the table and of the charts
    log_ranks = Setting(None, fits=maybe(switch))  # in the plot; None: for many features
    view = Setting(None, fits=maybe(one_of(*VIEWS)))  # tab of the charts; None: the first one of the widget
    hidden_columns = Setting(["p: kind"], fits=strings)  # keys of columns of the table; beside p and q there is no kind
    attribute_columns = Setting([], fits=strings)  # names of attributes of features that are shown
    hide_constant = Setting(False)  # features that are constant or missing, in the table
    values_open = Setting(False)  # whether values of the current feature are shown beside the table

    def __init__(self, widget, first_view: str = PLOT, buttons=BUTTON):
        """widget: whose settings these are; first_view: tab that is shown until the user chooses one."""
        super().__init__()
        gui.OWComponent.__init__(self, widget)
        self._awaited = ""  # ranking whose first scores are awaited, in words; empty: there are scores, or none come
        self.model = RankingModel(self)
        self.table = RankingView(self.model)
        self.views = Views(self.model, self.view or first_view, self.log_ranks)
        self.menu, self._kept_place = TableMenu(self.table), ""
        self.values = ValuesPanel(self.table)
        self.strip = Strip(buttons=buttons)
        self.plot, self.heatmap = self.views.plot, self.views.heatmap
        self.sparkline = Sparkline()
        self.strip.layout().insertWidget(1, self.sparkline)
        self.filter = filter_line("Filter features", TIP, maxLength=LONGEST)
        self.filter.setMinimumWidth(48)
        self.stability_box = QCheckBox("Stability", accessibleName="Stability")
        self.p_box = QCheckBox("&p-values", toolTip=P_VALUES, accessibleName="p-values")
        self.significance = SignificancePanel()
        self.conclusion = WrappedLabel(accessibleName="Conclusion")
        self.counts = ElidedLabel()
        self.counts.setMinimumWidth(48)
        self._arrange()
        self._follow_settings()
        self._show_awaited_later = QTimer(self, singleShot=True, interval=AWAIT_MS)
        self._show_awaited_later.timeout.connect(self._show_awaited)
        self.strip.text_shown.connect(lambda _: self.views.body.reason.isVisible() and self._show_awaited())
        self.filter.textChanged.connect(self.model.set_filter)
        self.find = QShortcut(QKeySequence.Find, self)
        self.find.activated.connect(self.filter.setFocus)
        self.model.rows_changed.connect(self._show_counts)
        self.model.selection_changed.connect(self._show_counts)
        self.table.selectionModel().currentChanged.connect(self._show_counts)
        self.table.selected_by_hand.connect(self.selected_by_hand)
        self.table.horizontalHeader().sortIndicatorChanged.connect(self._sorted)
        for view in (self.plot, self.heatmap):
            view.clicked.connect(self._clicked_in_view)
        self.views.volcano.selected_by_hand.connect(self._chosen_in_view)
        self.views.quantiles.item_chosen.connect(
            lambda feature: self._chosen_in_view(np.arange(len(self.model.names)) == feature)
        )

    def _follow_settings(self):
        """Show what is stored, and store what the user changes."""
        self.table.hide_columns(self.hidden_columns)
        self.model.show_attributes(self.attribute_columns)
        self.values.set_open(self.values_open)
        self.menu.set_hide_constant(self.hide_constant)
        self.menu.attributes_changed.connect(self.model.show_attributes)
        for signal, name in (
            (self.menu.hidden_changed, "hidden_columns"),
            (self.menu.attributes_changed, "attribute_columns"),
            (self.menu.hide_constant_changed, "hide_constant"),
            (self.values.opened, "values_open"),
            (self.views.changed, "view"),
            (self.plot.log_changed, "log_ranks"),
        ):
            signal.connect(partial(setattr, self, name))

    def show_columns(self, names: Collection[str]) -> None:
        """Show these columns again, if they are hidden."""
        self.hidden_columns = [name for name in self.hidden_columns if name not in names]
        self.table.hide_columns(self.hidden_columns)

    def _store_sizes(self, *_):
        self.sizes = self.splitter.sizes()

    def _arrange(self):
        boxes, upper = (self.p_box, self.stability_box, self.values.box), QWidget()
        top = placed(QHBoxLayout(), (self.filter, 1), 8, *boxes, 8, self.counts)
        placed(
            QVBoxLayout(upper), self.conclusion, top, self.significance, (TableAndValues(self.table, self.values), 1)
        )
        self.splitter = QSplitter(Qt.Vertical, childrenCollapsible=True)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self.views)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setSizes(self.sizes if len(self.sizes) == 2 else SIZES)
        self.splitter.splitterMoved.connect(self._store_sizes)
        placed(QVBoxLayout(self), self.splitter, self.strip)

    def set_features(self, variables: Sequence[Variable]) -> None:
        self.views.set_scores((), 0)
        icons = []
        places = {}
        kinds = []
        for variable in variables:
            if type(variable) not in places:
                places[type(variable)] = len(icons)
                icons.append(gui.attributeIconDict[variable])
            kinds.append(places[type(variable)])
        n_values = [len(v.values) if v.is_discrete else 0 for v in variables]
        self.model.set_features([v.name for v in variables], kinds, n_values, icons, attributes_of(variables))

    def set_scores(self, columns: Sequence[MethodScores], leading: int) -> None:
        """Show scores; the leading one is what the rank column and the plot mean."""
        before = [scores.name for scores in self.model.columns], self.lead and self.lead.name
        self.model.set_columns(columns, leading)
        names = [scores.name for scores in columns]
        if names and (names, names[leading]) != before and names[leading] != self._kept_place:
            self.table.put_first(FIRST_SCORE + leading)
        self._kept_place = ""
        header = self.table.horizontalHeader()
        with QSignalBlocker(header):  # or sorting and leading would chase each other
            header.setSortIndicator(*self.model.sorted_by)
        self.views.set_scores(columns, leading)
        self._show_counts()

    def show_conclusion(self, text: str) -> None:
        """Show the first sentence on the leading ranking; empty: it still changes."""
        self.conclusion.setText(text)
        self.conclusion.setToolTip(plain(text))

    def await_scores(self, ranking: str) -> None:
        """Say in the place of the charts what is ranked, and how far it came; empty: show the charts."""
        if not ranking:
            self._show_awaited_later.stop()
            self.views.body.say("")
        elif not self._awaited:
            self._show_awaited_later.start()
        self._awaited = ranking

    def _show_awaited(self):
        lines = [self._awaited, self.strip.label.text(), FIRST_SCORES]
        self.views.body.say("\n\n".join(filter(None, lines)))

    def offer_p_values(self, reason: str) -> None:
        """Offer p-values, or show the reason why there are none."""
        self.p_box.setEnabled(not reason)
        self.p_box.setToolTip(reason or P_VALUES)

    @property
    def figure(self) -> object:
        return self.views.figure

    @property
    def lead(self) -> MethodScores | None:
        return self.model.columns[self.model.leading] if self.model.columns else None

    def selected_names(self) -> list[str]:
        return [self.model.names[i] for i in np.flatnonzero(self.model.selected)]

    def report_rows(self, most: int) -> list[list[str]]:
        """Titles and the first rows of the table as they are shown, with every score."""
        model = self.model
        rows = [["#", "Feature", *(scores.title for scores in model.columns)]]
        for f in model.rows[:most]:
            rank = str(model.columns[model.leading].ranks[f]) if model.columns else ""
            rows.append([rank, model.names[f], *(scores.text(f) for scores in model.columns)])
        return rows

    def _sorted(self, column, _):
        if FIRST_SCORE <= column < FIRST_SCORE + len(self.model.columns):
            self._kept_place = self.model.columns[column - FIRST_SCORE].name  # no title moves away from a mouse
            self.sorted_by_score.emit(self._kept_place)
            self._kept_place = ""

    def _clicked_in_view(self, feature):
        self.table.show_feature(feature)
        self.model.select(np.arange(len(self.model.names)) == feature)
        self.selected_by_hand.emit()

    def _chosen_in_view(self, mask):
        self.model.select(mask)
        self.selected_by_hand.emit()

    def _show_counts(self, *_):
        p = len(self.model.names)
        shown = len(self.model.rows)
        chosen = int(self.model.selected.sum())
        missing, named = not_found(self.model.shown.missing)
        texts = [missing] * bool(missing) + [f"{shown:,} of {p:,} shown"] * (shown < p)
        text = ", ".join([*texts, f"{chosen:,} of {p:,} selected"]) if p else ""
        self.counts.setText(text)
        row = row_text(self.model, self.table.currentIndex().row())
        self.table.setAccessibleDescription("; ".join(filter(None, (row, text))))
        self.counts.setToolTip(plain(f"{text}\n{named}" if named else text))
