"""The decorator of compiled functions, their cache, and those that every other room may call."""
