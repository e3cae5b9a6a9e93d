"""Tests of scikit-learn's interface."""
