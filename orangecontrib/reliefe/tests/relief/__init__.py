"""Tests of the family of Relief."""
