"""Outputs: what is added up while pairs go by."""
