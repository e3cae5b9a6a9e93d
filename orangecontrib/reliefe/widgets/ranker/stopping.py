"""Stop of boosting, where it finds no more than chance, as a number that the selection suggests."""

TOOLTIP = (
    "<p>Boosting takes the feature next that tells most of what those before it leave open. It stops where the best "
    "one that is left gains no more than copies of features whose rows were shuffled: that many are worth having "
    "together. Relevant features that only repeat others come later.</p><p>Boosted lists change more from sample to "
    "sample than others: tick <i>Stability</i> to see how much.</p>"
)


def suggestion(stop: int) -> tuple[str, list[tuple[str, str]]]:
    """Template and links that say after how many features boosting stops."""
    if not stop:
        return "nothing above chance for boosting", []
    return "{} (where boosting stops)", [(str(stop), f"best {stop:,}")]
