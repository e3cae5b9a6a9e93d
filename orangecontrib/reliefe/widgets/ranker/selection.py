"""Controls of the selection: none, all, manual, best n, a best share, a score from a threshold up."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QRadioButton,
    QSlider,
    QWidget,
)
from Orange.widgets import gui
from Orange.widgets.settings import Setting

from ...core.words import counted, percent
from ...orange.ranker.scores import NULL_TOOLTIP, MethodScores
from ...orange.ranker.selection import (
    ALL,
    BEST,
    FDR,
    FROM,
    MANUAL,
    MODES,
    NONE,
    SHARE,
    SelectionRule,
    knee,
    reaching,
    share_count,
)
from ...orange.stored_settings import between, one_of, within
from ..utils.controls import LinkLabel, choices, fill, named, number_box, placed, spin

BUTTONS = {
    NONE: ("&None", "Send no features"),
    ALL: ("&All", "Send all features"),
    MANUAL: ("Man&ual", "Click rows of the table; Ctrl adds one, Shift adds a range"),
    BEST: ("&Best", "The n features with the highest leading scores above zero"),
    SHARE: ("B&est share", "A share of all features: those with the highest leading scores above zero"),
    FROM: ("S&core ≥", "Features whose leading score is at least this"),
    FDR: ("All at F&DR", "All features with a false discovery rate (q) up to this level. p-values take a while"),
}
STEPS = 1000  # of the slider, equal ratios apart
MIN_SHARE = 0.01  # per cent
LEVELS = (0.01, 0.05, 0.1, 0.2)  # of the false discovery rate
LEVEL = 0.1
LEVEL_TIP = (
    "False discovery rate, from 1 to 20 %: expected share of false discoveries among the selected features. All "
    "other features are grey"
)
STOP_TIP = (
    "<p>Boosting adds the feature that explains most of the target beyond the features before it. It stops when the "
    "best remaining feature gains no more than shuffled copies of features. Relevant but redundant features come "
    "later.</p><p>Boosted lists change more between samples than lists of other methods: tick <i>Stability</i> to "
    "see how much.</p>"
)
GROUPS_TIP = "Groups of alike features. Only the best feature of each is sent"
FOLD = (
    "Fold alike features under the best one. Click +3 or another number, or press Right, to unfold; Left folds "
    "it. Best then counts groups, and only the best feature of each is sent. Scores has all groups and their sizes"
)


def n_at(step: int, p: int) -> int:
    """Number of features at a step of the slider: 1, 2, 3, ... near the left, ever larger jumps to the right."""
    return round(p ** (step / STEPS)) if p else 0


def step_at(n: int, p: int) -> int:
    """Step of the slider for `n` of `p` features."""
    return round(STEPS * np.log(max(n, 1)) / np.log(p)) if p > 1 else 0


class PercentBox(QDoubleSpinBox):
    """Per cent, without zeros at the end."""

    def textFromValue(self, value):
        return self.locale().toString(value, "g", 6)


class SelectionBox(QWidget, gui.OWComponent):
    """Controls of a selection; n and threshold are what the user asked for, even if the data have less.

    changed: by the user.
    table_changed: the user folded correlated features, or chose another level of the false discovery rate.
    """

    changed = Signal()
    table_changed = Signal()
    leading_chosen = Signal(str)  # name of a method, or ""

    mode = Setting(BEST, fits=one_of(*MODES))
    n_best = Setting(10, fits=between(1))
    threshold = Setting(0.0)
    share = Setting(10.0, fits=within(MIN_SHARE, 100))  # per cent of the features
    level = Setting(LEVEL, fits=lambda value: isinstance(value, float) and value in LEVELS)  # false discovery rate
    fold_alike = Setting(False)  # features under the best of their groups
    manual = Setting([], schema_only=True)  # names of features

    def __init__(self, widget, has_p_values: bool = True, has_groups: bool = True):
        """widget: whose settings these are; True: features can be selected by p-values, or folded into groups."""
        super().__init__()
        gui.OWComponent.__init__(self, widget)
        if self.mode == FDR and not has_p_values:
            self.mode = BEST
        self.p = 0
        self.groups = None
        self.keep = np.zeros(0, bool)  # (p,): features that are always selected
        group, self.buttons = QButtonGroup(self), {}
        for name, (text, tip) in BUTTONS.items():
            self.buttons[name] = QRadioButton(text, toolTip=tip, checked=name == self.mode)
            self.buttons[name].clicked.connect(partial(self.choose, name))
            group.addButton(self.buttons[name])
        self._make_editors()
        self._arrange()
        self.fold_box.setVisible(has_groups)
        self.slider.valueChanged.connect(lambda step: self.set_n(n_at(step, self.p)))
        self.spin.valueChanged.connect(self.set_n)
        self.limit.valueChanged.connect(self.set_threshold)
        self.part.valueChanged.connect(self.set_share)
        self.hint.linkActivated.connect(lambda n: self.set_n(int(n)))
        self.levels.activated.connect(self._level_chosen)
        self.fold_box.clicked.connect(self._fold)
        self.leading.activated.connect(lambda index: self.leading_chosen.emit(self.leading.itemData(index)))
        self.set_size(0)
        self.hint.hide()
        self.offer_fdr(False)

    def _make_editors(self):
        amount, steps = "Number of best features", {"stepType": QDoubleSpinBox.AdaptiveDecimalStepType}
        self.slider = QSlider(
            Qt.Horizontal, minimum=0, maximum=STEPS, accessibleName=amount, toolTip=f"{amount}, in equal ratios"
        )
        self.spin = spin(amount, 1, 1, 1, amount)
        tip = "Lowest leading score of the selected features"
        self.limit = number_box("Least score", self.threshold, -1e9, 1e9, tip, decimals=4, **steps)
        self.part = number_box(
            "Best share", self.share, MIN_SHARE, 100, "Best share of all features", PercentBox, suffix=" %", **steps
        )
        levels = [(percent(each), each) for each in LEVELS]
        self.levels = choices("False discovery rate", levels, self.level, LEVEL_TIP)
        self.leading = QComboBox(
            toolTip="The score used by Best, Score ≥ and the rank column. Sorting by a score chooses it, too",
            accessibleName="Leading score",
            sizeAdjustPolicy=QComboBox.AdjustToMinimumContentsLengthWithIcon,
        )
        self.hint, self.group_label = LinkLabel(wordWrap=True), QLabel(visible=False, toolTip=GROUPS_TIP)
        self.fold_box = QCheckBox("&Fold alike", toolTip=FOLD, accessibleName="Fold alike features")
        self.fold_box.setChecked(self.fold_alike)
        width = self.fontMetrics().horizontalAdvance("000,000") + 34
        for part in (self.spin, self.limit, self.part):
            part.setFixedWidth(width)

    def _arrange(self):
        grid, top = QGridLayout(self), placed(QHBoxLayout(), *(self.buttons[name] for name in (NONE, ALL, MANUAL)))
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        top.addStretch()
        self.leading_label = named("&Leading", self.leading)
        grid.addLayout(top, 0, 0, 1, 3)
        grid.addWidget(self.buttons[BEST], 1, 0)
        grid.addWidget(self.slider, 1, 1)
        grid.addWidget(self.spin, 1, 2)
        for row, (name, editor) in enumerate(((SHARE, self.part), (FROM, self.limit), (FDR, self.levels)), 2):
            grid.addWidget(self.buttons[name], row, 0)
            grid.addWidget(editor, row, 1, 1, 2, Qt.AlignRight)
        grid.addWidget(self.hint, 5, 0, 1, 3)
        grid.addWidget(self.fold_box, 6, 0)
        grid.addWidget(self.group_label, 6, 1, 1, 2)
        grid.addWidget(self.leading_label, 7, 0)
        grid.addWidget(self.leading, 7, 1, 1, 2)

    def offer_leading(self, offered: bool) -> None:
        """Show the choice of a leading score, or hide it; offered: there can be more than one."""
        for part in (self.leading_label, self.leading):
            part.setVisible(offered)

    def offer_fdr(self, offered: bool) -> None:
        """Show the selection by p-values, or hide it where there are none."""
        for part in (self.buttons[FDR], self.levels):
            part.setVisible(offered)

    def set_mode(self, mode: str) -> None:
        """Check a mode, quietly."""
        self.mode = mode
        self.buttons[mode].setChecked(True)

    def choose_by_hand(self, names: Sequence[str]) -> None:
        """Choose features by their names, as the user does who clicks rows."""
        self.manual = list(names)
        self.choose(MANUAL)

    def rule(self, keep: Sequence[str], folded: bool) -> SelectionRule:
        """Rule of the selection as it is set.

        keep: names of the features that are always selected.
        folded: True if the best feature of each group of correlated ones counts, and no other of the group.
        """
        return SelectionRule(
            mode=self.mode,
            n=self.n_best,
            threshold=self.threshold,
            share=self.share,
            level=self.level,
            folded=folded,
            keep=tuple(keep),
        )

    def set_size(self, p: int) -> None:
        """Set the number of features; `n_best` is remembered, so that small data in between do not lose it."""
        self.p = p
        self.groups = None
        self.keep = np.zeros(p, bool)
        self.setEnabled(p > 0)
        with QSignalBlocker(self.spin):
            self.spin.setMaximum(max(p, 1))
        self._show()

    def set_scores(self, columns: list[MethodScores], leading: int) -> None:
        """List the scores; leading: index of the one that leads."""
        lead = columns[leading] if columns else None
        fill(self.leading, [(scores.title, scores.name) for scores in columns], lead and lead.name)
        if len(columns) > 1:
            self.offer_leading(True)
        self._order = lead.order if lead else np.arange(self.p)
        # with p-values there are two other suggestions, and no third
        self._suggest(lead if lead and not lead.partial and lead.significance is None else None)
        if lead:
            with QSignalBlocker(self.limit):
                self.limit.setDecimals(min(lead.decimals + 1, 8))
            number = f"{-0.0:.{self.limit.decimals()}f}"
            self.limit.setFixedWidth(max(self.fontMetrics().horizontalAdvance(number) + 34, self.spin.width()))
        self._show()

    def _suggest(self, lead):
        """Suggest the stop of boosting, or the drop of the scores, and the null level; each may be missing."""
        stop, above = (lead.stop, lead.null) if lead else (None, None)
        above = None if above is None else int((lead.values[self.first] > above).sum())
        best = knee(lead.values[lead.order[self.first[lead.order]]]) if lead and stop is None else None
        parts = []
        links = []
        tips = []
        if stop is not None:
            parts.append("{} (where boosting stops)" if stop else "boosting stops before the first feature")
            links += [(str(stop), f"best {stop:,}")] * (stop > 0)
            tips.append(STOP_TIP)
        if best is not None:
            parts.append("{} (largest drop)")
            links.append((str(best), f"best {best:,}"))
            tips.append("<p>The largest drop of the leading score, if it is pronounced.</p>")
        if above is not None:
            parts.append("{}" if above else "none above the null level")
            links += [(str(above), f"{above:,} above the null level")] * (above > 0)
            tips.append(NULL_TOOLTIP)
        self.hint.setVisible(bool(parts))
        line = ("Suggested: " if links else "") + ", ".join(parts)
        self.hint.set_links(line[:1].upper() + line[1:], *links)
        self.hint.setToolTip("".join(tips))

    def set_n(self, n: int) -> None:
        """Choose the best `n`."""
        self.n_best = int(n)
        self.choose(BEST)

    def set_last(self, rank: int) -> None:
        """Choose the features, or groups, down to a rank, beside those that are always selected."""
        chosen = self.keep.copy()
        chosen[self._order[:rank]] |= self.first[self._order[:rank]]
        self.set_n(max(int(chosen.sum()), 1))

    def set_threshold(self, threshold: float) -> None:
        """Choose scores from `threshold` up."""
        self.threshold = float(threshold)
        self.choose(FROM)

    def set_share(self, share: float) -> None:
        """Choose a share, in per cent, of the best."""
        self.share = float(share)
        self.choose(SHARE)

    def choose(self, mode: str, *_) -> None:
        """Choose a mode as the user does."""
        self.set_mode(mode)
        self._show()
        self.changed.emit()

    @property
    def best(self) -> int | None:
        """Number of the best features that are asked for, at most all; None where their number does not decide."""
        p = int(self.first.sum())
        wanted = {BEST: self.n_best, SHARE: share_count(self.share, p)}.get(self.mode)
        return wanted and min(wanted, p)

    @property
    def first(self) -> np.ndarray:
        """(p,) bool: True for features that represent a group; for all if nothing is folded."""
        return np.ones(self.p, bool) if self.groups is None else self.groups == np.arange(self.p)

    def show_groups(self, selected: np.ndarray) -> None:
        """Show how many groups, with how many features, the selected ones (p,) are of."""
        self.group_label.setVisible(self.groups is not None)
        if self.groups is not None:
            chosen = np.unique(self.groups[selected])
            n = int(np.isin(self.groups, chosen).sum())
            self.group_label.setText(f"{counted(len(chosen), 'group')}: {counted(n, 'feature')}")

    def mask(self, scores: MethodScores | None, manual: np.ndarray) -> np.ndarray:
        """(p,) bool: True for selected features; manual (p,): those that were clicked."""
        if self.mode == MANUAL:
            return manual | self.keep
        if self.mode == NONE:
            return np.zeros(self.p, bool)
        mask = np.full(self.p, self.mode == ALL)
        if scores and self.mode in (BEST, SHARE, FROM):
            mask = reaching(scores, None if self.mode == FROM else self.best, self.threshold, self.first, self.keep)
        elif scores and self.mode == FDR and scores.real is not None:
            mask = scores.real
        return (mask & self.first) | self.keep

    def _show(self):
        blocked = [QSignalBlocker(part) for part in (self.slider, self.spin, self.limit, self.part)]
        self.spin.setValue(self.n_best)
        if n_at(self.slider.value(), self.p) != self.n_best:  # do not pull the handle away from the mouse
            self.slider.setValue(step_at(self.n_best, self.p))
        self.limit.setValue(self.threshold)
        self.part.setValue(self.share)
        for each in blocked:
            each.unblock()

    def _level_chosen(self, index):
        self.level = LEVELS[index]
        self.table_changed.emit()

    def _fold(self, folded):
        self.fold_alike = folded
        self.table_changed.emit()
