"""Texts of the table of a ranking about a feature or a score when the mouse rests on it, or in a report."""

from html import escape

from .measures import headline, told
from .nulllevel import LABEL

LABELS_TOLD = 8  # of which a tooltip gives the scores


def header_tip(scores) -> str:
    """Text about a column; scores: its `Scores`."""
    return scores.tooltip + f"<br>Dotted: {LABEL}, {scores.null_text}" * bool(scores.null_text)


def tooltip(model, feature: int) -> str:
    """All scores of a feature; model: the `RankingModel`."""
    lines = [f"<b>{escape(model.names[feature])}</b>"]
    for s, shares in zip(model.columns, model.shares, strict=False):
        score = f"{escape(s.title)}: {s.values[feature]:.6g}{s.error_text(feature)}"
        lines.append(f"{score}, rank {s.ranks[feature]:,} of {len(model.names):,}{s.k_text(feature)}")
        if s.significance is not None:
            lines.append(f"&nbsp; {told(s.significance, feature)}")
        if s.removed_after(feature):
            gone = f"removed after pass {s.removed_after(feature):,}"
            lines.append(f"&nbsp; {gone}: its score is none but a place in the list")
        if shares is not None:
            lines.append(f"&nbsp; {share_text(shares[feature], model.top, len(s.chances))}")
        best = sorted(s.each, key=lambda each: -each[1][feature])
        lines += [f"&nbsp; {escape(label)}: {values[feature]:.4g}" for label, values in best[:LABELS_TOLD]]
        lines += [f"&nbsp; and {len(best) - LABELS_TOLD} more labels"] * (len(best) > LABELS_TOLD)
    return "<br>".join(lines)


def state(model, feature: int) -> str:
    """State of a feature, for those who do not see it."""
    return "selected" if model.selected[feature] else "not selected"


def row_told(model, row: int) -> str:
    """Name and state of the feature in a row; empty without a row."""
    if not 0 <= row < len(model.rows):
        return ""
    return f"{model.names[model.rows[row]]}, {state(model, model.rows[row])}"


def told_of_lead(model) -> list[tuple[str, str | None]]:
    """More facts about the leading score, for a report: titles and texts, None where it is not known."""
    if not model.columns:
        return []
    lead, share = model.columns[model.leading], model.mean_share()
    stable = None if share is None else f"{100 * share:.0f} % of the best {model.top:,} are so in other samples of rows"
    stop = None if lead.stop is None else f"after {lead.stop:,} features"
    tested = None if lead.significance is None else headline(lead.significance, lead.level)
    facts = (LABEL.capitalize(), lead.null_text or None), ("Stability", stable), ("Boosting stops", stop)
    return [*facts, ("p-values", tested)]


def share_text(share: float, n: int, samples: int) -> str:
    """ "among the best 10 in 85 % of 20 samples"."""
    return f"among the best {n:,} in {100 * share:.0f} % of {samples} samples"
