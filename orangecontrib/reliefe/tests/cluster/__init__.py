"""Tests of work on a cluster."""
