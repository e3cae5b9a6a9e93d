"""The add-on's widgets: the category that Orange's toolbox shows."""

import sysconfig

from .. import io  # noqa: F401 (the canvas then opens ARFF; it does not import the widgets at its start)

NAME = "ReliefE"
DESCRIPTION = "Rank features by the Relief family"
ICON = "icons/category.svg"
BACKGROUND = "#a8d5c8"
PRIORITY = 90

WIDGET_HELP_PATH = (
    ("{DEVELOP_ROOT}/doc/_build/html/index.html", None),
    (f"{sysconfig.get_path('data')}/help/orange3-reliefe/index.html", None),
)
