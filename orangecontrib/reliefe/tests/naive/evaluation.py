"""Twins of the evaluation: neighbours by a weighted distance, measures, quotas of labels, reconstruction."""

import numpy as np


def mode(values):
    known = [v for v in values if not np.isnan(v)]
    return min(set(known), key=lambda v: (-known.count(v), v)) if known else 0.0


def prepared(X, train, nominal, ranges=None):
    """(filled X, range of every feature) by what is known of the training rows."""
    X, spans = np.array(X, float), []
    for a in range(X.shape[1]):
        known = [v for v in X[train, a] if not np.isnan(v)]
        stand_in = mode(known) if nominal[a] else (sum(known) / len(known) if known else 0.0)
        X[:, a] = [stand_in if np.isnan(v) else v for v in X[:, a]]
        spans.append(ranges[a] if ranges is not None else (max(known) - min(known) if known else 0.0))
    return X, spans


def weights_of(scores):
    if any(s == np.inf for s in scores):
        return [float(s == np.inf) for s in scores]
    weights = [float(s) if s > 0 else 0.0 for s in scores]
    return weights if any(weights) else [1.0] * len(weights)


def neighbours(X, train, test, scores, k, nominal, ranges=None, fitted=None):
    """For each test row the k nearest training rows; ties go to the first one."""
    X, spans = prepared(X, train if fitted is None else fitted, nominal, ranges)
    weights = weights_of(scores)
    found = []
    for i in test:
        d = []
        for j in train:
            total = 0.0
            for a, w in enumerate(weights):
                if nominal[a]:
                    total += w * (X[i, a] != X[j, a])
                elif spans[a] > 0:
                    total += w * ((X[i, a] - X[j, a]) / spans[a]) ** 2
            d.append(round(total / sum(weights), 12))
        places = sorted(range(len(train)), key=lambda place: (d[place], place))[:k]
        found.append([train[place] for place in places])
    return np.array(found)


def vote(codes, near):
    winners = []
    for rows in near:
        own = [codes[j] for j in rows if codes[j] >= 0]
        winners.append(min(set(own), key=lambda c: (-own.count(c), c)) if own else -1)
    return np.array(winners)


def mean(values, near):
    out = []
    for rows in near:
        known = [values[j] for j in rows if not np.isnan(values[j])]
        out.append(sum(known) / len(known) if known else np.nan)
    return np.array(out)


def f1_of(truth, predicted, c):
    tp = sum(t == c and p == c for t, p in zip(truth, predicted))
    fp = sum(t != c and p == c for t, p in zip(truth, predicted))
    fn = sum(t == c and p != c for t, p in zip(truth, predicted))
    return 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else 0.0


def macro_f1(truth, predicted):
    return float(np.mean([f1_of(truth, predicted, c) for c in sorted(set(truth) | set(predicted))]))


def rrmse(truth, predicted):
    roots = []
    for y, found in zip(np.transpose(truth), np.transpose(predicted)):
        pairs = [(a, b) for a, b in zip(y, found) if not np.isnan(a)]
        center = np.mean([a for a, _ in pairs]) if pairs else 0.0
        variance = sum((a - center) ** 2 for a, _ in pairs)
        if variance > 0:
            roots.append(np.sqrt(sum((a - b) ** 2 for a, b in pairs) / variance))
    return float(np.mean(roots)) if roots else np.nan


def curve(truth, predicted):
    """(true, false) positives for every threshold from above."""
    pairs = [(t, s) for t, s in zip(np.ravel(truth), np.ravel(predicted)) if not np.isnan(t)]
    return [
        (sum(t == 1 and s >= cut for t, s in pairs), sum(t == 0 and s >= cut for t, s in pairs))
        for cut in sorted({s for _, s in pairs}, reverse=True)
    ]


def micro_f1(truth, predicted):
    tp = fp = fn = 0
    for t, s in zip(np.ravel(truth), np.ravel(predicted)):
        if t == 1:
            tp, fn = (tp + 1, fn) if s > 0.5 else (tp, fn + 1)
        elif t == 0 and s > 0.5:
            fp += 1
    return 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else 0.0


def auprc(truth, predicted):
    area = before = 0.0
    points = curve(truth, predicted)
    for tp, fp in points:
        area += (tp - before) * tp / (tp + fp)
        before = tp
    return area / before if before else np.nan


def quotas(sizes, n_labelled):
    """Labels that every fold keeps: dealt out one by one, a full fold passes its one to the first with room."""
    x = len(sizes)
    wanted = [n_labelled // (x - 1) + (j < n_labelled % (x - 1)) for j in range(x)]
    given = [min(w, s) for w, s in zip(wanted, sizes)]
    for _ in range(sum(wanted) - sum(given)):
        room = [j for j in range(x) if given[j] < sizes[j]]
        if room:
            given[room[0]] += 1
    return given


def reconstruction(train, test, features, last=False):
    """(mean root mean squared error, the same in standard deviations of the training rows)."""
    found = []
    for row in test:
        d = [sum((row[a] - other[a]) ** 2 for a in features) for other in train]
        places = [j for j in range(len(train)) if d[j] == min(d)]
        found.append(train[places[-1 if last else 0]])
    p = train.shape[1]
    roots = [np.sqrt(np.mean([(a[f] - b[f]) ** 2 for a, b in zip(test, found)])) for f in range(p)]
    scaled = [roots[f] / np.std(train[:, f]) for f in range(p) if max(train[:, f]) > min(train[:, f])]
    return float(np.mean(roots)), float(np.mean(scaled)) if scaled else np.nan
