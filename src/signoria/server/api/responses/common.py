"""What all responses share, and ratings."""

import msgspec


class ResponseModel(msgspec.Struct, frozen=True, kw_only=True):
    """The body of a response."""


class Rating(ResponseModel, frozen=True, kw_only=True):
    """A player's rating: the mean and its margin of error (95%)."""

    mean: float
    reach: float
    games: int
    """Number of rated games."""
