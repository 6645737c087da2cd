"""Passwords are slow to guess."""

import asyncio
import unicodedata
from typing import Any, Literal

import pytest
from argon2 import PasswordHasher, extract_parameters

from signoria.server.errors import BadField, Unavailable
from signoria.server.people.passwords import MOST_READ, MOST_WAITING, Passwords, clean_password
from signoria.server.play.fair_turns import FairTurns

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
BETTER = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)


def test_only_the_exact_password_matches() -> None:
    async def run() -> None:
        passwords = Passwords(QUICK)
        kept = await passwords.hashed("correct horse")
        assert "correct" not in kept
        assert kept.startswith("$argon2id$")
        assert await passwords.check(kept, "correct horse") == (True, None)
        for wrong in ("correct hors", "", "x" * 10_000):
            assert await passwords.check(kept, wrong) == (False, None)
        assert await passwords.check(None, "correct horse") == (False, None)
        assert await passwords.check("no hash at all", "correct horse") == (False, None)

    asyncio.run(run())


def test_weak_hash_is_replaced_at_sign_in() -> None:
    async def run() -> None:
        kept = await Passwords(QUICK).hashed("correct horse")
        right, rehashed = await Passwords(BETTER).check(kept, "correct horse")
        assert right
        assert rehashed is not None
        assert await Passwords(BETTER).check(rehashed, "correct horse") == (True, None)

    asyncio.run(run())


def test_unknown_name_takes_as_long_as_a_wrong_password() -> None:
    """The same work is done: a hash of the same cost is verified."""
    verified: list[str] = []

    class Watched(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002
            verified.append(str(hash))
            return super().verify(hash, password)

    async def run() -> None:
        passwords = Passwords(Watched(time_cost=2, memory_cost=1024, parallelism=1))
        kept = await passwords.hashed("correct horse")
        assert not (await passwords.check(kept, "wrong horse")).right
        assert not (await passwords.check(None, "wrong horse")).right
        assert extract_parameters(verified[0]) == extract_parameters(verified[1])
        assert verified[0] != verified[1]

    asyncio.run(run())


def test_accents_may_be_composed_or_decomposed() -> None:
    assert clean_password("cafe\u0301 nero") == clean_password("café nero")


def test_password_is_cut_before_normalisation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Normalising 64 kB of accents takes seconds, during which the server cannot answer."""
    lengths: list[int] = []
    normalize = unicodedata.normalize

    def watched(form: Any, text: str) -> str:
        lengths.append(len(text))
        return normalize(form, text)

    monkeypatch.setattr(unicodedata, "normalize", watched)
    typed = "a" + "\u0301\u0323" * 10_000

    async def run() -> None:
        passwords = Passwords(QUICK)
        assert not (await passwords.check(None, typed)).right

    asyncio.run(run())
    with pytest.raises(BadField, match="this one has 20001"):
        clean_password(typed)
    assert lengths
    assert max(lengths) <= MOST_READ


def test_queue_for_password_hashing_is_limited_and_fair() -> None:
    async def run() -> None:
        passwords, done = Passwords(QUICK), list[str]()

        async def check(address: str) -> bool:
            right = (await passwords.check(None, "correct horse", address)).right
            done.append(address)
            return right

        async with passwords._turns.turn("one"):
            waiting = [asyncio.create_task(check("many")) for _ in range(MOST_WAITING)]
            while len(passwords._turns) < MOST_WAITING:
                await asyncio.sleep(0)
            with pytest.raises(Unavailable, match="in a few seconds"):
                await passwords.check(None, "correct horse", "many")
            other = asyncio.create_task(check("other"))
            gone = waiting.pop(0)
            await asyncio.sleep(0)
            gone.cancel()
        assert not await other
        answers = await asyncio.gather(*waiting, return_exceptions=True)
        assert [isinstance(one, Unavailable) for one in answers] == [False] * (MOST_WAITING - 2) + [True]
        assert done.index("other") <= 1 and len(done) == MOST_WAITING - 1

    asyncio.run(run())


def test_turn_of_a_request_that_is_cancelled_goes_to_the_next() -> None:
    async def run() -> None:
        turns, had = FairTurns(5), list[str]()

        async def take(name: str) -> None:
            async with turns.turn(name):
                had.append(name)

        async with turns.turn("first"):
            second, third = [asyncio.create_task(take(name)) for name in ("second", "third")]
            await asyncio.sleep(0)
        second.cancel()  # it was called just now
        await asyncio.wait((second, third))
        assert had == ["third"] and len(turns) == 0
        await take("fourth")

    asyncio.run(run())


def test_request_that_is_cancelled_when_it_is_refused_ends_no_turn() -> None:
    async def run() -> None:
        turns, had = FairTurns(2), list[str]()

        async def take(name: str) -> None:
            async with turns.turn(name):
                had.append(name)

        async with turns.turn("first"):
            many = [asyncio.create_task(take("many")) for _ in range(2)]
            await asyncio.sleep(0)
            other = asyncio.create_task(take("other"))
            asyncio.get_running_loop().call_soon(many[1].cancel)  # right after the other one has taken its place
            for _ in range(5):
                await asyncio.sleep(0)
            assert many[1].done() and len(turns) == 2
            assert not had, "the first one still has its turn"
        await asyncio.gather(other, many[0])
        assert sorted(had) == ["many", "other"]

    asyncio.run(run())


@pytest.mark.parametrize("typed", ["", "seven77", "x" * 201])
def test_too_short_and_too_long_passwords_are_rejected(typed: str) -> None:
    with pytest.raises(BadField, match=f"8 to 200 .* {len(typed)}"):
        clean_password(typed)
