"""Tests.  Tables are locked, so that a test fails when anything writes into the user's data."""

from Orange.data import Table

Table.LOCKING = True
