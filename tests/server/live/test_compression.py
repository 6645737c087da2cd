"""Gzip in pieces: each piece is readable when it arrives, in any order."""

import gzip
import zlib
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers

from signoria.server.live.compression import GzipStream, Payload, PlainStream, accepts_gzip

TEXTS = ("", "a", "<p>towers</p>" * 1000, "Città, Zürich, 彦", "".join(map(chr, range(0x4E00, 0x9FFF))))
PARTS: tuple[bytes | Payload, ...] = (b"id: 1\ndata: ", *(Payload(text) for text in TEXTS), b"\n\n", b"")


def plain(part: bytes | Payload) -> bytes:
    return part.plain if isinstance(part, Payload) else part


def unpacked(sent: bytes) -> bytes:
    """What a client can read of an unfinished stream."""
    return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(sent)


@given(st.lists(st.lists(st.sampled_from(PARTS), max_size=4), max_size=6))
def test_compressed_stream_is_readable_after_every_event_and_a_valid_gzip_file_at_the_end(
    events: list[list[bytes | Payload]],
) -> None:
    packing, said = GzipStream(), b"retry: 1000"
    sent = packing.add(said)
    for event in events:
        sent += packing.add(*event)
        said += b"".join(map(plain, event))
        assert unpacked(sent) == said
    sent += packing.end()
    assert gzip.decompress(sent) == said


def test_compressed_pieces_are_reusable_in_any_stream_and_order() -> None:
    pieces = [Payload(text) for text in TEXTS[:4]]
    for order in permutations(pieces):
        packing = GzipStream()
        sent = packing.add(*order) + packing.end()
        assert gzip.decompress(sent) == b"".join(map(plain, order))
        assert all(pack.piece in sent for pack in order)


@pytest.mark.parametrize("text", TEXTS)
def test_single_piece_is_a_complete_response(text: str) -> None:
    assert gzip.decompress(Payload(text).whole).decode() == text


def test_event_data_with_any_line_breaks_becomes_one_line() -> None:
    pack = Payload("one\ntwo\r\nthree\rfour")
    assert pack.plain == b"one two  three four"
    assert gzip.decompress(pack.whole) == pack.plain


def test_shared_payload_is_compressed_once() -> None:
    pack = Payload("<p>towers</p>" * 1000)
    assert pack.piece is pack.piece
    assert pack.whole is pack.whole
    assert len(pack.piece) < len(pack.plain) / 20


def test_clients_without_gzip_get_the_same_content() -> None:
    stream = PlainStream()
    assert stream.add(*PARTS) == b"".join(map(plain, PARTS))
    assert stream.end() == b""


def test_gzip_is_sent_only_to_clients_that_accept_it() -> None:
    assert accepts_gzip(Headers({"accept-encoding": "br, gzip"}))
    assert not accepts_gzip(Headers({"accept-encoding": "br"}))
    assert not accepts_gzip(Headers({}))
