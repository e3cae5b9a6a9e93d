"""Window of a ranker (Qt, Orange): its parts, the settings that they keep, and their places.

`ranker.py` says what the parts show, and what happens if the user changes them.
"""

from AnyQt.QtWidgets import QWidget
from Orange.widgets import gui
from Orange.widgets.settings import Setting, SettingProvider

from ..utils.settings import CheckedSettings, auto_send
from ..utils.strip import BUTTON
from ..utils.task import TaskRunner
from ..utils.visual_settings import OWWithCharts
from .area import PLOT, RankingArea
from .columnsbox import ColumnsBox, SuggestedMethod
from .featuregroupsbox import FeatureGroupsBox
from .featuresbox import FeaturesBox
from .keepbox import KeepBox
from .methodpanel import MethodPanel
from .selection import SelectionBox
from .studybox import StudyBox
from .suggestedcount import SuggestedCount


class RankerWindow(TaskRunner, OWWithCharts, openclass=True):
    """Methods, selection and study at the left; the table of features, charts and a line of text at the right.

    A subclass chooses among the parts by attributes, and gives `offered()`.
    """

    graph_name = "area.figure"

    settingsHandler = CheckedSettings()
    settings_version = 1

    # Parts with settings of their own, which workflows store under these names
    area = SettingProvider(RankingArea)  # table of features, charts, and the line below
    columns = SettingProvider(ColumnsBox)  # target, and columns that are left out
    panel = SettingProvider(MethodPanel)  # list of methods, and the parameters of the highlighted one
    selection = SettingProvider(SelectionBox)  # rule of the selection, and the leading score
    keep_box = SettingProvider(KeepBox)  # features that are always selected
    features_box = SettingProvider(FeaturesBox)  # use of the features on the input
    study = SettingProvider(StudyBox)  # covariates and the group of rows
    groups_box = SettingProvider(FeatureGroupsBox)  # features that are ranked as one
    auto_apply = Setting(True)

    # Choices of a subclass
    usual: tuple[str, ...] = ()  # names of methods that are ticked at first; one for each task
    supervised = True  # False: the target takes no part
    presets = False  # True: there are choices that stand for several methods
    takes_groups = False  # of rows
    takes_covariates = False
    takes_feature_groups = False
    panel_type = MethodPanel
    buttons = BUTTON  # texts of the button below, by the state of the ranking
    first_view = PLOT  # tab of the charts

    def offered(self) -> tuple:
        """Return the methods of the list."""
        raise NotImplementedError

    def _make_results(self):
        """Make the table with its charts, and the boxes that follow-ups need."""
        self.selection = SelectionBox(self, has_p_values=self.supervised)
        self.area = RankingArea(self, self.first_view, self.buttons)
        self.suggested_count = SuggestedCount()

    def _make_controls(self, has_p_values: bool):
        """Make the boxes at the left; has_p_values: True if the user wants p-values."""
        self.columns = ColumnsBox(self)
        self.suggested_method = SuggestedMethod()
        self.panel = self.panel_type(self, self.offered(), self.usual)
        self.panel.offer(self.presets, self.supervised, has_p_values)
        self.selection.offer_fdr(self.supervised and has_p_values)
        self.selection.offer_leading(len(self.panel.methods) > 1)
        self.features_box = FeaturesBox(self)
        self.keep_box = KeepBox(self)
        self.study = StudyBox(self, self.takes_covariates, takes_times=self.takes_covariates)
        self.study.setVisible(self.takes_groups)
        self.groups_box = FeatureGroupsBox(self)

    def _arrange(self):
        """Put the parts into their places."""
        self.mainArea.layout().addWidget(self.area)
        self.controlArea.layout().addWidget(self.panel)
        places = self.panel.layout()
        places.insertWidget(0, self.columns)
        places.insertWidget(1, self.suggested_method)
        places.insertWidget(3, self._selection_box())  # above the parameters: it decides more
        places.insertWidget(4, self.study)
        places.insertWidget(5, self.groups_box)
        gui.rubber(self.controlArea)
        auto_send(self)

    def _selection_box(self) -> QWidget:
        """Box with all that decides on the selected features."""
        box = gui.vBox(None, "Selection")
        for part in (self.selection, self.keep_box, self.suggested_count, self.features_box):
            box.layout().addWidget(part)
        return box
