"""Tests of forests."""
