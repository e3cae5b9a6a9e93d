"""The add-on's widgets: the category that Orange's toolbox shows."""

import sysconfig

NAME = "ReliefE"
DESCRIPTION = "Rank features by the Relief family"
ICON = "icons/category.svg"
BACKGROUND = "#a8d5c8"
PRIORITY = 90

WIDGET_HELP_PATH = (
    ("{DEVELOP_ROOT}/doc/_build/html/index.html", None),
    (f"{sysconfig.get_path('data')}/help/orange3-reliefe/index.html", None),
)
