"""When the median of a cell's samples has settled, so that no more are taken. sweep.cpp does the same.

Of some number of samples, the k-th smallest and the k-th greatest enclose the true median with a probability that depends on nothing but k and the
number: 1 - 2 P(fewer than k heads in as many throws of a coin). Nothing is assumed of how times scatter.
"""

import math
import statistics

LEAST = 5  # the fewest of which two are far enough apart, for the probability below
MOST = 11
MOST_SECONDS = 60  # of a cell, after which it gets no more than LEAST
PROBABILITY = 0.9
WITHIN = 0.02  # of the median, to either side


def rank(count):
    """The largest k for which the k-th smallest and the k-th greatest enclose the median with PROBABILITY; 0 if none do."""
    k, outside = 0, 0.0
    while k < count:
        outside += 2 * math.comb(count, k) / 2**count
        if 1 - outside < PROBABILITY:
            break
        k += 1
    return k


def is_settled(values):
    """Whether the median is known to WITHIN."""
    k = rank(len(values))
    if k == 0:
        return False
    ordered, middle = sorted(values), statistics.median(values)
    return max(middle - ordered[k - 1], ordered[-k] - middle) <= WITHIN * middle
