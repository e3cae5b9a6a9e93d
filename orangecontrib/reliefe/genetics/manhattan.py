"""Manhattan plots as SVG: a value for each variant along the chromosomes; p-values beside those of chance."""

import numpy as np

from ..core import genomic_inflation
from ..core.words import xml_text
from .genotypes import Variants

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 1100, 420, 70, 50, 20, 60
INK, FAINT, COLOURS, BEST = "#1f2933", "#616e7c", ("#2a6f97", "#8aa9bb"), "#c8553d"
NAMED = 5  # variants whose names are written
MOST_EVEN = 1.1  # genomic inflation above which there is something to look for
PLACES = 300  # where a band is computed
FONT = "system-ui, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"


def along(variants: Variants) -> tuple[np.ndarray, np.ndarray, list[tuple[str, float]]]:
    """Places of variants on one axis.

    Returns shape x (p,), number (p,).
    """
    names = sorted(set(variants.chromosome.tolist()), key=_natural)
    place_of = {name: c for c, name in enumerate(names)}
    number = np.array([place_of[name] for name in variants.chromosome.tolist()])
    place: np.ndarray = np.zeros(len(variants))
    labels, start = [], 0.0
    for c, name in enumerate(names):
        own = np.flatnonzero(number == c)
        position = variants.position[own].astype(float)
        if np.ptp(position) == 0:
            position = np.arange(len(own), dtype=float)
        span = max(float(np.ptp(position)), 1.0)
        place[own] = start + position - position.min()
        labels.append((name, start + span / 2))
        start += span * 1.02
    return place / start, number, [(name, middle / start) for name, middle in labels]


def manhattan(title: str, label: str, variants: Variants, values: np.ndarray) -> str:
    """Draw values (p,); of points that fall together one is drawn, so that a million make a small file."""
    x, number, labels = along(variants)
    low, high = float(values.min()), float(values.max())
    scale = (HEIGHT - TOP - BOTTOM) / (high - low if high > low else 1.0)
    px = np.round(LEFT + x * (WIDTH - LEFT - RIGHT), 1)
    py = np.round(HEIGHT - BOTTOM - (values - low) * scale, 1)
    _, first = np.unique(np.stack([px, py], axis=1), axis=0, return_index=True)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="{FONT}" font-size="12" role="img">',
        f"<title>{xml_text(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="28" font-size="17" font-weight="600" fill="{INK}">{xml_text(title)}</text>',
        f'<text x="18" y="{HEIGHT / 2}" transform="rotate(-90 18 {HEIGHT / 2})" text-anchor="middle" '
        f'fill="{FAINT}">{xml_text(label)}</text>',
    ]
    for value in np.linspace(low, high, 5):
        y = HEIGHT - BOTTOM - (value - low) * scale
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="{FAINT}">{value:.3g}</text>')
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#e4e7eb"/>')
    for parity, colour in enumerate(COLOURS):
        chosen = first[number[first] % 2 == parity]
        dots = "".join(f"M{a:g} {b:g}h0" for a, b in zip(px[chosen].tolist(), py[chosen].tolist(), strict=True))
        parts.append(f'<path d="{dots}" stroke="{colour}" stroke-width="3" stroke-linecap="round" fill="none"/>')
    for f in np.argsort(-values, kind="stable")[:NAMED].tolist():
        anchor = "end" if px[f] > WIDTH / 2 else "start"
        shift = -6 if anchor == "end" else 6
        parts.append(f'<circle cx="{px[f]:g}" cy="{py[f]:g}" r="3" fill="{BEST}"/>')
        name = xml_text(str(variants.name[f]))
        parts.append(f'<text x="{px[f] + shift:g}" y="{py[f] + 4:g}" text-anchor="{anchor}" fill="{INK}">{name}</text>')
    for name, middle in labels:
        place = LEFT + middle * (WIDTH - LEFT - RIGHT)
        where = f'x="{place:.1f}" y="{HEIGHT - BOTTOM + 20}"'
        parts.append(f'<text {where} text-anchor="middle" fill="{FAINT}">{xml_text(name)}</text>')
    caption = "chromosome" if any(name for name, _ in labels) else "variants in their order"
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle" fill="{FAINT}">{caption}</text>')
    return "\n".join([*parts, "</svg>"])


def inflation(p: np.ndarray) -> str:
    """The genomic inflation of p-values (m,) in words: with the possible causes of much."""
    found = genomic_inflation(p)
    why = ": a confounder that is no covariate, rows that belong together, or many small effects"
    return f"lambda {found:.2f}{why if found > MOST_EVEN else ''}"


def band(m: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Band of 95 % of the i-th smallest of m p-values of chance, Beta(i, m - i + 1): i (k,), low (k,), high (k,)."""
    from scipy.special import betaincinv  # which takes time

    i = np.unique(np.geomspace(1, m, PLACES).round().astype(int))
    return i, betaincinv(i, m - i + 1, 0.025), betaincinv(i, m - i + 1, 0.975)


def _natural(name: str) -> tuple[bool, int, str]:
    """Key that puts chromosome 2 before 10, and both before X."""
    plain = name.removeprefix("chr")
    numbered = plain.isdecimal() and len(plain) < 19
    return not numbered, int(plain) if numbered else 0, name
