"""Tests of all rooms but the widgets."""
