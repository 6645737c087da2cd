"""How answers are written."""

import msgspec

_encoder = msgspec.json.Encoder()


def encoded(answer: object) -> bytes:
    """An answer as JSON."""
    return _encoder.encode(answer)
