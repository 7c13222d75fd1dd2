"""An interval, and an estimate with its own."""

from dataclasses import dataclass
from statistics import NormalDist

_STANDARD = NormalDist()


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Between what a number lies.

    Attributes:
        low: The lower end.
        high: The upper end, not below the lower.
        confidence: How often such an interval holds the number, between 0 and 1.

    Raises:
        ValueError: The ends are not in order, or are no numbers.

    """

    low: float
    high: float
    confidence: float

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            msg = f"an interval from {self.low} to {self.high}; wanted its ends in order"
            raise ValueError(msg)

    @property
    def width(self) -> float:
        """Return how far apart the ends are."""
        return self.high - self.low

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number that was estimated.

    Attributes:
        value: The estimate; it lies in the interval.
        interval: Between what the number lies.

    """

    value: float
    interval: Interval


def check_confidence(confidence: float) -> None:
    """Refuse what is no confidence.

    Raises:
        ValueError: It is not between 0 and 1.

    """
    if not 0 < confidence < 1:
        msg = f"a confidence of {confidence}; wanted more than 0 and less than 1"
        raise ValueError(msg)


def two_sided_quantile(confidence: float) -> float:
    """Return z: a standard normal number is between -z and z with this probability.

    Raises:
        ValueError: The confidence is not between 0 and 1.

    """
    check_confidence(confidence)
    return -_STANDARD.inv_cdf((1 - confidence) / 2)  # 1 + confidence may be 2 for a float


def both_sides(lower_confidence: float) -> float:
    """Return the confidence of the interval whose lower end is a lower bound of this confidence.

    A bound of 95 % is the lower end of an interval of 90 %.

    Raises:
        ValueError: The confidence is not above one half and below 1.

    """
    if not 0.5 < lower_confidence < 1:
        msg = f"a lower bound with confidence {lower_confidence}; wanted more than 0.5, less than 1"
        raise ValueError(msg)
    return 2 * lower_confidence - 1
