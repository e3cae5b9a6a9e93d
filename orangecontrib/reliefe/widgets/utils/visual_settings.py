"""Base of widgets whose charts have visual settings: Orange's dialog for fonts, titles and colours."""

from AnyQt.QtCore import QTimer
from Orange.widgets.settings import Setting
from Orange.widgets.widget import OWWidget
from orangewidget.utils.visual_settings_dlg import KeyType, ValueType, VisualSettingsDialog

from ...orange.stored_settings import visual
from .appearance import Appearance, StyledView, initial_settings, known_settings


class OWWithCharts(OWWidget, openclass=True):
    """Offers the dialog, which is made when it is opened, and applies the settings to all charts of the widget."""

    visual_settings = Setting({}, schema_only=True, fits=visual)  # {(box, row, parameter): value}

    def __init__(self):
        super().__init__()
        self._dialog: VisualSettingsDialog | None = None
        self.openVisualSettingsClicked.connect(self._open_dialog)
        self._styling = QTimer(self, singleShot=True, interval=0)
        self._styling.timeout.connect(self._apply_appearance)
        if self.visual_settings:
            self._styling.start()  # when the charts are made

    def set_visual_settings(self, key: KeyType, value: ValueType) -> None:
        """Change a setting; called by the dialog."""
        self.visual_settings[key] = value
        self._apply_appearance()

    def _apply_appearance(self):
        appearance = Appearance(dict(self.visual_settings))
        for view in self.findChildren(StyledView):
            view.set_appearance(appearance)

    def _open_dialog(self):
        if self._dialog is None:
            initial = initial_settings(self.findChildren(StyledView))
            self.visual_settings = known_settings(self.visual_settings, initial)
            self._dialog = VisualSettingsDialog(self, initial)  # which opens itself from now on
            self._dialog.show_dlg()
