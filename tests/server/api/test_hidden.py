"""Hidden information: hands of others, face-down cards, and the seed of a game in play."""

import random
from typing import Any

import pytest

from tests.databases import in_loop
from tests.server.api.clients import BOT, ME, Listener, new_app, play, served, service_of

OWN = ["view?seat=1", "legal?seat=1", "events?seat=1"]


@in_loop
async def test_other_players_seats_are_refused(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        anna, bruno, nobody = await program("Anna"), await program("Bruno"), await program()
        table = await anna.open("patrician", (ME, {"kind": "open"}, BOT))
        await bruno.post(f"/tables/{table}/sit", {"seat": 1})
        await anna.post(f"/tables/{table}/start")
        legal = {"do": "stay"}
        for somebody in (anna, nobody):
            for look in OWN:
                assert (await somebody.refused("GET", f"/tables/{table}/{look}", 403))["field"] == "seat"
        messages: dict[str, dict[str, Any]] = {
            "steps": {"seat": 1, "n": 0, "step": legal},
            "why-not": {"seat": 1, "step": legal},
            "undo": {"seat": 1, "n": 0},
            **{do: {"seat": 1} for do in ("leave", "return", "resign")},
        }
        for do, message in messages.items():
            for seat in (1, 2):
                await anna.refused("POST", f"/tables/{table}/{do}", 403, json=message | {"seat": seat})
            await nobody.refused("POST", f"/tables/{table}/{do}", 403, json=message)
            # from a page of this server, but without a user
            origin = {"Origin": "http://house.test"}
            await nobody.refused("POST", f"/tables/{table}/{do}", 401, json=message, headers=origin)
        for look in ("view", "legal"):
            assert (await anna.refused("GET", f"/tables/{table}/{look}?seat=3", 422))["field"] == "seat"


@pytest.mark.parametrize("game", ["patrician", "il-principe"])
@in_loop
async def test_spectator_sees_no_hand_and_no_seed(game: str, sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        anna, nobody, rng = await program("Anna"), await program(), random.Random(6)
        table = await anna.open(game, (ME, BOT, BOT))
        room = await service_of(anna.app).room(table)
        seed, salt = room.row.seed, room.row.seats[0].salt
        public = Listener(nobody, f"/tables/{table}/events")
        own = Listener(anna, f"/tables/{table}/events", query="seat=0")
        texts = []
        while room.row.state == "playing":
            paths = [f"/tables/{table}{look}" for look in ("", "/view", "/legal?seat=0", "/view?seat=0")]
            texts += [(await anna.ask("GET", path)).text for path in paths]
            texts.append((await nobody.ask("GET", f"/tables/{table}")).text)
            seen = await nobody.get(f"/tables/{table}/view")
            if seen["turn"] is not None:
                assert seen["view"]["legal"] == []
                assert all(hidden(player) for player in seen["view"]["players"])
                mine = (await anna.get(f"/tables/{table}/view", seat=0))["view"]["players"]
                assert hidden(mine[0]) == (not cards(mine[0])) and all(hidden(player) for player in mine[1:])
            if room.row.state == "playing":
                await play(anna, table, 0, rng, steps=1)
            await anna.refused("GET", f"/tables/{table}/record", 409) if room.row.state == "playing" else None
        before = [text for text in texts if '"state":"over"' not in text]
        assert not any(seed in text or salt in text for text in before)
        for listener in (public, own):
            heard = await listener.until(lambda all_: all_[-1:] != [] and all_[-1].data.get("state") == "over")
            assert not any(seed in str(event.data) or salt in str(event.data) for event in heard[:-1])
            assert heard[-1].data["seed"] == seed
        assert not any("legal" in event.data for event in public.heard)
        laid = [
            said
            for event in public.heard
            if event.name == "step"
            for said in event.data["events"]
            if said["event"] == "CardLaid"
        ]
        assert bool(laid) == (game == "il-principe")
        assert all(said.keys() == {"event", "clause", "seat", "says"} for said in laid)


def hidden(player: dict[str, Any]) -> bool:
    """Whether no card of a hand is shown."""
    if "family" in player:
        return not player["hand"] and not player["offered"]
    return not any(player["hand"])


def cards(player: dict[str, Any]) -> int:
    """Number of cards to hide."""
    return int(player["cards"]) if "family" in player else len(player["hand"])


@in_loop
async def test_replays_are_available_only_after_the_end(sqlite_url: str) -> None:
    async with served(new_app(sqlite_url)) as program:
        anna = await program("Anna")
        table = await anna.open("patrician", (ME, ME))
        for eyes in ("", "?seat=1", "?seat=open"):
            await anna.refused("GET", f"/tables/{table}/replay/0{eyes}", 409)
