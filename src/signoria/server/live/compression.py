"""Gzip in independent pieces: content for several viewers is compressed once, for streams and for responses.

Every piece ends on a byte boundary and refers to nothing before it, so pieces can be sent in any order. No stream needs
its own compressor, which would take a quarter of a megabyte while it is open.
"""

import struct
import zlib
from functools import cached_property

from isal import isal_zlib
from starlette.datastructures import Headers

HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
"""The header of gzip."""
END = b"\x03\0"
"""An empty last piece."""
QUICK = 1


def _check(crc: int, size: int) -> bytes:
    return END + struct.pack("<II", crc, size & 0xFFFFFFFF)


def stored(plain: bytes) -> bytes:
    """A few bytes as an uncompressed piece."""
    return struct.pack("<BHH", 0, len(plain), len(plain) ^ 0xFFFF) + plain


class Payload:
    """A line of text, compressed when it is first needed that way."""

    def __init__(self, text: str) -> None:
        plain = text.encode().replace(b"\n", b" ")
        self.plain = plain.replace(b"\r", b" ") if b"\r" in plain else plain

    @cached_property
    def piece(self) -> bytes:
        """The line as a piece."""
        packer = isal_zlib.compressobj(QUICK, wbits=-zlib.MAX_WBITS)
        return packer.compress(self.plain) + packer.flush(isal_zlib.Z_FULL_FLUSH)

    @cached_property
    def whole(self) -> bytes:
        """The line as a complete response."""
        return b"".join((HEAD, self.piece, _check(isal_zlib.crc32(self.plain), len(self.plain))))


class GzipStream:
    """The pieces of one stream, in order."""

    def __init__(self) -> None:
        self._crc = self._size = 0

    def add(self, *parts: bytes | Payload) -> bytes:
        """More of the stream; bytes are stored, lines are compressed."""
        pieces = [] if self._size else [HEAD]
        for part in parts:
            plain, piece = (part.plain, part.piece) if isinstance(part, Payload) else (part, stored(part))
            self._crc, self._size = isal_zlib.crc32(plain, self._crc), self._size + len(plain)
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
