"""The one way to run parts of a computation, in threads or on a cluster, in a fixed order."""
