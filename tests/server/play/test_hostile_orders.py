"""Orders from a hostile client: nothing breaks, nothing is kept, and nothing hidden can be found out."""

import asyncio
import json
from typing import Any

from signoria.games.il_principe.orders import FOUND, OFFER
from signoria.server.play.room import encode_step, encode_steps
from tests.databases import in_loop
from tests.server.application import Person, open_app
from tests.server.play.test_orders import at_a_table, plans

CARD, CITY = '{"do":"offer","colour":"red"}', '{"do":"found","city":"roma"}'
ODD = (
    "",
    "[]",
    "null",
    "{}",
    "7",
    '"',
    "[" * 900,
    '{"do":"dance"}',
    '{"do":"bid","ducats":99999999999999999999}',
    "\x00",
    "é" * 99,
)
FORMS: tuple[dict[str, Any], ...] = (
    {},
    {"choice": ""},
    {"choice": "dance", "step": CARD},
    {"choice": OFFER * 40, "step": CARD},
    {"withdraw": "dance"},
    *({"choice": OFFER, "step": text} for text in ODD),
    *({"choice": OFFER, "steps": text} for text in ODD if text not in ("", "[]")),
    *({"choice": FOUND, "steps": text} for text in ODD if text not in ("", "[]")),
    {"choice": OFFER, "step": [CARD] * 400},
    {"choice": OFFER, "step": [CARD] * 9},
    {"choice": OFFER, "step": [CITY, CITY]},
    {"choice": OFFER, "steps": f"[{CARD}]"},
    {"choice": FOUND, "steps": f"[{CARD}]"},
    {"choice": FOUND, "steps": f"[{CITY},{CITY}]"},
    {"choice": FOUND, "steps": '[{"do":"found","city":"atlantis"}]'},
    {"choice": FOUND, "steps": '[{"do":"crest","region":"red"}]'},
    {"choice": FOUND, "steps": f"[{','.join([CARD] * 60)}]"},
)
BODIES: tuple[Any, ...] = (
    None,
    [],
    7,
    {},
    {"choice": OFFER},
    {"choice": OFFER, "steps": None},
    {"choice": OFFER, "steps": {"do": "offer"}},
    {"choice": OFFER, "steps": [None]},
    {"choice": OFFER, "steps": [[]]},
    {"choice": OFFER, "steps": [{"do": "offer", "colour": "pink"}]},
    {"choice": OFFER, "steps": [json.loads(CARD)] * 2000},
    {"choice": [OFFER], "steps": []},
    {"choice": "x" * 100_000, "steps": []},
    {"choice": FOUND, "steps": [{"do": "found", "city": "atlantis"}]},
    {"choice": FOUND, "steps": [json.loads(CITY)] * 2},
    {"choice": FOUND, "steps": [{"do": "bid", "ducats": -1}]},
)
SEATS = ("", "x", "-1", "1.5", "99", "9" * 400)


@in_loop
async def test_malformed_orders_are_refused_and_change_nothing(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        room, (_, bruno, carla), (_, b, _) = await at_a_table(app, service)
        here, kept = f"/tables/{room.row.id}", plans(room, bruno.user)[0]  # type: ignore[arg-type]
        await bruno.send(f"{here}/orders", seat=b, choice=OFFER, steps=encode_steps(kept))
        before, others = room.orders[b], await carla.first_event(f"{here}/stream")
        for fields in FORMS:
            answer = await bruno.send(f"{here}/orders", script=True, seat=b, **fields)
            assert 400 <= answer.status_code < 500, (fields, answer.status_code)
        for seat in SEATS:
            answer = await bruno.send(f"{here}/orders", script=True, seat=seat, choice=OFFER, steps=encode_steps(kept))
            assert 400 <= answer.status_code < 500, (seat, answer.status_code)
        for body in BODIES:
            wanted = {"seat": b, **body} if isinstance(body, dict) else body
            answer = await bruno.client.post(f"/api/v1{here}/orders", json=wanted)
            assert 400 <= answer.status_code < 500, (str(body)[:200], answer.status_code)
        assert room.orders[b] == before
        assert await carla.first_event(f"{here}/stream") == others
        assert room.n == 0


@in_loop
async def test_orders_sent_many_times_at_once_count_once(sqlite_url: str) -> None:
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        room, (_, bruno, _), (_, b, _) = await at_a_table(app, service)
        here, (one, *_, another) = f"/tables/{room.row.id}/orders", plans(room, bruno.user)  # type: ignore[arg-type]
        sent = [bruno.send(here, seat=b, choice=OFFER, steps=encode_steps(plan)) for plan in (one, another) * 6]
        assert {answer.status_code for answer in await asyncio.gather(*sent)} == {303}
        assert room.orders[b].chosen[OFFER] in (tuple(map(encode_step, one)), tuple(map(encode_step, another)))
        gone = [bruno.send(here, seat=b, withdraw=OFFER) for _ in range(4)]
        assert {answer.status_code for answer in await asyncio.gather(*gone)} == {303}
        assert b not in room.orders, "the last order was withdrawn"
        assert room.n == 0


@in_loop
async def test_answers_about_a_foreign_seat_do_not_depend_on_its_cards_or_orders(sqlite_url: str) -> None:
    """Whatever Carla, a guest without a seat or nobody asks for Bruno's seat: the answer is the same for all cards and orders."""
    async with open_app(sqlite_url, pace=60_000) as (app, service):
        room, (_, bruno, carla), (_, b, _) = await at_a_table(app, service)
        here = f"/tables/{room.row.id}"

        async def probe() -> list[tuple[int, str]]:
            answers = []
            for person in (carla, Person(app, None, None)):
                for colour in ("green", "white", "red", "blue", "yellow"):
                    card = {"do": "offer", "colour": colour}
                    fields = {"seat": b, "choice": OFFER, "steps": json.dumps([card, card])}
                    answers.append(await person.send(f"{here}/orders", script=True, **fields))
                    body = {"seat": b, "choice": OFFER, "steps": [card, card]}
                    answers.append(await person.client.post(f"/api/v1{here}/orders", json=body))
                answers.append(await person.send(f"{here}/orders", script=True, seat=b, withdraw=OFFER))
                answers.append(await person.client.get(f"/api/v1{here}/orders?seat={b}"))
            assert {answer.status_code for answer in answers} <= {401, 403}
            return [
                (answer.status_code, answer.text if answer.headers["content-type"].endswith("json") else "")
                for answer in answers
            ]

        asked = await probe()
        assert len(set(asked)) <= 4, "colours make no difference"
        for plan in plans(room, bruno.user)[:3]:  # type: ignore[arg-type]
            await bruno.send(f"{here}/orders", seat=b, choice=OFFER, steps=encode_steps(plan))
            assert await probe() == asked
        assert room.orders[b].chosen
