"""Beta and binomial probabilities. Only what is used here, to about twelve digits."""

from math import exp, lgamma, log, log1p

_MOST_TERMS = 10_000
_SMALLEST = 1e-300


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the probability that a Beta(a, b) number is at most x: I_x(a, b).

    The regularised incomplete beta function by its continued fraction (DLMF 8.17.22), evaluated
    by Lentz's method as modified by Thompson and Barnett (1986).

    Args:
        x: Below 0 counts as 0 and above 1 as 1.
        a: Above 0.
        b: Above 0.

    Raises:
        ValueError: a or b is not above 0.
        ArithmeticError: The fraction does not converge; a and b are beyond 10^7 or so.

    """
    if not (a > 0 and b > 0):
        msg = f"Beta({a}, {b}); wanted both above 0"
        raise ValueError(msg)
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return min(1.0, front * _fraction(x, a, b) / a)
    return max(0.0, 1 - front * _fraction(1 - x, b, a) / b)


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return x so that a Beta(a, b) number is at most x with this probability, by bisection.

    Raises:
        ValueError: The probability is not from 0 to 1, or a or b is not above 0.

    """
    if not 0 <= probability <= 1:
        msg = f"a probability of {probability}; wanted one from 0 to 1"
        raise ValueError(msg)
    if probability in {0, 1}:
        return float(probability)
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        if beta_cdf(middle, a, b) < probability:
            low = middle
        else:
            high = middle
    return high


def binomial_cdf(most: int, runs: int, rate: float) -> float:
    """Return the probability of at most so many passes: I_{1-rate}(runs - most, most + 1).

    Args:
        most: Below 0 the probability is 0, and from `runs` on it is 1.
        runs: How many independent runs.
        rate: The probability of each to pass, from 0 to 1.

    Raises:
        ValueError: The rate is not from 0 to 1, or the runs are below 0.

    """
    if not 0 <= rate <= 1 or runs < 0:
        msg = f"{runs} runs that pass with probability {rate}; wanted runs >= 0, 0 <= rate <= 1"
        raise ValueError(msg)
    if most < 0:
        return 0.0
    if most >= runs:
        return 1.0
    return beta_cdf(1 - rate, runs - most, most + 1)


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of I_x(a, b)."""
    c, d = 1.0, 1 / _apart(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _apart(1 + term * d)
            c = _apart(1 + term / c)
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            return value
    msg = f"I_{x}({a}, {b}) does not converge"
    raise ArithmeticError(msg)


def _apart(value: float) -> float:
    """Return the value, moved away from 0 so that it can be divided by."""
    return value if abs(value) > _SMALLEST else _SMALLEST
