"""Tests of the widgets, without a screen.  Tables are locked: a test fails if anything writes into the user's data."""

import os

from Orange.data import Table

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
Table.LOCKING = True
