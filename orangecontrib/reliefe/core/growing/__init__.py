"""Results to which more is added later."""
