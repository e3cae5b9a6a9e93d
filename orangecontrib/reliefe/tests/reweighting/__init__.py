"""Tests of re-weighting."""
