"""Targets: how far two rows differ in the values to predict."""
