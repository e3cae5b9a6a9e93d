"""Stored settings: what cannot have been stored by this version gives way to the default, whoever wrote it.

Each `Setting` may say what `fits`, a function from a value to bool; otherwise values must be of the default's kind.
"""

from collections.abc import Callable, Mapping

from Orange.widgets import gui
from orangewidget.settings import VERSION_KEY, SettingsHandler

MAX_INTEGER = 2**31 - 1  # of Qt's integers
MAX_NUMBER = 1e300

Fits = Callable[[object], bool]


def switch(value: object) -> bool:
    """A bool."""
    return isinstance(value, bool)


def whole(value: object) -> bool:
    """An integer that Qt can show."""
    return isinstance(value, int) and not isinstance(value, bool) and -MAX_INTEGER <= value <= MAX_INTEGER


def number(value: object) -> bool:
    """A finite number that is not extreme."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -MAX_NUMBER <= value <= MAX_NUMBER


def string(value: object) -> bool:
    """A string."""
    return isinstance(value, str)


def anything(value: object) -> bool:
    """A list, whose items are looked at when they are used."""
    return isinstance(value, list)


def strings(value: object) -> bool:
    """A list of strings."""
    return isinstance(value, list) and all(map(string, value))


def wholes(value: object) -> bool:
    """A list of integers."""
    return isinstance(value, list) and all(map(whole, value))


def tables(value: object) -> bool:
    """Dictionaries by name."""
    return isinstance(value, dict) and all(map(string, value)) and all(isinstance(v, dict) for v in value.values())


def maybe(fits: Fits) -> Fits:
    """None, or what fits."""
    return lambda value: value is None or fits(value)


def one_of(*words: str) -> Fits:
    """One of some strings."""
    return lambda value: isinstance(value, str) and value in words


def between(low: int, high: int = MAX_INTEGER) -> Fits:
    """An integer between bounds, inclusive."""
    return lambda value: whole(value) and low <= value <= high


def packed(value: object) -> bool:
    """Bytes."""
    return isinstance(value, bytes)


def within(low: float, high: float) -> Fits:
    """A number between bounds, inclusive."""
    return lambda value: number(value) and low <= value <= high


BY_TYPE = {bool: switch, int: whole, float: number, str: string, list: strings, dict: tables}
OF_ORANGE = {"savedWidgetGeometry": maybe(packed)}  # settings of all widgets whose default does not show the type


def fitting(stored: Mapping[str, object], kept: Mapping[str, Fits]) -> dict[str, object]:
    """Stored values that are known and fit."""
    return {name: stored[name] for name, fits in kept.items() if name in stored and fits(stored[name])}


class CheckedSettings(SettingsHandler):
    """The handler of all widgets here: for settings in workflows, and for those that Orange keeps for new widgets."""

    def initialize(self, instance, data=None):
        super().initialize(instance, data if isinstance(data, dict | bytes) else None)

    def analyze_setting(self, prefix, setting):
        """Find the rule for a setting before its default is changed."""
        super().analyze_setting(prefix, setting)
        if not hasattr(setting, "fits"):
            setting.fits = OF_ORANGE.get(setting.name) or BY_TYPE[type(setting.default)]

    def _migrate_settings(self, settings):
        if not settings:
            return
        if not between(0)(settings.get(VERSION_KEY, 0)):
            settings[VERSION_KEY] = self.widget_class.settings_version
        super()._migrate_settings(settings)
        for setting, data, _ in self.provider.traverse_settings(data=settings):
            if setting.name in data and not setting.fits(data[setting.name]):
                del data[setting.name]


def auto_send(widget) -> None:
    """Add both to the widget's buttons, with a name for the box: it has no text of its own; setting: `auto_apply`."""
    gui.auto_send(widget.buttonsArea, widget, "auto_apply")
    widget.controls.auto_apply.setAccessibleName("Send automatically")
