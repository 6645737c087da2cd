"""Gzip in pieces that stand on their own: what several people get is compressed once, for streams and for responses.

Every piece ends at a whole byte and refers to nothing before it, so pieces can follow each other in any order; and no
stream needs a compressor of its own, which would hold a quarter of a megabyte for as long as it is open.
"""

import struct
import zlib
from functools import cached_property

from starlette.datastructures import Headers

HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
"""How gzip begins."""
END = b"\x03\0"
"""An empty piece that is the last."""
QUICK = 1


def _check(crc: int, size: int) -> bytes:
    return END + struct.pack("<II", crc, size & 0xFFFFFFFF)


def stored(plain: bytes) -> bytes:
    """A few bytes as a piece, not worth packing."""
    return struct.pack("<BHH", 0, len(plain), len(plain) ^ 0xFFFF) + plain


class Payload:
    """A line of text to be sent, compressed the first time somebody wants it so."""

    def __init__(self, text: str) -> None:
        plain = text.encode().replace(b"\n", b" ")
        self.plain = plain.replace(b"\r", b" ") if b"\r" in plain else plain

    @cached_property
    def piece(self) -> bytes:
        """The line as a piece."""
        packer = zlib.compressobj(QUICK, wbits=-zlib.MAX_WBITS)
        return packer.compress(self.plain) + packer.flush(zlib.Z_FULL_FLUSH)

    @cached_property
    def whole(self) -> bytes:
        """The line as a whole answer."""
        return b"".join((HEAD, self.piece, _check(zlib.crc32(self.plain), len(self.plain))))


class GzipStream:
    """The pieces of one stream, in their order."""

    def __init__(self) -> None:
        self._crc = self._size = 0

    def add(self, *parts: bytes | Payload) -> bytes:
        """More of the stream; bytes are stored, lines are packed."""
        pieces = [] if self._size else [HEAD]
        for part in parts:
            plain, piece = (part.plain, part.piece) if isinstance(part, Payload) else (part, stored(part))
            self._crc, self._size = zlib.crc32(plain, self._crc), self._size + len(plain)
            pieces.append(piece)
        return b"".join(pieces)

    def end(self) -> bytes:
        """The end of the stream."""
        return _check(self._crc, self._size)


class PlainStream:
    """The same for clients that do not accept gzip."""

    def add(self, *parts: bytes | Payload) -> bytes:
        """More of the stream."""
        return b"".join([part.plain if isinstance(part, Payload) else part for part in parts])

    def end(self) -> bytes:
        """The end of the stream."""
        return b""


def accepts_gzip(headers: Headers) -> bool:
    """Whether a client accepts gzip."""
    return "gzip" in headers.get("accept-encoding", "")
