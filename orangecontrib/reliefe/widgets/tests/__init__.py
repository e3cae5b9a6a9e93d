"""Tests of the widgets, without a screen.  Tables are locked: a test fails if anything writes into the user's data."""

import os

from Orange.data import Table

from orangecontrib.reliefe.command.warming import OFF

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault(OFF, "1")
Table.LOCKING = True
