"""Compiled functions that every other room may call."""
