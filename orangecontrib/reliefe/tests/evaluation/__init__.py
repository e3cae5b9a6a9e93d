"""Tests of the evaluation of rankings."""
