"""Name by which workflows of earlier versions know the ARFF format that a user chose in the widget File."""

from .writing import ArffFormat

__all__ = ["ArffFormat"]
