"""Handler of stored settings: a value that does not fit gives way to the default, whoever stored it.

Each `Setting` may say what `fits`, a function from a value to bool; otherwise values must be of the default's kind.
"""

from Orange.widgets import gui
from orangewidget.settings import VERSION_KEY, SettingsHandler

from ...orange.stored_settings import BY_TYPE, between, maybe, packed

OF_ORANGE = {"savedWidgetGeometry": maybe(packed)}  # settings of all widgets whose default does not show the type


class CheckedSettings(SettingsHandler):
    """The handler of all widgets here: for settings in workflows, and for those that Orange keeps for new widgets."""

    def initialize(self, instance, data=None):
        super().initialize(instance, data if isinstance(data, dict | bytes) else None)

    def analyze_setting(self, prefix, setting):
        """Find the rule for a setting before its default is changed."""
        super().analyze_setting(prefix, setting)
        if not hasattr(setting, "fits"):
            setting.fits = OF_ORANGE.get(setting.name) or BY_TYPE[type(setting.default)]

    def _add_defaults(self, data):
        """Add the defaults; parts without any begin with their own, and not with those of the widget before."""
        return {name: {} for name in self.provider.providers} | super()._add_defaults(data)

    def _migrate_settings(self, settings):
        if not settings:
            return
        if not between(0)(settings.get(VERSION_KEY, 0)):
            settings[VERSION_KEY] = self.widget_class.settings_version
        for name in self.provider.providers:
            if not isinstance(settings.get(name, {}), dict):
                del settings[name]
        super()._migrate_settings(settings)
        for setting, data, _ in self.provider.traverse_settings(data=settings):
            if setting.name in data and not setting.fits(data[setting.name]):
                del data[setting.name]


def auto_send(widget) -> None:
    """Add both to the widget's buttons, with a name for the box: it has no text of its own; setting: `auto_apply`."""
    gui.auto_send(widget.buttonsArea, widget, "auto_apply")
    widget.controls.auto_apply.setAccessibleName("Send automatically")
