"""Targets: how far two rows differ in what is predicted."""
