"""Tests of regressions that rank features."""
