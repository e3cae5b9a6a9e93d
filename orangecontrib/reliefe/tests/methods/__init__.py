"""Tests of single methods."""
