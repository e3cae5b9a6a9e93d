"""Tests of features and targets."""
