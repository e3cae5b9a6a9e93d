"""Tests of graphs of near rows."""
