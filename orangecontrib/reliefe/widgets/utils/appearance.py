"""Fonts, titles and colours of charts, which users set in Orange's dialog of visual settings."""

from collections.abc import Mapping

from AnyQt.QtGui import QColor, QFont, QPalette
from Orange.widgets.visualize.utils.customizableplot import (
    CommonParameterSetter,
    Updater,
    available_font_families,
    default_font_family,
    default_font_size,
)
from Orange.widgets.visualize.utils.plotutils import GraphicsView
from orangewidget.utils.visual_settings_dlg import KeyType, SettingsType, ValueType

from .colors import hue, muted

FONTS, ANNOTATIONS, FIGURE = (
    CommonParameterSetter.LABELS_BOX, CommonParameterSetter.ANNOT_BOX, CommonParameterSetter.PLOT_BOX
)  # fmt: skip
FAMILY = CommonParameterSetter.FONT_FAMILY_LABEL
TITLE = CommonParameterSetter.TITLE_LABEL
X_TITLE, Y_TITLE = CommonParameterSetter.X_AXIS_LABEL, CommonParameterSetter.Y_AXIS_LABEL
AXIS_TITLE = CommonParameterSetter.AXIS_TITLE_LABEL
AXIS_TICKS = CommonParameterSetter.AXIS_TICKS_LABEL
LEGEND = CommonParameterSetter.LEGEND_LABEL
LABEL = CommonParameterSetter.LABEL_LABEL  # names of points and cells
PARTS = TITLE, AXIS_TITLE, AXIS_TICKS, LEGEND, LABEL  # with fonts
SIZES = range(4, 50)  # points of fonts, as in Orange's charts
COLORS = "Colors"
STANDARD, GREYS = PALETTES = ("Standard", "Greys")
GREY_SHARES = 0.0, 0.45, 0.25, 0.6  # shares of the ground in the greys of curves, one after the other


class Appearance:
    """Visual settings of a widget; those that the user did not change have the defaults of Qt and of our charts.

    Parameters
    ----------
    settings : mapping from (box, row, parameter) to value
        As Orange stores them. Rows of annotations are names of pictures.
    """

    def __init__(self, settings: Mapping[KeyType, ValueType]):
        self._settings = settings

    def font(self, part: str) -> QFont:
        """Font of one of PARTS."""
        font = QFont()
        size = self._value((FONTS, part, Updater.SIZE_LABEL), default_font_size())
        font.setFamily(self._value((FONTS, FAMILY, FAMILY), font.family()))
        font.setPointSize(min(max(size, SIZES.start), SIZES.stop))
        font.setItalic(self._value((FONTS, part, Updater.IS_ITALIC_LABEL), False))
        return font

    def _value(self, key: KeyType, default: ValueType) -> ValueType:
        """A setting; the default if there is none, or if what is stored is of another kind."""
        value = self._settings.get(key, default)
        return value if type(value) is type(default) else default

    def annotation(self, picture: str, parameter: str) -> str:
        """Title of a picture, or of an axis, that the user typed; empty: none."""
        return self._value((ANNOTATIONS, picture, parameter), "")

    def hue(self, number: int, palette: QPalette) -> QColor:
        """Colour of a method or class with a number."""
        if self._value((FIGURE, COLORS, COLORS), STANDARD) == GREYS:
            return muted(palette, GREY_SHARES[number % len(GREY_SHARES)])
        return hue(number, palette)


class StyledView(GraphicsView):
    """A view whose fonts, titles and colours the user can set."""

    appearance = Appearance({})

    def hue(self, number: int) -> QColor:
        """Colour of a method or class with a number."""
        return self.appearance.hue(number, self.palette())

    def annotations(self) -> tuple[str, ...]:
        """Names of the titles that the user can set."""
        return (TITLE,)

    def set_appearance(self, appearance: Appearance) -> None:
        """Take other fonts, titles and colours, and draw again."""
        self.appearance = appearance


def initial_settings(views: list[StyledView]) -> dict[str, dict[str, SettingsType]]:
    """Controls of the dialog for the charts of a widget: {box: {row: {parameter: (values, default)}}}."""
    fonts: dict[str, SettingsType] = {FAMILY: {FAMILY: (available_font_families(), default_font_family())}}
    for part in PARTS:
        fonts[part] = {Updater.SIZE_LABEL: (SIZES, default_font_size()), Updater.IS_ITALIC_LABEL: (None, False)}
    titles = {view.accessibleName(): dict.fromkeys(view.annotations(), ("", "")) for view in views}
    return {FONTS: fonts, ANNOTATIONS: titles, FIGURE: {COLORS: {COLORS: (list(PALETTES), STANDARD)}}}


def known_settings(
    stored: Mapping[KeyType, ValueType], initial: Mapping[str, Mapping[str, SettingsType]]
) -> dict[KeyType, ValueType]:
    """Stored settings that a dialog with these controls can show; fonts and charts may be gone."""
    known = {}
    for (box, row, parameter), value in stored.items():
        values, default = initial.get(box, {}).get(row, {}).get(parameter, (None, None))
        if type(value) is type(default) and (not values or value in values):
            known[box, row, parameter] = value
    return known
