"""Tests of boosting and learned space."""
